/** Free JSON values, and JSON that came as text where an object or array is declared. */
import { FAILED, fail, under, type Check, type RawIssue } from './issue.js';

/** Deeper values are refused: no tool needs them, and every reader of them would overflow its stack. */
export const mostDepth = 64;

const dangerous: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export function isDangerousKey(key: string): boolean {
  return dangerous.has(key);
}

export function refuseDangerousKey(key: string, issues: RawIssue[]): typeof FAILED {
  issues.push({ keys: [key], rule: 'dangerous_key', text: 'is a key that is never accepted' });
  return FAILED;
}

/** The object itself, or the one that a JSON text holds; undefined for anything else. */
export function objectIn(value: unknown): Record<string, unknown> | undefined {
  const object = typeof value === 'string' ? parsed(value, '{') : value;
  return isPlainObject(object) ? object : undefined;
}

export function arrayIn(value: unknown): unknown[] | undefined {
  const array = typeof value === 'string' ? parsed(value, '[') : value;
  return Array.isArray(array) ? (array as unknown[]) : undefined;
}

/** Plain data of any realm: what `JSON.parse` makes, also with a null prototype. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

function parsed(text: string, opening: string): unknown {
  if (!text.trimStart().startsWith(opening)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: then it is a text, and the caller says what it wanted.
    return undefined;
  }
}

/** Copies a JSON value, refusing what JSON cannot say, dangerous keys and too great a depth. */
export const jsonCheck: Check = (value, issues, depth) => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value;
  if (typeof value !== 'object') return fail(issues, 'type', 'must be a JSON value', value);
  if (depth >= mostDepth) return fail(issues, 'depth', `must not be nested deeper than ${mostDepth}`, Array.isArray(value) ? [] : {});
  if (Array.isArray(value)) return copyArray(value, issues, depth);
  return isPlainObject(value) ? copyObject(value, issues, depth) : fail(issues, 'type', 'must be a JSON value', value);
};

export const freeObjectCheck: Check = (value, issues, depth) => {
  const object = objectIn(value);
  return object === undefined ? fail(issues, 'type', 'must be an object', value) : jsonCheck(object, issues, depth);
};

function copyArray(value: unknown[], issues: RawIssue[], depth: number): unknown {
  const before = issues.length;
  const copy = value.map((item, index) => at(index, item, issues, depth));
  return issues.length === before ? copy : FAILED;
}

function copyObject(value: Record<string, unknown>, issues: RawIssue[], depth: number): unknown {
  const before = issues.length;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (isDangerousKey(key)) refuseDangerousKey(key, issues);
    else if (value[key] !== undefined) copy[key] = at(key, value[key], issues, depth);
  }
  return issues.length === before ? copy : FAILED;
}

function at(key: string | number, value: unknown, issues: RawIssue[], depth: number): unknown {
  const before = issues.length;
  const copy = jsonCheck(value, issues, depth + 1);
  if (copy === FAILED) under(key, issues, before);
  return copy;
}
