/** The results that the loop itself gives to calls, and the message a result becomes. */
import type { ContentPart, ToolCall, ToolResult } from '@haft/core';
import type { ToolMessage } from '../messages.js';

function failure(call: ToolCall, status: ToolResult['status'], code: string, error: string): ToolResult {
  return { callId: call.id, tool: call.name, status, success: false, code, content: error, error, durationMs: 0, queuedMs: 0, retryCount: 0 };
}

export function cancelledResult(call: ToolCall): ToolResult {
  return failure(call, 'cancelled', 'cancelled', 'The run was stopped before this call was started; it did not run.');
}

export function budgetResult(call: ToolCall, limit: string): ToolResult {
  return failure(call, 'error', 'budget_exceeded', `Not run: ${limit}. Answer with what is known.`);
}

export function truncatedCallResult(call: ToolCall): ToolResult {
  const error = 'Not run: the answer was cut off before it was complete, so this call may be cut too. Send it again, whole and shorter.';
  return failure(call, 'error', 'invalid_arguments', error);
}

export function repeatedResult(call: ToolCall, times: number): ToolResult {
  const error = `Not run: the same call gave the same result ${times} times in a row. Use that result, or change the arguments.`;
  return failure(call, 'error', 'repeated_call', error);
}

/** For a call whose start is on record and whose end is not. */
export function unknownResult(call: ToolCall): ToolResult {
  const error = 'The process was interrupted while this call ran; whether it took effect is unknown. Look at the state before you repeat it.';
  return failure(call, 'unknown', 'interrupted', error);
}

/** The message that the model reads; its text is never empty. */
export function toolMessage(call: ToolCall, result: ToolResult): ToolMessage {
  const message: ToolMessage = { role: 'tool', callId: call.id, tool: result.tool || call.name, status: result.status, content: partsOf(result) };
  if (result.code !== undefined) message.code = result.code;
  return message;
}

function partsOf(result: ToolResult): ContentPart[] {
  if (typeof result.content !== 'string') return result.content.length > 0 ? result.content : [{ type: 'text', text: '(no output)' }];
  return [{ type: 'text', text: result.content === '' ? '(no output)' : result.content }];
}

/** The model must know that what ran is not what it asked for. */
export function withEditNote(result: ToolResult, values: string): ToolResult {
  const note = `(The user changed the arguments, to: ${values})`;
  const content = typeof result.content === 'string' ? `${note}\n${result.content}` : [{ type: 'text' as const, text: note }, ...result.content];
  return { ...result, content };
}
