/** The durability port that the loop is written on. Embedded in process, or on a durable engine. */
import type { ApprovalAnswer, Json, PlannedCall, ToolResult } from '@haft/core';
import type { AgentEvent } from './events.js';

/** Values that survive a JSON round trip. Interfaces are accepted; the engine checks. */
export type StepValue = Json | object;

export interface SessionScope {
  readonly sessionId: string;
  readonly runId: string;
  /** Fresh for every attempt of a process, never journaled. */
  readonly attemptId: string;
  readonly signal: AbortSignal;
  /** Runs at least once, is recorded once. Steps start in a fixed order; keys are unique in the run. */
  step<T extends StepValue>(key: string, run: () => Promise<T>): Promise<T>;
  /** Claim, then execute: a call that may have started in a dead attempt gives an `unknown` result. Never rejects. */
  dispatch(planned: PlannedCall, answer: ApprovalAnswer | undefined): Promise<ToolResult>;
  /** Approvals, steering messages. Survives the process. */
  waitFor<T extends StepValue>(key: string, options?: { timeoutMs: number }): Promise<T>;
  /** A wait that goes on where it was after the death of its process. Rejects with the reason of an abort. */
  sleep(key: string, ms: number): Promise<void>;
  /** Never journaled; may be seen twice after a resume, with the same id. */
  emit(event: AgentEvent): void;
}

export interface RunHandle {
  readonly runId: string;
  readonly sessionId: string;
}
