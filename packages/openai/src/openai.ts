/** The adapter for OpenAI and for servers that speak its formats. */
import { ModelError, type ModelAdapter, type ModelEvent, type ModelRequest } from '@haft/agent';
import { type TransportLimits, Vision, checkAccess, guardedFetch, transportLimits } from '@haft/agent/adapter';
import type OpenAI from 'openai';
import { streamChat } from './chat/stream-chat.js';
import { contextWindowOf, readsImages } from './known-models.js';
import type { ProfileName } from './profile-keys.js';
import { type Profile, profiles } from './profiles.js';
import { streamResponses } from './responses/stream-responses.js';

export interface OpenAIOptions {
  model: string;
  /** Default: the first of the profile's environment variables that is set. */
  apiKey?: string;
  /** Default: the profile's. */
  baseURL?: string;
  /** Default: the profile's (`chat`). */
  api?: 'chat' | 'responses';
  /** The server behind the base URL: a known name, or a profile of one's own. Default `openai`; with another base URL `compatible`. */
  profile?: ProfileName | Profile;
  /** Whether answers are streamed. Default true. */
  stream?: boolean;
  /** How hard a reasoning model thinks: `minimal`, `low`, `medium`, `high`, as the model allows. */
  reasoningEffort?: string;
  /** Whether summaries of the reasoning are asked for (Responses only; OpenAI gives them to verified organisations). Default: no. */
  reasoningSummary?: 'auto' | 'concise' | 'detailed';
  /** Whether every tool that can be is sent with `strict: true`; else only those that say so. Default false. */
  strictTools?: boolean;
  /** Whether the model reads images. Default: what is known of the model by its name, else yes, until the service says no. Where not, a text names each image. */
  images?: boolean;
  /** Tokens that the model can read, for compaction. Default: what is known of the model by its name. */
  contextWindow?: number;
  /** More headers for each request. */
  headers?: Record<string, string>;
  /** Further fields of the request body, for what a server alone understands. */
  extraBody?: Record<string, unknown>;
  limits?: Partial<TransportLimits>;
}

/** What the two APIs need of the adapter. */
export interface Endpoint {
  profile: Profile;
  options: OpenAIOptions;
  client(): Promise<OpenAI>;
}

/** A ModelAdapter on the official SDK, which is loaded at the first request. Retries are off: the loop owns them. */
export function openai(options: OpenAIOptions): ModelAdapter {
  const profile = profileOf(options);
  const provider = profile.name;
  const key = (options.apiKey ?? keyFrom(profile))?.trim();
  let client: Promise<OpenAI> | undefined;
  const endpoint: Endpoint = { profile, options, client: () => (client ??= makeClient(options, profile, key)) };
  const streamOf = (options.api ?? profile.api) === 'responses' ? streamResponses : streamChat;
  const contextWindow = options.contextWindow ?? contextWindowOf(options.model);
  const vision = new Vision(options.images ?? readsImages(options.model));
  const context = { provider, model: options.model, secrets: key === undefined ? [] : [key], knownModels: profile.models ?? [] };
  return {
    provider,
    model: options.model,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
      const messages = vision.readable(request.messages);
      return streamOf(endpoint, { ...request, messages }, { ...context, tools: request.tools, signal, learn: (failure) => vision.learn(failure, messages) });
    },
  };
}

function profileOf({ profile, baseURL }: OpenAIOptions): Profile {
  if (typeof profile === 'object') return profile;
  if (profile !== undefined) return profiles[profile];
  return baseURL === undefined || baseURL.startsWith(profiles.openai.baseURL) ? profiles.openai : profiles.compatible;
}

function keyFrom(profile: Profile): string | undefined {
  for (const name of profile.keys) if (process.env[name]) return process.env[name];
  return profile.keys.length === 0 ? 'no-key-needed' : undefined;
}

async function makeClient(options: OpenAIOptions, profile: Profile, apiKey: string | undefined): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  const streamed = options.stream !== false;
  // Without a stream the headers come when all is written.
  const limits = { ...transportLimits, ...(streamed ? {} : { headersMs: 290_000 }), ...options.limits };
  const ours = profile.name === 'openai';
  const baseURL = options.baseURL ?? profile.baseURL;
  if (baseURL === undefined) throw new ModelError('invalid_request', `${profile.name}: no base URL. Give baseURL.`, { provider: profile.name, retryable: false });
  checkAccess({ provider: profile.name, key: apiKey, keyNames: profile.keys, baseURL });
  return new Client({
    apiKey: apiKey ?? '',
    baseURL,
    maxRetries: 0,
    logLevel: 'off',
    // Account headers of OpenAI are not for other servers.
    ...(ours ? {} : { organization: null, project: null }),
    // The guard under it is the one that counts; the SDK's own clock must only be longer.
    timeout: limits.headersMs + 10_000,
    fetch: guardedFetch(profile.name, limits),
    ...(options.headers === undefined ? {} : { defaultHeaders: options.headers }),
  });
}
