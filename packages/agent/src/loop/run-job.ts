/** What the loop is given: everything outside the run, as plain functions and data. No engine, no container, no files. */
import type { JsonObject, JsonSchema, PlanOutcome, PlannedCall, ToolCall, ToolDefinition, ToolResult } from '@haft/core';
import type { Message, Usage, UserMessage } from '../messages.js';
import type { ModelAdapter } from '../model-adapter.js';
import type { RetryPolicy } from './retry-policy.js';

export interface RunLimits {
  /** Model turns. Default 50. */
  maxTurns?: number;
  /** Calls that run at the same time. Default 8. */
  maxParallelCalls?: number;
  /** Tool calls in the whole run. Default: no limit. */
  maxCalls?: number;
  /** Input and output tokens of the whole run. */
  maxTokens?: number;
  /** US dollars of the whole run; needs a price for the model. */
  maxCost?: number;
  /** Milliseconds of the whole run, without the time that people take for their answers; at the end running calls are cancelled. */
  maxMs?: number;
  /** The same call with the same result this often in a row: the next one is refused. Default 3. */
  maxIdenticalCalls?: number;
  /** Tokens that the model can read; default: what the adapter knows. At 80 % older turns become notes. */
  contextTokens?: number;
  /** Characters of all results of one turn together; the largest are shortened. Default 200,000. */
  maxTurnOutputChars?: number;
  /** At the limit of turns or calls, ask the model once more, without tools, for an answer. Default true. */
  finalAnswer?: boolean;
}

/** Checks a final answer: the value, or what is wrong with it in words for the model. */
export interface OutputCheck {
  name: string;
  schema: JsonSchema;
  /** What the model is told, as a part of the system prompt. */
  instruction: string;
  check(text: string): { ok: true; value: unknown } | { ok: false; problem: string };
}

export interface RunJob {
  input: UserMessage;
  /** The session's messages before this run. The loop appends to this array. */
  history: Message[];
  model: ModelAdapter;
  system?: string;
  /** The tools the model is shown, read once per turn; the same array while nothing changed. */
  tools(): readonly ToolDefinition[];
  /** Told of every result: some change which tools are shown. */
  noteResult(result: ToolResult): void;
  plan(call: ToolCall): Promise<PlanOutcome>;
  /** The arguments as events may show them: sensitive values masked. */
  shown(planned: PlannedCall): JsonObject;
  /** Says that the user changed a call's arguments; its result is to tell the model. */
  edited(call: ToolCall): void;
  /** Whether somebody can answer a `tool_call_approval`. */
  canAsk: boolean;
  approvalTimeoutMs?: number;
  limits: RunLimits;
  /** The user wants older turns to become notes before the first request. */
  compactFirst?: boolean;
  retry: RetryPolicy;
  /** Messages that the user sent while the run goes on; empties the queue. */
  takeSteering(): UserMessage[];
  /** Puts messages back in front of the queue: the request that was to carry them failed. */
  returnSteering(messages: readonly UserMessage[]): void;
  /** Told of a programming error: of an adapter, or of ours. */
  failedUnexpectedly(error: unknown): void;
  /** US dollars of this much usage; undefined when the price is not known. */
  costOf(usage: Usage): number | undefined;
  output?: OutputCheck;
  maxOutputTokens?: number;
  temperature?: number;
}
