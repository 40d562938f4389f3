/** The finish stop: what a tool returned or threw becomes a ToolResult whose text fits the model's budget and holds no secret. */
import { ToolFailure, isToolFailure } from '../errors.js';
import type { ContentPart, Logger, ToolDefinition, ToolHandler } from '../tool/tool.js';
import type { CallPorts } from './call-ports.js';
import { cutText } from './cut-text.js';
import { type ResultViews, formatValue, viewsOf, wellFormed } from './format-value.js';
import { isTooLarge, jsonData, shortened } from './json-data.js';
import { redactResult } from './redact-result.js';
import type { CallContext, ToolResult, ToolStatus, Truncation } from './tool-call.js';

/** Keeps the whole of a text that was cut, where a tool can read it. */
export interface SpillStore {
  /** Resolves with a path that `read_file` accepts. */
  save(text: string, about: { sessionId: string; callId: string; tool: string }): Promise<string>;
}

export interface ResultHead {
  callId: string;
  tool: string;
  startedAt: number;
  queuedMs: number;
  retryCount: number;
}

/** What a result tells of a failure. */
type FailureFacts = Pick<ToolFailure, 'code' | 'message' | 'retryable' | 'details' | 'data'>;

/** The result of a tool that returned, not yet cut. Never throws: a failing `toModel` falls back to the formatted value. */
export function successResult(head: ResultHead, returned: unknown, handler: ToolHandler, context: CallContext, ports: CallPorts): ToolResult {
  const { content, data } = handler.toModel ? ownViews(returned, handler, context.log ?? ports.log) : viewsOf(returned);
  const durationMs = runningMs(head, ports.clock.now());
  const { callId, tool, queuedMs, retryCount } = head;
  const result: ToolResult =
    data === undefined
      ? { callId, tool, status: 'success', success: true, content, durationMs, queuedMs, retryCount }
      : { callId, tool, status: 'success', success: true, data, content, durationMs, queuedMs, retryCount };
  if (isTooLarge(returned, data) || (typeof returned === 'string' && returned !== data)) result.code = 'result_too_large';
  if (ports.redactor) redactResult(result, ports.redactor);
  return result;
}

/** The result of a call that failed, was refused or was stopped, not yet cut. */
export function failureResult(head: ResultHead, failure: FailureFacts, ports: CallPorts): ToolResult {
  const message = wellFormed(shortened(failure.message));
  const { code, retryable, details, data } = failure;
  const { callId, tool, queuedMs, retryCount } = head;
  const content = `${code}: ${message}`;
  const durationMs = runningMs(head, ports.clock.now());
  const result: ToolResult = { callId, tool, status: statusOf(code), success: false, code, error: message, content, retryable, durationMs, queuedMs, retryCount };
  if (details) result.details = details;
  if (data !== undefined) result.data = jsonData(data);
  if (ports.redactor) redactResult(result, ports.redactor);
  return result;
}

/** Anything thrown, as a ToolFailure. What is not one is a programming error: logged with its stack, reported without it. */
export function toFailure(thrown: unknown, log: Logger, tool: string, callId: string): ToolFailure {
  if (isToolFailure(thrown)) return thrown;
  const error = thrown instanceof Error ? thrown : new Error(describe(thrown));
  log.error(`tool ${tool} failed unexpectedly: ${error.message}`, { tool, callId, stack: error.stack });
  const firstLine = (error.message.split('\n', 1)[0] ?? '').slice(0, 500);
  return new ToolFailure('execution_failed', `${error.name}: ${firstLine}`, { cause: thrown });
}

function describe(thrown: unknown): string {
  const view = formatValue(thrown);
  return typeof view === 'string' ? view : 'a content part was thrown';
}

/** Milliseconds with microseconds. */
function runningMs(head: ResultHead, now: number): number {
  return Math.round(Math.max(0, now - head.startedAt - head.queuedMs) * 1000) / 1000;
}

function statusOf(code: string): ToolStatus {
  switch (code) {
    case 'timeout':
    case 'cancelled':
      return code;
    case 'interrupted':
      return 'unknown';
    case 'step_skipped':
      return 'skipped';
    default:
      return 'error';
  }
}

/** The model reads what toModel() makes of the value itself; applications read the value. */
function ownViews(returned: unknown, handler: ToolHandler, log: Logger): ResultViews {
  const data = jsonData(returned);
  try {
    return { content: formatValue(handler.toModel?.(returned)), data };
  } catch (error) {
    log.error('toModel() failed; the value is shown as it is', { error: error instanceof Error ? error.stack : String(error) });
    return { content: formatValue(returned), data };
  }
}

/** The budget of a tool's results; UTF-16 code units. */
function budgetOf(tool: ToolDefinition | undefined, ports: CallPorts): number {
  return tool?.maxOutputChars ?? ports.limits.maxOutputChars;
}

/** Whether the model's view is over its budget. */
export function needsCut({ content }: ToolResult, tool: ToolDefinition | undefined, ports: CallPorts): boolean {
  return (typeof content === 'string' ? content.length : charsOfParts(content)) > budgetOf(tool, ports);
}

/** Cuts a view that is over its budget and keeps the whole where a tool can read it. Secrets are gone by then, so none hides across the cut. */
export async function cutResult(result: ToolResult, tool: ToolDefinition | undefined, context: CallContext, ports: CallPorts): Promise<ToolResult> {
  const whole = typeof result.content === 'string' ? result.content : textOfParts(result.content);
  const spilledTo = await spill(result, whole, context, ports);
  const rest = spilledTo === undefined ? undefined : `The whole is in ${spilledTo}: read it in parts with read_file {"path": ${JSON.stringify(spilledTo)}, "offset", "limit"}`;
  const cut = cutText(whole, budgetOf(tool, ports), rest);
  result.content = typeof result.content === 'string' ? cut.text : [{ type: 'text', text: cut.text }, ...result.content.filter((part) => part.type !== 'text')];
  const truncation: Truncation = { totalChars: cut.totalChars, shownChars: cut.shownChars };
  if (spilledTo !== undefined) truncation.spilledTo = spilledTo;
  if (cut.truncated) result.truncation = truncation;
  return result;
}

async function spill(result: ToolResult, whole: string, context: CallContext, ports: CallPorts): Promise<string | undefined> {
  try {
    return await ports.spill?.save(whole, { sessionId: context.sessionId, callId: result.callId, tool: result.tool });
  } catch (error) {
    (context.log ?? ports.log).warn('the whole output could not be kept', { error: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}

function charsOfParts(parts: ContentPart[]): number {
  return parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length + 1 : 0), 0);
}

function textOfParts(parts: ContentPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
