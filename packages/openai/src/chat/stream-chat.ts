/** One turn over Chat Completions: the request, and the raw chunks into the accumulator. */
import { ModelError, type ModelEvent, type ModelRequest } from '@haft/agent';
import { type Batches, type FailureContext, eventBatches, joinJson, jsonHeaders, keptJson, keptJsonList, readTurn, wireNames } from '@haft/agent/adapter';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { choiceForChat, toolsForChat } from '../tools.js';
import type { Endpoint } from '../openai.js';
import { ChatAccumulator } from './accumulator.js';
import { chatMessages } from './chat-messages.js';
import type { ChatPiece } from './chunk.js';
import { failedGeneration } from './failed-generation.js';

export function streamChat(endpoint: Endpoint, request: ModelRequest, context: FailureContext): AsyncIterable<ModelEvent> {
  const { profile, options } = endpoint;
  const names = wireNames(request.tools);
  const accumulator = new ChatAccumulator(profile, options.model, names);
  return readTurn<ChatPiece>(open, accumulator, context);

  async function open(signal: AbortSignal): Promise<Batches<ChatPiece>> {
    const client = await endpoint.client();
    const streamed = options.stream !== false;
    const body = chatBody(endpoint, request, streamed);
    try {
      // What `chat.completions.create` sends, but for the history, which is not written as JSON again.
      if (streamed) return eventBatches(await client.post('/chat/completions', { body, headers: jsonHeaders, signal, stream: true }).asResponse());
      return [[await client.post<ChatPiece>('/chat/completions', { body, headers: jsonHeaders, signal })]];
    } catch (error) {
      const piece = error instanceof ModelError ? undefined : failedGeneration(error);
      if (piece === undefined) throw error;
      return [[piece]];
    }
  }
}

type Fields = Partial<Omit<ChatCompletionCreateParams, 'messages' | 'tools'>>;

function chatBody({ profile, options }: Endpoint, request: ModelRequest, streamed: boolean): string {
  const { tools, toolChoice, maxOutputTokens, temperature, output, sessionId } = request;
  const fields: Fields = {
    model: options.model,
    ...(streamed ? { stream: true } : {}),
    ...(streamed && profile.streamUsage ? { stream_options: { include_usage: true } } : {}),
    ...(tools.length > 0 && toolChoice !== undefined && toolChoice !== 'auto' ? { tool_choice: choiceForChat(toolChoice, tools) } : {}),
    ...(maxOutputTokens === undefined ? {} : { [profile.maxTokensField]: maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(options.reasoningEffort === undefined ? {} : { reasoning_effort: options.reasoningEffort as 'low' }),
    ...(output === undefined || !profile.jsonSchemaOutput ? {} : { response_format: { type: 'json_schema', json_schema: { name: output.name, schema: output.schema as Record<string, unknown> } } }),
    ...(sessionId === undefined || !profile.promptCacheKey ? {} : { prompt_cache_key: sessionId }),
    ...options.extraBody,
  };
  const toolText = tools.length > 0 ? { tools: keptJson(toolsForChat(tools, profile, options.strictTools === true)) } : {};
  return joinJson({ ...fields }, { ...toolText, messages: keptJsonList(chatMessages(profile, request)) });
}
