/** The lines of a session file: what each kind of record holds, and the check of a line that is read back. */
import type { ContentPart, Json, ToolResult } from '@haft/core';
import type { RunEnd } from './agent-session.js';
import type { Message, Usage, UserMessage } from '../messages.js';

export const formatVersion = 1;

export interface SessionHeader {
  t: 'session';
  v: number;
  id: string;
  /** ISO 8601. */
  at: string;
  cwd?: string;
  title?: string;
  /** The session that this one was forked from. */
  from?: string;
}

export type SessionRecord =
  | SessionHeader
  /** A message that no run of this file made: copied by a fork, or imported. */
  | { t: 'message'; message: Message }
  | { t: 'title'; title: string }
  | { t: 'run'; run: string; at: string; input: UserMessage; model: string }
  /** The value of a finished step; `ref` names the blob of a large one. */
  | { t: 'step'; run: string; key: string; value: Json }
  | { t: 'step'; run: string; key: string; ref: string }
  /** Written before a call that changes something is started. */
  | { t: 'claim'; run: string; key: string; attempt: string }
  /** A value for `waitFor`: an approval's answer. */
  | { t: 'signal'; run: string; key: string; value: Json }
  | RunEndRecord
  /** An unfinished run that was given up for a new prompt. */
  | { t: 'closed'; run: string; at: string };

export interface RunEndRecord extends Omit<RunEnd, 'runId'> {
  t: 'end';
  run: string;
  at: string;
}

const fields: Record<string, readonly string[]> = {
  session: ['id', 'at'],
  message: [],
  title: ['title'],
  run: ['run', 'at', 'model'],
  step: ['run', 'key'],
  claim: ['run', 'key', 'attempt'],
  signal: ['run', 'key'],
  end: ['run', 'at', 'status'],
  closed: ['run', 'at'],
};

/** The record of a line, or why it is none. Unknown kinds are no error: a newer version may write them. */
export function parseRecord(text: string): { record: SessionRecord } | { problem: string } | { unknown: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'not JSON' };
  }
  if (!isObject(value) || typeof value.t !== 'string') return { problem: 'not a record' };
  const required = Object.hasOwn(fields, value.t) ? fields[value.t] : undefined;
  if (required === undefined) return { unknown: value.t };
  const missing = required.find((name) => typeof value[name] !== 'string');
  if (missing !== undefined) return { problem: `a ${value.t} record without ${missing}` };
  if (value.t === 'message' && !isMessage(value.message)) return { problem: 'a message record without a message' };
  if (value.t === 'run' && !isMessage(value.input)) return { problem: 'a run record without its input' };
  if (value.t === 'session' && !Number.isInteger(value.v)) return { problem: 'a session record without its version' };
  if (value.t === 'step' && !('value' in value) && typeof value.ref !== 'string') return { problem: 'a step record without a value' };
  return { record: value as unknown as SessionRecord };
}

export function isMessage(value: unknown): value is Message {
  if (!isObject(value)) return false;
  if (value.role === 'assistant') return Array.isArray(value.parts) && value.parts.every(isAssistantPart);
  if (!isContent(value.content)) return false;
  if (value.role === 'tool') return typeof value.callId === 'string' && typeof value.tool === 'string' && typeof value.status === 'string';
  return value.role === 'user';
}

export function isUsage(value: unknown): value is Usage {
  return isObject(value) && typeof value.input === 'number' && typeof value.output === 'number';
}

function isAssistantPart(part: unknown): boolean {
  if (!isObject(part)) return false;
  if (part.type === 'tool_call') return typeof part.id === 'string' && typeof part.name === 'string' && typeof part.arguments === 'string';
  return (part.type === 'text' || part.type === 'reasoning') && typeof part.text === 'string';
}

function isContent(value: unknown): value is ContentPart[] {
  return Array.isArray(value) && value.every((part) => isObject(part) && (part.type === 'text' ? typeof part.text === 'string' : part.type === 'image' && typeof part.data === 'string' && typeof part.mediaType === 'string'));
}

export function isToolResult(value: unknown): value is ToolResult {
  return isObject(value) && typeof value.callId === 'string' && typeof value.tool === 'string' && typeof value.status === 'string' && (typeof value.content === 'string' || isContent(value.content));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
