/** The events of a run. The CLI, the web page and every protocol adapter are readers of these and nothing else. All JSON. */
import type { ApprovalAnswer, ApprovalRequest, JsonObject, Progress, ToolResult } from '@haft/core';
import type { Usage } from './messages.js';
import type { ModelErrorCode } from './model-adapter.js';

export type RunStatus =
  | 'completed'
  /** The model or a step failed for good. */
  | 'failed'
  | 'cancelled'
  | 'max_turns'
  | 'budget_exceeded';

interface EventBase {
  /** Unique in the run; the same when seen twice after a resume. */
  id: string;
  runId: string;
  sessionId: string;
  /** ISO 8601. */
  at: string;
}

export type AgentEventBody =
  | { type: 'run_started'; model: string; prompt: string }
  | { type: 'turn_started'; turn: number }
  | { type: 'text_delta'; turn: number; text: string }
  | { type: 'reasoning_delta'; turn: number; text: string }
  /** `arguments`: the checked object; the text that the model wrote where the call got no further (no JSON, wrong arguments, unknown tool). */
  | { type: 'tool_call_started'; callId: string; tool: string; arguments: JsonObject | string; plugin?: string }
  /** Without `answer`: the question. With it: how it was answered. */
  | { type: 'tool_call_approval'; callId: string; request: ApprovalRequest; answer?: ApprovalAnswer }
  | { type: 'tool_call_progress'; callId: string; update: Progress }
  | { type: 'tool_call_output'; callId: string; chunk: string }
  | { type: 'tool_call_finished'; callId: string; tool: string; result: ToolResult }
  | { type: 'turn_finished'; turn: number; usage: Usage }
  | { type: 'retrying'; turn: number; attempt: number; delayMs: number; code: ModelErrorCode; message: string }
  | { type: 'history_repaired'; repairs: string[] }
  | { type: 'context_compacted'; before: number; after: number }
  | { type: 'run_finished'; status: RunStatus; text: string; usage: Usage; turns: number; error?: { code: string; message: string }; cost?: number };

export type AgentEvent = EventBase & AgentEventBody;
export type AgentEventType = AgentEventBody['type'];
