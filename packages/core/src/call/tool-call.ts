/** A call from a model, its plan, and its result: the data that passes between loop, dispatcher and surfaces. All JSON. */
import type { ApprovalAnswer, Approver } from '../permission/approval.js';
import type { CanonicalAccess } from '../permission/access.js';
import type { Decision } from '../permission/decision.js';
import type { JsonObject } from '../schema/json.js';
import type { ContentPart, InjectedValues, Issue, Logger, Preview, Progress, Scope, ServiceProvider } from '../tool/tool.js';

export interface ToolCall {
  /** Ours, unique in the session (`run:tN.i` inside a run). */
  id: string;
  name: string;
  /** Raw JSON text as the model wrote it. */
  arguments: string;
}

export type ToolStatus =
  | 'success'
  | 'error'
  | 'timeout'
  | 'cancelled'
  /** Started, and nobody knows whether it finished (a crash). Never run again by itself. */
  | 'unknown'
  /** A step of an orchestration that was not reached. */
  | 'skipped';

export interface Truncation {
  /** Characters of the whole. */
  totalChars: number;
  shownChars: number;
  /** Workspace-readable file that holds the whole, when it was spilled. */
  spilledTo?: string;
}

export interface ToolResult {
  callId: string;
  tool: string;
  status: ToolStatus;
  success: boolean;
  /** A code of errors.ts or of the tool; on success only `result_too_large`, where `data` holds no more than a beginning. */
  code?: string;
  /** What the application reads: JSON, whatever the tool returned (a bigint or date as text, a map as an object, bytes as base64). */
  data?: unknown;
  /** What the model reads: never empty. */
  content: string | ContentPart[];
  /** The error's message, without stack. */
  error?: string;
  /** Whether trying again can help. */
  retryable?: boolean;
  /** For invalid arguments: each field, rule and received value. */
  details?: Issue[];
  durationMs: number;
  queuedMs: number;
  retryCount: number;
  truncation?: Truncation;
}

/** A call that passed find, parse, validate and decide. JSON, so that an approval can outlive the process. */
export interface PlannedCall {
  call: ToolCall;
  /** The registered name. */
  tool: string;
  plugin?: string;
  /** Validated and coerced, in JSON form. */
  arguments: JsonObject;
  scopes: Scope[];
  idempotent: boolean;
  accesses: CanonicalAccess[];
  decision: Decision;
  /** sha256 (hex) over tool, scopes, arguments and accesses in canonical form. */
  hash: string;
  preview?: Preview;
}

export type PlanOutcome =
  | { kind: 'planned'; planned: PlannedCall }
  /** Unknown tool, invalid arguments, a rule, a denial or a limit: the result to give the model. */
  | { kind: 'refused'; result: ToolResult };

export type CallEvent =
  | { type: 'progress'; callId: string; update: Progress }
  | { type: 'output'; callId: string; chunk: string }
  | { type: 'retrying'; callId: string; attempt: number; delayMs: number; reason: string };

/** What a host gives with each call. */
export interface CallContext {
  sessionId: string;
  signal: AbortSignal;
  /** The session's container view. */
  services: ServiceProvider;
  /** Who answers "ask" in `dispatch`; absent means nobody can be asked. */
  approver?: Approver;
  /** Who the session acts for: rate limits and `@FromContext`. */
  user?: string;
  /** Values for `@FromContext`. */
  injected?: InjectedValues;
  /** Events of a running call; must not throw. */
  onEvent?: (event: CallEvent) => void;
  /** Awaited before a write, network or dangerous call starts, calls of running tools included: where a durable engine records it. */
  beforeEffect?: (planned: PlannedCall) => Promise<void>;
  /** Default: derived from session and call id. */
  idempotencyKey?: string;
  log?: Logger;
  /** Names that may be called; absent means every registered tool. Re-checked at the call. */
  visibleTools?: ReadonlySet<string>;
}

/** The one door to a tool. Nothing here throws or rejects. */
export interface Dispatcher {
  plan(call: ToolCall, context: CallContext): Promise<PlanOutcome>;
  /** `answer` is needed where the decision is "ask"; a missing or non-approving one gives a refusal result. */
  execute(planned: PlannedCall, answer: ApprovalAnswer | undefined, context: CallContext): Promise<ToolResult>;
  /** plan → approve (through `context.approver`) → execute. */
  dispatch(call: ToolCall, context: CallContext): Promise<ToolResult>;
  /**
   * Calls the undo() of the tool that gave this very result object, once. Resolves with false where there is nothing to undo;
   * rejects with a ToolFailure where undo() fails.
   */
  undo?(result: ToolResult, context: CallContext): Promise<boolean>;
  /** Drops what is counted of a session that has ended. */
  forgetSession?(sessionId: string): void;
}
