/** Takes secrets out of everything that a result shows, by their values. */
import type { Redactor } from '../permission/ports.js';
import type { Issue } from '../tool/tool.js';
import type { ToolResult } from './tool-call.js';

/** Changes the result in place; its data is copied where something in it has to change. */
export function redactResult(result: ToolResult, redactor: Redactor): void {
  const clean = (text: string) => redactor.redact(text);
  result.content = typeof result.content === 'string' ? clean(result.content) : result.content.map((part) => (part.type === 'text' ? { ...part, text: clean(part.text) } : part));
  if (result.error !== undefined) result.error = clean(result.error);
  if (result.data !== undefined) result.data = redactData(result.data, clean);
  if (result.details) result.details = result.details.map((issue) => redactIssue(issue, clean));
}

function redactIssue(issue: Issue, clean: (text: string) => string): Issue {
  const copy = { ...issue, message: clean(issue.message) };
  if (issue.received !== undefined) copy.received = clean(issue.received);
  return copy;
}

/** The same value where it holds no secret; else a copy of the same shape, cycles included. Only lists and plain objects are entered. */
export function redactData(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null || !holdsSecret(value, clean, new Set())) return value;
  return copyClean(value, clean, new Map());
}

function copyClean(value: object, clean: (text: string) => string, seen: Map<object, unknown>): unknown {
  const enter = (member: unknown): unknown => {
    if (typeof member === 'string') return clean(member);
    if (typeof member !== 'object' || member === null || !isPlain(member)) return member;
    return seen.get(member) ?? copyClean(member, clean, seen);
  };
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    seen.set(value, list);
    for (const member of value) list.push(enter(member));
    return list;
  }
  const copy: Record<string, unknown> = {};
  seen.set(value, copy);
  for (const [key, member] of Object.entries(value)) Object.defineProperty(copy, clean(key), { value: enter(member), enumerable: true, writable: true, configurable: true });
  return copy;
}

function holdsSecret(value: unknown, clean: (text: string) => string, seen: Set<object>): boolean {
  if (typeof value === 'string') return clean(value) !== value;
  if (typeof value !== 'object' || value === null || !isPlain(value) || seen.has(value)) return false;
  seen.add(value);
  return Object.entries(value).some(([key, member]) => clean(key) !== key || holdsSecret(member, clean, seen));
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
