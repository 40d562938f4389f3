/** What the dispatcher stands on, with its defaults filled in: the registry, the permission ports, and limits. */
import type { AccessResolver, AuditLog, GrantStore, PermissionPolicy, RateLimiter, Redactor } from '../permission/ports.js';
import type { ToolRegistry } from '../registry/tool-registry.js';
import type { Logger } from '../tool/tool.js';
import type { SpillStore } from './format-result.js';

export interface CallLimits {
  /** For tools that state none; milliseconds. Default 120,000. */
  timeoutMs?: number;
  /** What the model reads of one result, for tools that state none; UTF-16 code units. Default 30,000. */
  maxOutputChars?: number;
  /** Raw argument text of one call; UTF-16 code units. Default 4 Mi. */
  maxArgumentChars?: number;
}

export interface DispatcherOptions {
  registry: ToolRegistry;
  policy?: PermissionPolicy;
  resolver?: AccessResolver;
  audit?: AuditLog;
  rateLimiter?: RateLimiter;
  redactor?: Redactor;
  grants?: GrantStore;
  spill?: SpillStore;
  limits?: CallLimits;
  /** Where programming errors of tools are written. Default: nowhere. */
  log?: Logger;
}

export interface CallPorts extends DispatcherOptions {
  policy: PermissionPolicy;
  resolver: AccessResolver;
  limits: Required<CallLimits>;
  log: Logger;
}

export const silentLogger: Logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };

function quiet(): void {
  // No logger was given.
}
