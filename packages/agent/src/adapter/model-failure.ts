/** From whatever an SDK threw to one coded ModelError: a plain sentence, no key, no HTML. */
import { nearName } from '@haft/core/near-name';
import { ModelError, type ModelErrorCode } from '../model-adapter.js';
import { isNetworkError, networkFailure } from './network-failure.js';
import { retryAfterMs, waitInMessage } from './retry-after.js';

export interface FailureContext {
  provider: string;
  model: string;
  /** Never to be seen in a message. */
  secrets: readonly string[];
  signal: AbortSignal;
  /** Names of which the nearest is suggested for a model that is not known. */
  knownModels?: readonly string[];
  /** Those of the request, in its order: a provider that blames `tools.3` is made to name the tool. */
  tools?: readonly { name: string }[];
  now?: () => number;
  /** Told of the failure of a request; may give another in its place. */
  learn?: (failure: ModelError) => ModelError;
}

/** The parts of an SDK's APIError that are read here; both vendors' have them. */
interface ApiErrorLike {
  status?: number | undefined;
  headers?: Headers | undefined;
  error?: unknown;
  message?: string;
  cause?: unknown;
}

interface Details {
  message: string;
  type: string;
  code: string;
}

/** An error that a provider reports inside an answer with status 200; thrown by accumulators, coded by `modelFailure`. */
export class AnsweredError extends Error {
  override readonly name = 'AnsweredError';

  /** `error`: the object in which the provider says it. */
  constructor(readonly error: unknown) {
    super('the provider reported an error inside its answer');
  }
}

/** Anything thrown while asking or reading becomes a ModelError; an abort of the caller is `cancelled`. */
export function modelFailure(error: unknown, context: FailureContext): ModelError {
  const { provider } = context;
  if (context.signal.aborted) return new ModelError('cancelled', `${provider}: cancelled.`, { provider, retryable: false });
  if (error instanceof ModelError) return error;
  const like = (typeof error === 'object' && error !== null ? error : {}) as ApiErrorLike;
  if (like.cause instanceof ModelError) return like.cause;
  if (like.status === undefined && like.error === undefined) return withoutStatus(error, context);
  return fromApi(like, context);
}

function withoutStatus(error: unknown, context: FailureContext): ModelError {
  const { provider } = context;
  const name = (error as { name?: string } | undefined)?.name ?? '';
  if (name === 'SyntaxError') {
    return new ModelError('protocol', `${provider}: the answer holds an event that is not JSON.`, { provider, retryable: true, cause: error });
  }
  if (error instanceof RangeError) {
    return new ModelError('protocol', `${provider}: the answer is nested too deep, or too long, to be read.`, { provider, retryable: true, cause: error });
  }
  if (isNetworkError(error) || isConnectionError(error)) return networkFailure(error, provider);
  if (error instanceof TypeError && /^Cannot (read|set|convert)|is not (a function|iterable)/.test(error.message)) {
    return new ModelError('protocol', `${provider}: the answer is not built as its format says.`, { provider, retryable: true, cause: error });
  }
  return new ModelError('protocol', clean(`${provider}: ${error instanceof Error ? error.message : 'the request failed'}`, context.secrets), { provider, retryable: false, cause: error });
}

/** Of either SDK; their classes are not imported here. */
function isConnectionError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && error.constructor.name.startsWith('APIConnection');
}

function fromApi(like: ApiErrorLike, context: FailureContext): ModelError {
  const details = detailsOf(like);
  const status = like.status ?? Number(details.code);
  const known = Number.isInteger(status) && status >= 400 ? status : undefined;
  const code = codeFor(known, details);
  const wait = retryAfterMs(like.headers, context.now?.() ?? Date.now()) ?? waitInMessage(details.message);
  const requestId = like.headers?.get('request-id') ?? like.headers?.get('x-request-id');
  return new ModelError(code, clean(sentence(code, known, details, context), context.secrets), {
    provider: context.provider,
    retryable: retryable(code, known, like.headers),
    ...(known === undefined ? {} : { status: known }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(requestId ? { requestId } : {}),
  });
}

/** Bodies come as `{error: {...}}`, `{type: 'error', error: {...}}`, a bare object, a string, or not as JSON at all. */
function detailsOf(like: ApiErrorLike): Details {
  const outer = like.error;
  const inner = typeof outer === 'object' && outer !== null && 'error' in outer ? outer.error : outer;
  if (typeof inner === 'string') return { message: inner, type: '', code: '' };
  const { message, type, code, detail } = (inner ?? {}) as Record<string, unknown>;
  const text = typeof message === 'string' ? message : typeof detail === 'string' ? detail : (like.message ?? '');
  return { message: text, type: typeof type === 'string' ? type : '', code: typeof code === 'string' || typeof code === 'number' ? String(code) : '' };
}

const CONTEXT = /context[ _](length|window)|maximum context|prompt is too long|too many (input )?tokens|input is too long|exceeds? the (available )?context|reduce the length of the (messages|prompt)/i;
const QUOTA = /insufficient_quota|quota|billing|credit balance|monthly (usage )?limit|spend(ing)? limit|payment required/i;
/** Words of a limit that passes by itself; services speak of "quota" and "billing" there too. */
const PASSES = /per minute|per second|\/ ?min\b|\b[rt]pm\b|(try again|retry) in \d/i;

function codeFor(status: number | undefined, { message, type, code }: Details): ModelErrorCode {
  const words = `${type} ${code}`;
  if (/context_length_exceeded/.test(words) || ((status === undefined || status === 400 || status === 413 || status === 422) && CONTEXT.test(message))) return 'context_too_long';
  if (status === 402 || ((status === 429 || status === 403 || status === 400 || status === undefined) && QUOTA.test(`${words} ${message}`) && !PASSES.test(message))) return 'quota_exceeded';
  if (status === 429 || /rate_limit/.test(words)) return 'rate_limited';
  if (status === 529 || status === 503 || /overloaded|server_is_overloaded|unavailable/.test(words)) return 'overloaded';
  if (status === 401 || status === 403 || /authentication_error|permission_error|invalid_api_key/.test(words)) return 'invalid_credentials';
  if (status === 404 || /model_not_found/.test(words)) return 'model_not_found';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 413) return 'too_large';
  if (status === undefined ? /api_error|server_error|internal/.test(words) : status >= 500 || status === 409) return 'server_error';
  return status === undefined && words.trim() === '' ? 'server_error' : 'invalid_request';
}

const passing: ReadonlySet<ModelErrorCode> = new Set(['rate_limited', 'overloaded', 'server_error', 'timeout']);

function retryable(code: ModelErrorCode, status: number | undefined, headers: Headers | undefined): boolean {
  if (headers?.get('x-should-retry') === 'false') return false;
  return passing.has(code) && status !== 501;
}

function sentence(code: ModelErrorCode, status: number | undefined, details: Details, context: FailureContext): string {
  const head = `${context.provider}${status === undefined ? '' : ` (HTTP ${status})`}`;
  const said = readable(namingTools(details.message, context.tools ?? []));
  switch (code) {
    case 'invalid_credentials':
      return `${head}: the key was not accepted. Check the provider's API key.${said === '' ? '' : ` The service says: ${said}`}`;
    case 'model_not_found':
      return `${head}: no model "${context.model}" here, or the base URL's path is wrong. ${suggestion(context)}${said === '' ? '' : ` The service says: ${said}`}`;
    case 'quota_exceeded':
      return `${head}: the account's quota is used up. ${said}`.trimEnd();
    default:
      return `${head}: ${said === '' ? 'the request failed without a message.' : said}`;
  }
}

function suggestion({ model, knownModels = [] }: FailureContext): string {
  const near = nearName(model, knownModels.filter((name) => name !== model));
  return near === undefined ? 'Check the name in the provider\'s list of models.' : `Did you mean "${near}"?`;
}

/** `tools.3.custom.input_schema`, `tools[3].function` and `tools[0].function_declarations[3]` say nothing to who knows the tools by name. */
function namingTools(message: string, tools: readonly { name: string }[]): string {
  return message.replaceAll(/\b(?:tools\[\d+\]\.function_?declarations|tools)[.[](\d{1,4})\b\]?/gi, (place, index: string) => {
    const tool = tools[Number(index)];
    return tool === undefined ? place : `${place} (${tool.name})`;
  });
}

/** One line of at most 500 characters; a page of HTML says nothing to the reader. */
function readable(message: string): string {
  const text = message.replace(/^\d{3} /, '').trim();
  if (/^\s*<|<html|<!doctype/i.test(text)) return 'the answer was an HTML page (of a proxy?), not shown.';
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 500 ? `${line.slice(0, 500)} …` : line;
}

/** Takes out the key itself and what looks like one. */
function clean(text: string, secrets: readonly string[]): string {
  let out = text;
  for (const secret of secrets) if (secret.length >= 4) out = out.replaceAll(secret, '[key]');
  return out.replaceAll(/\b(sk|pk|rk|gsk|xai|key)-[\w*.-]{8,}/g, '[key]').replaceAll(/\bBearer\s+[\w.~+/=-]{8,}/gi, 'Bearer [key]');
}
