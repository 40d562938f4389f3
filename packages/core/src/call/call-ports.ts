/** What the dispatcher stands on, with its defaults filled in: the registry, the permission ports, and limits. */
import type { AccessResolver, AuditLog, GrantStore, PermissionPolicy, RateLimiter, Redactor } from '../permission/ports.js';
import type { ToolRegistry } from '../registry/tool-registry.js';
import type { Logger } from '../tool/tool.js';
import type { PathSource } from '../permission/access-resolver.js';
import type { CircuitOptions } from './circuit-breaker.js';
import type { SpillStore } from './format-result.js';
import type { SessionBudget } from './session-ledger.js';

export interface CallLimits {
  /** For tools that state none; milliseconds. Default 120,000. */
  timeoutMs?: number;
  /** What the model reads of one result, for tools that state none; UTF-16 code units. Default 30,000. */
  maxOutputChars?: number;
  /** Raw argument text of one call; UTF-16 code units. Default 4 Mi. */
  maxArgumentChars?: number;
  /** Calls that run at once in this dispatcher; the rest wait, first come, first served. Default 64. */
  maxConcurrency?: number;
  /** How long a stopped tool may take to end by itself before its result is given without it; milliseconds. Default 500. */
  graceMs?: number;
  /** What one session may use. Default: no limit. */
  budget?: SessionBudget;
  /** The same call with the same outcome, this often in a row, is refused. Default: never. */
  maxRepeats?: number;
  /** When a tool is paused. Default: never, except five failures and 30 s for a tool that names what to degrade to. */
  circuit?: CircuitOptions;
}

/** Waiting and chance, so that tests need not wait. */
export interface CallClock {
  /** Resolves after `ms` milliseconds, or at once when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** In [0, 1). */
  random(): number;
  /** Milliseconds, for durations. */
  now(): number;
}

export interface DispatcherOptions {
  registry: ToolRegistry;
  policy?: PermissionPolicy;
  /** Default: made from `workspace`; without either, every path is outside. */
  resolver?: AccessResolver;
  workspace?: PathSource;
  audit?: AuditLog;
  rateLimiter?: RateLimiter;
  redactor?: Redactor;
  grants?: GrantStore;
  spill?: SpillStore;
  limits?: CallLimits;
  /** Where programming errors of tools are written. Default: nowhere. */
  log?: Logger;
  clock?: CallClock;
}

/** The limits with their defaults. */
export type FullLimits = Required<Omit<CallLimits, 'budget' | 'circuit'>> & Pick<CallLimits, 'budget' | 'circuit'>;

export interface CallPorts extends DispatcherOptions {
  policy: PermissionPolicy;
  resolver: AccessResolver;
  /** Neither a workspace nor a resolver was given, so every path counts as outside. */
  withoutWorkspace: boolean;
  limits: FullLimits;
  log: Logger;
  clock: CallClock;
}

export const silentLogger: Logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };

function quiet(): void {
  // No logger was given.
}
