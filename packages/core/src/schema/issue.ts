/** What is wrong with one value, collected on the way down and worded at the end. */
import { nearName } from '../tool/near-name.js';
import type { Issue } from '../tool/tool.js';

/** What a check returns instead of a value. */
export const FAILED: unique symbol = Symbol('failed');

/** A check returns the built value, or FAILED after it added to `issues`. `depth` counts nested objects and arrays. */
export type Check = (value: unknown, issues: RawIssue[], depth: number) => unknown;

export interface RawIssue {
  /** From the inside out: each parent adds its key at the end. */
  keys: (string | number)[];
  rule: string;
  /** What follows the field's name: `must be at most 500`. */
  text: string;
  received?: { value: unknown };
  /** The value is secret and must not be repeated. */
  hidden?: boolean;
}

export function fail(issues: RawIssue[], rule: string, text: string, value: unknown): typeof FAILED {
  issues.push({ keys: [], rule, text, received: { value } });
  return FAILED;
}

/** ` (did you mean "high"?)` for a text that is near one of the values; one or two letters are near anything, so there only the case may differ. */
export function didYouMean(value: unknown, values: readonly unknown[]): string {
  if (typeof value !== 'string') return '';
  const texts = values.filter((one) => typeof one === 'string');
  const near = nearName(value, texts);
  if (near === undefined || (Math.min(value.length, near.length) < 3 && value.toLowerCase() !== near.toLowerCase())) return '';
  return ` (did you mean ${JSON.stringify(near)}?)`;
}

/** Says under which key the issues from `from` on were found. */
export function under(key: string | number, issues: RawIssue[], from: number): void {
  for (let index = from; index < issues.length; index += 1) issues[index]?.keys.push(key);
}

/** A call with more faults than anybody reads is told of the first ones, and how many there are. */
const mostIssues = 50;

export function finishIssues(issues: readonly RawIssue[]): Issue[] {
  if (issues.length <= mostIssues) return issues.map(finishIssue);
  return [...issues.slice(0, mostIssues).map(finishIssue), { path: '', rule: 'more', message: `and ${issues.length - mostIssues} more like these` }];
}

export function finishIssue({ keys, rule, text, received, hidden }: RawIssue): Issue {
  const path = pathOf(keys);
  const subject = path === '' ? 'the arguments' : path;
  if (received === undefined) return { path, rule, message: `${subject} ${text}` };
  const shown = hidden === true ? '[hidden]' : showValue(received.value);
  return { path, rule, message: `${subject} ${text}, received ${shown}`, received: shown };
}

function pathOf(keys: RawIssue['keys']): string {
  let path = '';
  for (let index = keys.length - 1; index >= 0; index -= 1) path += `${shownKey(keys[index] as string | number)}${index === 0 ? '' : '.'}`;
  return path;
}

/** Keys of records are the model's text, of any length. */
function shownKey(key: string | number): string | number {
  return typeof key === 'number' || key.length <= shownChars ? key : `${key.slice(0, shownChars - 1)}…`;
}

const shownChars = 60;

/** A value as short JSON text. Bounded work, whatever the value is. `maxChars` counts UTF-16 code units. */
export function showValue(value: unknown, maxChars: number = shownChars): string {
  const text = write(value, maxChars, 0);
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function write(value: unknown, budget: number, depth: number): string {
  if (typeof value === 'string') return value.length <= budget ? JSON.stringify(value) : JSON.stringify(value.slice(0, budget));
  if (typeof value === 'bigint') return BigInt.asIntN(1024, value) === value ? `${value}n` : '(a long number)';
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth >= 3) return Array.isArray(value) ? '[…]' : '{…}';
  if (Array.isArray(value)) return `[${writeAll(value.length, (index) => write(value[index], budget, depth + 1), budget)}]`;
  if (value instanceof String) return write(String(value), budget, depth);
  if (value instanceof Set || value instanceof Map) return write(firstOf(value, budget), budget, depth);
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`;
  const keys = Object.keys(value);
  const entry = (index: number): string => `${JSON.stringify((keys[index] ?? '').slice(0, budget))}:${write((value as Record<string, unknown>)[keys[index] ?? ''], budget, depth + 1)}`;
  return `{${writeAll(keys.length, entry, budget)}}`;
}

function firstOf(values: Iterable<unknown>, count: number): unknown[] {
  const first: unknown[] = [];
  for (const value of values) if (first.push(value) >= count) break;
  return first;
}

function writeAll(count: number, part: (index: number) => string, budget: number): string {
  let text = '';
  for (let index = 0; index < count && text.length <= budget; index += 1) text += `${index === 0 ? '' : ','}${part(index)}`;
  return text;
}
