/** When a failed model request is made again, and after how long. The only retry owner: adapters and SDKs never retry. */
import type { ModelError } from '../model-adapter.js';

export interface RetryPolicy {
  /** Requests in all, the first included. */
  attempts: number;
  /** First backoff in milliseconds; doubles. */
  baseMs: number;
  /** Longest single wait in milliseconds; a provider that asks for more makes the run fail at once. */
  maxWaitMs: number;
  /** Longest waiting of one turn in milliseconds, all attempts together. */
  budgetMs: number;
}

export const defaultRetryPolicy: RetryPolicy = { attempts: 4, baseMs: 500, maxWaitMs: 60_000, budgetMs: 180_000 };

/** A broken answer (as opposed to a lost one) is asked for once more only: a server that cannot write its format will not learn it. */
const PROTOCOL_ATTEMPTS = 2;

/**
 * Milliseconds to wait before the next attempt, or undefined when the failure is final.
 * `attempt` is the number of the attempt that failed (from 1), `waited` what was waited before, `random` in [0, 1).
 */
export function nextDelay(error: ModelError, attempt: number, waited: number, policy: RetryPolicy, random: number): number | undefined {
  if (!error.retryable) return undefined;
  const attempts = error.code === 'protocol' ? Math.min(PROTOCOL_ATTEMPTS, policy.attempts) : policy.attempts;
  if (attempt >= attempts) return undefined;
  const delay = delayOf(error, attempt, policy, random);
  if (delay === undefined || waited + delay > policy.budgetMs) return undefined;
  return delay;
}

function delayOf(error: ModelError, attempt: number, policy: RetryPolicy, random: number): number | undefined {
  if (error.retryAfterMs !== undefined) {
    if (error.retryAfterMs > policy.maxWaitMs) return undefined;
    // Never earlier than asked; a little later, so that many clients do not come back in the same moment.
    return Math.ceil(error.retryAfterMs * (1 + random * 0.1));
  }
  const ceiling = Math.min(policy.maxWaitMs, policy.baseMs * 2 ** (attempt - 1));
  return Math.round(ceiling * (0.5 + random / 2));
}

/** The message of a final failure: says when to come back if the provider said so. `now` in milliseconds. */
export function finalMessage(error: ModelError, policy: RetryPolicy, now: number): string {
  if (error.retryAfterMs === undefined || error.retryAfterMs <= policy.maxWaitMs) return error.message;
  const seconds = Math.ceil(error.retryAfterMs / 1000);
  return `${error.message} (the provider asks to wait ${seconds} s, until ${new Date(now + error.retryAfterMs).toISOString()})`;
}
