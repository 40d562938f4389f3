/** What a run comes to: the object that `agent.run` returns and `callWithTools` resolves with. */
import type { ToolCall, ToolResult } from '@haft/core';
import type { RunStatus } from './events.js';
import type { Message, Usage } from './messages.js';

export interface RunError {
  /** A ModelErrorCode, or `empty_answer`, `refusal`, `output_limit`, `invalid_output`, `internal`, a budget's name. */
  code: string;
  message: string;
}

export interface RunResult<Output = unknown> {
  status: RunStatus;
  /** The final answer; after a failure or a limit, what the model had said last. */
  text: string;
  /** Model turns taken; a forced closing answer is not counted. */
  turns: number;
  usage: Usage;
  /** US dollars; absent when the model has no price. */
  cost?: number;
  /** Every call of the run with its result, in the model's order. */
  toolCalls: { call: ToolCall; result: ToolResult }[];
  runId: string;
  sessionId: string;
  /** The whole neutral history of the session, this run included. The session's own array: read it, do not change it. */
  messages: readonly Message[];
  error?: RunError;
  /** The checked final answer, when an output class was asked for. */
  output?: Output;
}
