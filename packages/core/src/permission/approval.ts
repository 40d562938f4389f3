/** The approval port: who answers when policy says "ask". */
import type { JsonObject } from '../schema/json.js';
import type { Scope, Preview } from '../tool/tool.js';
import type { CanonicalAccess } from './access.js';
import type { Decision } from './decision.js';

export interface ApprovalRequest {
  callId: string;
  sessionId: string;
  tool: string;
  plugin?: string;
  scopes: readonly Scope[];
  arguments: JsonObject;
  accesses: readonly CanonicalAccess[];
  decision: Decision;
  /** sha256 (hex) of the canonical call; an answer is good for this call only. */
  hash: string;
  preview?: Preview;
}

export type ApprovalAnswer =
  | { answer: 'once' }
  /** Stores the decision's `suggestion` for this session. */
  | { answer: 'session' }
  /** Stores the decision's `suggestion` as a persistent grant. */
  | { answer: 'always' }
  | { answer: 'deny'; reason?: string }
  /** Planned again from the start with these arguments. */
  | { answer: 'edit'; arguments: JsonObject };

export interface Approver {
  /** Resolves with the answer; a rejection or an abort counts as deny. */
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
}
