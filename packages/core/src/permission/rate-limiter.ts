/** Token buckets per tool, scope, session and user; a call needs a token from each that applies, and takes from all or none. */
import { TokenBucket } from 'limiter';
import { SetupError } from '../errors.js';
import type { RateLimitOptions, Scope, ToolDefinition } from '../tool/tool.js';
import type { RateLimiter } from './ports.js';

/** `max` calls at once, refilled evenly over `perMs` milliseconds. */
export interface RateLimit {
  max: number;
  perMs: number;
}

export interface RateLimits {
  /** By tool name, each in every session. */
  tools?: Readonly<Record<string, RateLimit>>;
  /** Over all tools that declare the scope, each in every session. */
  scopes?: Partial<Readonly<Record<Scope, RateLimit>>>;
  /** Over all calls of one session. */
  session?: RateLimit;
  /** Over all calls of one user, in all sessions. */
  user?: RateLimit;
}

interface Applied {
  key: string;
  limit: RateLimit;
  name: string;
}

const firstSweep = 10_000;
/** A hair under one token, so that after exactly the wait that was named rounding does not refuse again. */
const oneCall = 1 - 1e-9;
/** Said where a tool's own limit lets nothing through: an hour. */
const neverMs = 3_600_000;

/**
 * A tool's own `rateLimit` applies too; by default per session. Waits are in milliseconds.
 * @throws SetupError for a limit that is not a positive number.
 */
export function createRateLimiter(limits: RateLimits = {}): RateLimiter {
  checkLimits(limits);
  const buckets = new Buckets();
  return {
    async take(tool, subject) {
      const applied = limitsOf(tool, subject, limits);
      if (applied.length === 0) return { allowed: true, retryAfterMs: 0 };
      const waits = applied.map((one) => ({ one, bucket: buckets.get(one), retryAfterMs: 0 }));
      for (const wait of waits) wait.retryAfterMs = wait.bucket ? Math.ceil(wait.bucket.getWaitTime(oneCall)) : neverMs;
      const longest = waits.toSorted((left, right) => right.retryAfterMs - left.retryAfterMs)[0];
      if (longest && longest.retryAfterMs > 0) return { allowed: false, retryAfterMs: longest.retryAfterMs, limit: describe(longest.one) };
      for (const { bucket } of waits) bucket?.tryRemoveTokens(oneCall);
      return { allowed: true, retryAfterMs: 0 };
    },
  };
}

function limitsOf(tool: ToolDefinition, subject: { sessionId: string; user?: string }, limits: RateLimits): Applied[] {
  const { sessionId } = subject;
  const user = subject.user ?? '';
  const applied: Applied[] = [];
  const add = (limit: RateLimit | undefined, name: string, ...key: string[]): void => {
    if (limit) applied.push({ limit, name, key: JSON.stringify([name, ...key]) });
  };
  if (tool.rateLimit) add(tool.rateLimit, `${tool.name} per ${tool.rateLimit.by ?? 'session'}`, ownKey(tool.rateLimit, sessionId, user));
  add(own(limits.tools, tool.name), tool.name, sessionId);
  for (const scope of tool.scopes) add(limits.scopes?.[scope], `scope ${scope}`, sessionId);
  add(limits.session, 'session', sessionId);
  add(limits.user, 'user', user);
  return applied;
}

function own(limits: RateLimits['tools'], name: string): RateLimit | undefined {
  return limits && Object.hasOwn(limits, name) ? limits[name] : undefined;
}

function ownKey({ by = 'session' }: RateLimitOptions, sessionId: string, user: string): string {
  return by === 'session' ? sessionId : by === 'user' ? user : '';
}

class Buckets {
  private readonly byKey = new Map<string, TokenBucket>();
  private sweepAt = firstSweep;

  /** Undefined for a limit under one call, which lets nothing through. New buckets are full. */
  get({ key, limit }: Applied): TokenBucket | undefined {
    if (!isLimit(limit)) return undefined;
    const known = this.byKey.get(key);
    if (known) return known;
    if (this.byKey.size >= this.sweepAt) this.sweep();
    const bucket = new TokenBucket({ bucketSize: limit.max, tokensPerInterval: limit.max, interval: limit.perMs });
    bucket.content = limit.max;
    this.byKey.set(key, bucket);
    return bucket;
  }

  /** A full bucket is the same as a new one. The next sweep waits until there are twice as many as are left. */
  private sweep(): void {
    for (const [key, bucket] of this.byKey) {
      bucket.drip();
      if (bucket.content >= bucket.bucketSize) this.byKey.delete(key);
    }
    this.sweepAt = Math.max(firstSweep, 2 * this.byKey.size);
  }
}

function isLimit({ max, perMs }: RateLimit): boolean {
  return Number.isFinite(max) && max >= 1 && Number.isFinite(perMs) && perMs > 0;
}

function describe({ name, limit }: Applied): string {
  return `${name}: ${limit.max} in ${limit.perMs} ms`;
}

function checkLimits({ tools = {}, scopes = {}, session, user }: RateLimits): void {
  const named: [string, RateLimit | undefined][] = [...Object.entries(tools), ...Object.entries(scopes), ['session', session], ['user', user]];
  for (const [name, limit] of named) {
    if (limit && !isLimit(limit)) {
      throw new SetupError(`The rate limit of ${name} is ${JSON.stringify(limit)}; max must be a number from 1, perMs milliseconds above 0.`);
    }
  }
}
