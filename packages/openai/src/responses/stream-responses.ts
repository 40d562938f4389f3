/** One turn over Responses: the request, and the raw events into the accumulator. */
import type { ModelEvent, ModelRequest } from '@haft/agent';
import { type Batches, type FailureContext, eventBatches, joinJson, jsonHeaders, keptJson, keptJsonList, readTurn, wireNames } from '@haft/agent/adapter';
import type { ResponseCreateParams } from 'openai/resources/responses/responses';
import type { Endpoint, OpenAIOptions } from '../openai.js';
import { choiceForResponses, toolsForResponses } from '../tools.js';
import { ResponsesAccumulator } from './accumulator.js';
import type { ResponseBody, ResponsesEvent } from './event.js';
import { inputItems } from './input-items.js';

/** Models that reason, by name: only they accept the fields for it. */
const reasoningModels = /^(o\d|gpt-5(?!.*chat)|codex)|-codex/;

export function streamResponses(endpoint: Endpoint, request: ModelRequest, context: FailureContext): AsyncIterable<ModelEvent> {
  const { options, profile } = endpoint;
  const accumulator = new ResponsesAccumulator(profile.name, options.model, wireNames(request.tools));
  return readTurn<ResponsesEvent>(open, accumulator, context);

  async function open(signal: AbortSignal): Promise<Batches<ResponsesEvent>> {
    const client = await endpoint.client();
    const streamed = options.stream !== false;
    const body = responsesBody(endpoint, request, streamed);
    // What `responses.create` sends, but for the history, which is not written as JSON again.
    if (streamed) return eventBatches(await client.post('/responses', { body, headers: jsonHeaders, signal, stream: true }).asResponse());
    return [[{ type: 'response.completed', response: await client.post<ResponseBody>('/responses', { body, headers: jsonHeaders, signal }) }]];
  }
}

type Fields = Partial<Omit<ResponseCreateParams, 'input' | 'tools'>>;

function responsesBody({ profile, options }: Endpoint, request: ModelRequest, streamed: boolean): string {
  const { tools, toolChoice, maxOutputTokens, temperature, output, sessionId, system } = request;
  const fields: Fields = {
    model: options.model,
    store: false,
    ...(streamed ? { stream: true } : {}),
    ...(system ? { instructions: system } : {}),
    ...(tools.length > 0 && toolChoice !== undefined && toolChoice !== 'auto' ? { tool_choice: choiceForResponses(toolChoice, tools) } : {}),
    ...(maxOutputTokens === undefined ? {} : { max_output_tokens: maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...reasoningFields(options),
    ...(output === undefined || !profile.jsonSchemaOutput ? {} : { text: { format: { type: 'json_schema', name: output.name, schema: output.schema as Record<string, unknown> } } }),
    ...(sessionId === undefined || !profile.promptCacheKey ? {} : { prompt_cache_key: sessionId }),
    ...options.extraBody,
  };
  const toolText = tools.length > 0 ? { tools: keptJson(toolsForResponses(tools, profile, options.strictTools === true)) } : {};
  return joinJson({ ...fields }, { ...toolText, input: keptJsonList(inputItems(profile, options.model, request)) });
}

function reasoningFields({ model, reasoningEffort: effort, reasoningSummary: summary }: OpenAIOptions): Pick<ResponseCreateParams, 'include' | 'reasoning'> {
  if (effort === undefined && summary === undefined && !reasoningModels.test(model)) return {};
  const reasoning = { ...(summary === undefined ? {} : { summary }), ...(effort === undefined ? {} : { effort: effort as 'low' }) };
  return { include: ['reasoning.encrypted_content'], ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }) };
}
