/** The adapter for Anthropic Messages and for endpoints that speak it. */
import type { ModelAdapter, ModelError, ModelEvent, ModelRequest } from '@haft/agent';
import { type Batches, type FailureContext, type TransportLimits, Vision, checkAccess, eventBatches, guardedFetch, jsonHeaders, readTurn, transportLimits, wireNames } from '@haft/agent/adapter';
import type Anthropic from '@anthropic-ai/sdk';
import { MessagesAccumulator } from './accumulator.js';
import type { MessagesEvent } from './event.js';
import { claudeContextWindow, claudeModels } from './known-models.js';
import { messagesBody } from './request-body.js';

export interface AnthropicOptions {
  model: string;
  /** Default: ANTHROPIC_API_KEY. */
  apiKey?: string;
  /** A bearer token in place of a key. Default: ANTHROPIC_AUTH_TOKEN. */
  authToken?: string;
  /** Default: ANTHROPIC_BASE_URL, else Anthropic's. */
  baseURL?: string;
  /** The name under which this endpoint is reported, and that its opaque data carries. Default `anthropic`. */
  provider?: string;
  /** Whether answers are streamed. Default true. */
  stream?: boolean;
  /** Most tokens of one answer where the request does not say. Default 16,000; less for Claude 3. */
  maxOutputTokens?: number;
  /** Extended thinking: a budget in tokens (at least 1,024), or `adaptive`. */
  thinking?: { budgetTokens: number } | 'adaptive';
  effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /** Whether prompt-cache breakpoints are set. Default true; for endpoints that refuse `cache_control`: false. */
  cache?: boolean;
  /** Whether tool input is streamed before it is checked (`eager_input_streaming`). Default false. */
  fineGrainedTools?: boolean;
  /** Whether a final answer's shape is asked for in the request; newer models only. Default false: the loop checks it in any case. */
  jsonSchemaOutput?: boolean;
  /** Whether the model reads images. Default: yes, until the service says no. Where not, a text names each image. */
  images?: boolean;
  /** Tokens that the model can read, for compaction. Default: 200,000 for Claude. */
  contextWindow?: number;
  headers?: Record<string, string>;
  limits?: Partial<TransportLimits>;
}

/** A ModelAdapter on the official SDK, which is loaded at the first request. Retries are off: the loop owns them. */
export function anthropic(options: AnthropicOptions): ModelAdapter {
  const provider = options.provider ?? 'anthropic';
  const credential = credentialOf(options);
  let client: Promise<Anthropic> | undefined;
  const contextWindow = options.contextWindow ?? (options.model.includes('claude') ? claudeContextWindow : undefined);
  const vision = new Vision(options.images ?? true);
  const context = { provider, model: options.model, secrets: Object.values(credential ?? {}), knownModels: claudeModels };
  return {
    provider,
    model: options.model,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
      const messages = vision.readable(request.messages);
      const learn = (failure: ModelError): ModelError => vision.learn(failure, messages);
      return streamMessages(() => (client ??= makeClient(options, provider, credential)), options, { ...request, messages }, { ...context, tools: request.tools, signal, learn });
    },
  };
}

function streamMessages(client: () => Promise<Anthropic>, options: AnthropicOptions, request: ModelRequest, context: FailureContext): AsyncIterable<ModelEvent> {
  const { provider, model } = context;
  const accumulator = new MessagesAccumulator(provider, model, wireNames(request.tools));
  return readTurn(open, accumulator, context);

  async function open(signal: AbortSignal): Promise<Batches<MessagesEvent>> {
    const sdk = await client();
    const body = messagesBody(provider, options, request);
    // What `messages.create` sends, without the warnings about models that it prints to the console, and without writing the history as JSON again.
    if (options.stream !== false) return eventBatches(await sdk.post('/v1/messages', { body, headers: jsonHeaders, signal, stream: true }).asResponse());
    return [[await sdk.post<MessagesEvent>('/v1/messages', { body, headers: jsonHeaders, signal })]];
  }
}

type Credential = { apiKey: string } | { authToken: string };

function credentialOf({ apiKey, authToken }: AnthropicOptions): Credential | undefined {
  if (apiKey !== undefined) return { apiKey: apiKey.trim() };
  if (authToken !== undefined) return { authToken: authToken.trim() };
  const { ANTHROPIC_API_KEY: key, ANTHROPIC_AUTH_TOKEN: token } = process.env;
  if (key) return { apiKey: key.trim() };
  return token ? { authToken: token.trim() } : undefined;
}

async function makeClient(options: AnthropicOptions, provider: string, credential: Credential | undefined): Promise<Anthropic> {
  checkAccess({ provider, key: Object.values(credential ?? {})[0], keyNames: ['ANTHROPIC_API_KEY'], baseURL: options.baseURL });
  const { default: Client } = await import('@anthropic-ai/sdk');
  const streamed = options.stream !== false;
  // Without a stream the headers come when all is written.
  const limits = { ...transportLimits, ...(streamed ? {} : { headersMs: 290_000 }), ...options.limits };
  return new Client({
    ...credential,
    ...(options.baseURL === undefined ? {} : { baseURL: options.baseURL }),
    maxRetries: 0,
    logLevel: 'off',
    // The guard under it is the one that counts; the SDK's own clock must only be longer.
    timeout: limits.headersMs + 10_000,
    fetch: guardedFetch(provider, limits),
    ...(options.headers === undefined ? {} : { defaultHeaders: options.headers }),
  });
}
