/** The ports that the permission gate stands on, so that each can be replaced and tested alone. */
import type { PlannedCall, ToolResult } from '../call/tool-call.js';
import type { ToolDefinition } from '../tool/tool.js';
import type { Access, CanonicalAccess } from './access.js';
import type { Decision } from './decision.js';

/** Brings stated accesses into canonical form: real paths by the workspace, argv by the command recogniser, origins by URL. */
export interface AccessResolver {
  resolve(access: Access): Promise<CanonicalAccess[]>;
}

export interface PolicyQuery {
  tool: ToolDefinition;
  accesses: readonly CanonicalAccess[];
  sessionId: string;
}

export interface PermissionPolicy {
  /** Pure and order-free. Any error inside means deny. */
  decide(query: PolicyQuery): Decision;
}

export interface GrantStore {
  /** Stores rules for one session, or for good when `scope` is `always`; resolves with the grants' ids. */
  add(rules: readonly string[], scope: 'session' | 'always', sessionId: string): Promise<string[]>;
}

export interface AuditRecord {
  event: 'call_planned' | 'call_refused' | 'approval' | 'call_started' | 'call_finished' | 'grant_added' | 'grant_revoked';
  at: string;
  sessionId: string;
  callId?: string;
  tool?: string;
  [field: string]: unknown;
}

export interface AuditLog {
  /** Resolves when the record is on disk. A rejection refuses write, network and dangerous calls. */
  append(record: AuditRecord): Promise<void>;
}

export interface RateVerdict {
  allowed: boolean;
  /** Milliseconds until the next call may be made. */
  retryAfterMs: number;
  /** Which limit, for the message. */
  limit?: string;
}

export interface RateLimiter {
  take(tool: ToolDefinition, subject: { sessionId: string; user?: string }): Promise<RateVerdict>;
}

export interface Redactor {
  /** Replaces every known secret value, in any of its encodings, by a mark. */
  redact(text: string): string;
}

/** What run-time facts audit lines carry beside the plan. */
export type AuditedResult = Pick<ToolResult, 'status' | 'code' | 'durationMs' | 'retryCount'> & { planned: PlannedCall };
