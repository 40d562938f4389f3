/** The finish stop: what a tool returned or threw becomes a ToolResult whose text fits the model's budget and holds no secret. */
import { ToolFailure } from '../errors.js';
import type { Redactor } from '../permission/ports.js';
import type { ContentPart, Logger, ToolHandler } from '../tool/tool.js';
import { cutText } from './cut-text.js';
import { formatValue, wellFormed } from './format-value.js';
import type { ToolResult, ToolStatus, Truncation } from './tool-call.js';

/** Keeps the whole of a text that was cut, where a tool can read it. */
export interface SpillStore {
  /** Resolves with a path that `read_file` accepts. */
  save(text: string, about: { sessionId: string; callId: string; tool: string }): Promise<string>;
}

export interface ResultFormat {
  maxChars: number;
  sessionId: string;
  log: Logger;
  /** The clock that `startedAt` was read from. */
  now: () => number;
  redactor?: Redactor | undefined;
  spill?: SpillStore | undefined;
}

export interface ResultHead {
  callId: string;
  tool: string;
  startedAt: number;
  queuedMs: number;
  retryCount: number;
}

/** The result of a tool that returned. Never rejects: a failing `toModel` falls back to the formatted value. */
export function successResult(head: ResultHead, returned: unknown, handler: ToolHandler, format: ResultFormat): ToolResult | Promise<ToolResult> {
  const content = modelView(returned, handler, format.log);
  const result: ToolResult = { ...times(head, format.now()), status: 'success', success: true, content };
  if (returned !== undefined) result.data = returned;
  return finish(result, format);
}

/** The result of a call that failed, was refused or was stopped. */
export function failureResult(head: ResultHead, failure: ToolFailure, format: ResultFormat): ToolResult | Promise<ToolResult> {
  const message = wellFormed(failure.message);
  const result: ToolResult = {
    ...times(head, format.now()),
    status: statusOf(failure.code),
    success: false,
    code: failure.code,
    error: message,
    content: `${failure.code}: ${message}`,
    retryable: failure.retryable,
  };
  if (failure.details) result.details = failure.details;
  if (failure.data !== undefined) result.data = failure.data;
  return finish(result, format);
}

/** Anything thrown, as a ToolFailure. What is not one is a programming error: logged with its stack, reported without it. */
export function toFailure(thrown: unknown, log: Logger, about: { tool: string; callId: string }): ToolFailure {
  if (isFailure(thrown)) return thrown;
  const error = thrown instanceof Error ? thrown : new Error(describe(thrown));
  log.error(`tool ${about.tool} failed unexpectedly: ${error.message}`, { ...about, stack: error.stack });
  const firstLine = (error.message.split('\n', 1)[0] ?? '').slice(0, 500);
  return new ToolFailure('execution_failed', `${error.name}: ${firstLine}`, { cause: thrown });
}

/** By name as well as by class: a plugin may carry its own copy of core. */
function isFailure(thrown: unknown): thrown is ToolFailure {
  if (thrown instanceof ToolFailure) return true;
  return thrown instanceof Error && thrown.name === 'ToolFailure' && typeof (thrown as { code?: unknown }).code === 'string';
}

function describe(thrown: unknown): string {
  const view = formatValue(thrown);
  return typeof view === 'string' ? view : 'a content part was thrown';
}

function times(head: ResultHead, now: number): Pick<ToolResult, 'callId' | 'tool' | 'durationMs' | 'queuedMs' | 'retryCount'> {
  const durationMs = Math.max(0, now - head.startedAt - head.queuedMs);
  return { callId: head.callId, tool: head.tool, durationMs: round(durationMs), queuedMs: round(head.queuedMs), retryCount: head.retryCount };
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
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

function modelView(returned: unknown, handler: ToolHandler, log: Logger): string | ContentPart[] {
  if (!handler.toModel) return formatValue(returned);
  try {
    return formatValue(handler.toModel(returned));
  } catch (error) {
    log.error('toModel() failed; the value is shown as it is', { error: error instanceof Error ? error.stack : String(error) });
    return formatValue(returned);
  }
}

/** Redacts the whole first, so that no secret hides across the cut; then cuts, and spills what was cut. */
function finish(result: ToolResult, format: ResultFormat): ToolResult | Promise<ToolResult> {
  if (format.redactor) redactResult(result, format.redactor);
  const { content } = result;
  if (typeof content === 'string' && content.length <= format.maxChars) return result;
  const whole = typeof content === 'string' ? content : textOfParts(content);
  if (whole.length <= format.maxChars) return result;
  return cutResult(result, whole, format);
}

async function cutResult(result: ToolResult, whole: string, format: ResultFormat): Promise<ToolResult> {
  const spilledTo = await spill(result, whole, format);
  const rest = spilledTo === undefined ? undefined : `The whole is in ${spilledTo}: read it in parts with read_file {"path": ${JSON.stringify(spilledTo)}, "offset", "limit"}`;
  const cut = cutText(whole, format.maxChars, rest);
  result.content = typeof result.content === 'string' ? cut.text : [{ type: 'text', text: cut.text }, ...result.content.filter((part) => part.type !== 'text')];
  const truncation: Truncation = { totalChars: cut.totalChars, shownChars: cut.shownChars };
  if (spilledTo !== undefined) truncation.spilledTo = spilledTo;
  if (cut.truncated) result.truncation = truncation;
  return result;
}

async function spill(result: ToolResult, whole: string, format: ResultFormat): Promise<string | undefined> {
  try {
    return await format.spill?.save(whole, { sessionId: format.sessionId, callId: result.callId, tool: result.tool });
  } catch (error) {
    format.log.warn('the whole output could not be kept', { error: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}

function textOfParts(parts: ContentPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function redactResult(result: ToolResult, redactor: Redactor): void {
  const clean = (text: string) => redactor.redact(text);
  result.content =
    typeof result.content === 'string' ? clean(result.content) : result.content.map((part) => (part.type === 'text' ? { ...part, text: clean(part.text) } : part));
  if (result.error !== undefined) result.error = clean(result.error);
  if (typeof result.data === 'string') result.data = clean(result.data);
  if (result.details) result.details = result.details.map((issue) => redactIssue(issue, clean));
}

function redactIssue<T extends { message: string; received?: string }>(issue: T, clean: (text: string) => string): T {
  const copy = { ...issue, message: clean(issue.message) };
  if (issue.received !== undefined) copy.received = clean(issue.received);
  return copy;
}
