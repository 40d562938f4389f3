/** Whether and when a failed attempt is tried again. Off unless the tool asks for it, or only reads and may be repeated. */
import type { RetryOptions, ToolDefinition } from '../tool/tool.js';
import type { ToolFailure } from '../errors.js';

export type FailureKind = 'timeout' | 'network' | 'error';

/** A remote side that asks for a longer wait than this is not waited for. */
const longestRetryAfterMs = 60_000;
const defaults = { baseMs: 200, maxMs: 5_000 };
const forReaders: RetryOptions = { attempts: 3, on: ['network'] };
const once: RetryOptions = { attempts: 1 };
const networkErrors = new Set(['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT']);

/** What the tool asks for; else three attempts on network errors for a tool that may be repeated and only reads; else one. */
export function retryOptionsOf(tool: ToolDefinition): RetryOptions {
  if (tool.retry) return tool.retry;
  return tool.idempotent && tool.scopes.every((scope) => scope === 'read') ? forReaders : once;
}

/**
 * Milliseconds to wait before attempt `attempt + 1`, or undefined to give up. `attempt` counts from 1; `random` is in [0, 1).
 * Doubling backoff with half of it at random; a longer `Retry-After` is kept.
 */
export function retryDelay(tool: ToolDefinition, failure: ToolFailure, attempt: number, random: () => number): number | undefined {
  const options = retryOptionsOf(tool);
  if (attempt >= options.attempts || failure.code === 'cancelled' || failure.code === 'interrupted') return undefined;
  if (!(options.on ?? ['timeout', 'network']).includes(kindOf(failure))) return undefined;
  const asked = failure.retryAfterMs ?? 0;
  if (asked > longestRetryAfterMs) return undefined;
  const ceiling = Math.min(options.maxMs ?? defaults.maxMs, (options.baseMs ?? defaults.baseMs) * 2 ** (attempt - 1));
  return Math.max(asked, ceiling / 2 + (random() * ceiling) / 2);
}

function kindOf(failure: ToolFailure): FailureKind {
  if (failure.kind) return failure.kind;
  if (failure.code === 'timeout') return 'timeout';
  const code = errorCodeOf(failure.cause);
  return code !== undefined && networkErrors.has(code) ? 'network' : 'error';
}

/** Node's code of the error, or of what it wraps (`fetch failed` hides the socket's). */
function errorCodeOf(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 4) return undefined;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return typeof code === 'string' ? code : errorCodeOf(cause, depth + 1);
}
