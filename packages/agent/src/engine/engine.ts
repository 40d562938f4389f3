/** Where a run lives: in this process, on a journal, or on a durable engine. The loop sees only the SessionScope. */
import type { ApprovalAnswer, Json, PlannedCall, ToolResult } from '@haft/core';
import type { AgentEvent } from '../events.js';
import type { SessionScope } from '../session-scope.js';

/** What an engine is given to start a run, or to go on with one. */
export interface RunStart {
  runId: string;
  sessionId: string;
  signal: AbortSignal;
  /** Carries out a planned call; never rejects. */
  execute(planned: PlannedCall, answer: ApprovalAnswer | undefined): Promise<ToolResult>;
  emit(event: AgentEvent): void;
}

export interface AgentEngine {
  /** Runs `body` to its end. A run that an engine has records of goes on from the last finished step. */
  start<R>(run: RunStart, body: (scope: SessionScope) => Promise<R>): Promise<R>;
  /** Delivers a value to `waitFor(key)` of a run, which may begin to wait later. Resolves when it cannot get lost any more. */
  signal(runId: string, key: string, value: Json): Promise<void>;
  /** Records that a call of a run begins to change something, if that is not on record. For calls that look harmless and call others. */
  claim?(runId: string, callId: string): Promise<void>;
}
