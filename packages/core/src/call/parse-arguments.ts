/**
 * From the model's raw argument text to one plain object. The rule: the text is exactly one JSON object, or that object inside one
 * Markdown code fence, or blank (no arguments). Anything else, and anything two readers could understand differently, is refused.
 */
import type { ToolFailure } from '../errors.js';
import { refusal } from './refusal.js';

/** Levels of nesting, the outer object included. */
const maxDepth = 64;
const defaultMaxChars = 4 * 1024 * 1024;
const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;

/** `maxChars` counts UTF-16 code units. @throws ToolFailure `invalid_arguments`, saying what is wrong and where. */
export function parseArguments(text: string, maxChars: number = defaultMaxChars): Record<string, unknown> {
  if (typeof text !== 'string') throw refuse(`The arguments must be JSON text, not ${kindOf(text)}.`);
  if (text.length > maxChars) throw refuse(`The arguments are ${text.length} characters long; at most ${maxChars} are read.`);
  const source = unwrap(text);
  const value = source === '' ? {} : parse(source);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse(`The arguments must be one JSON object, not ${kindOf(value)}.`);
  const keys = inspect(value, 1);
  // Every key has a colon, so as many colons as keys leave no room for a key that was given twice; else the text is read with care.
  if (keys !== countColons(source) && keys !== countKeys(source)) throw refuse(`The key ${JSON.stringify(duplicateKey(source))} is given more than once in one object.`);
  return value as Record<string, unknown>;
}

function unwrap(text: string): string {
  if (text.charCodeAt(0) === 0x7b) return text;
  const trimmed = text.trim();
  if (!trimmed.startsWith('```') || !trimmed.endsWith('```')) return trimmed;
  const firstLine = trimmed.indexOf('\n');
  const opening = trimmed.slice(3, Math.max(firstLine, 3)).trim().toLowerCase();
  return opening === '' || opening === 'json' ? trimmed.slice(firstLine + 1, -3).trim() : trimmed;
}

function parse(source: string): unknown {
  try {
    return JSON.parse(source) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = /after JSON/.test(reason) ? ' Send exactly one object, with nothing after it; a second call is a call of its own.' : '';
    throw refuse(`The arguments are not valid JSON: ${reason.replace(/\s+/g, ' ').slice(0, 160)}.${hint}`);
  }
}

/** Refuses what is nested too deep and keys that reach prototypes; returns the number of keys at all levels. */
function inspect(value: object, depth: number): number {
  if (depth > maxDepth) throw refuse(`The arguments are nested deeper than ${maxDepth} levels.`);
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && item !== null) keys += inspect(item as object, depth + 1);
    return keys;
  }
  for (const key in value) {
    if (isDangerous(key)) throw refuse(`The key ${JSON.stringify(key)} is not allowed.`);
    const member = (value as Record<string, unknown>)[key];
    keys += 1;
    if (typeof member === 'object' && member !== null) keys += inspect(member, depth + 1);
  }
  return keys;
}

/** Lengths first: this is asked of every key of every call. */
function isDangerous(key: string): boolean {
  return (key.length === 9 && (key === '__proto__' || key === 'prototype')) || (key.length === 11 && key === 'constructor');
}

function countColons(source: string): number {
  let colons = 0;
  for (let at = source.indexOf(':'); at !== -1; at = source.indexOf(':', at + 1)) colons += 1;
  return colons;
}

/** How many keys the text writes down; more than the value has means that some were given twice. `source` is valid JSON. */
function countKeys(source: string): number {
  const { length } = source;
  let keys = 0;
  for (let at = 0; at < length; at++) {
    const code = source.charCodeAt(at);
    if (code === colon) keys += 1;
    else if (code === quote) at = endOfString(source, at + 1);
  }
  return keys;
}

/** Where the string that is open at `from` is closed. */
function endOfString(source: string, from: number): number {
  let at = from;
  for (let code = source.charCodeAt(at); code !== quote; code = source.charCodeAt(at)) at += code === backslash ? 2 : 1;
  return at;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The first key that one object has twice; only called when there is one. */
function duplicateKey(source: string): string {
  const open: Set<string>[] = [];
  for (let i = 0; i < source.length; i++) {
    const char = source[i];
    if (char === '{') open.push(new Set());
    else if (char === '}') open.pop();
    else if (char === '"') {
      const end = endOfString(source, i + 1);
      const key = keyAt(source, i, end);
      if (key !== undefined && open.at(-1)?.has(key)) return key;
      if (key !== undefined) open.at(-1)?.add(key);
      i = end;
    }
  }
  return '';
}

/** The string from `start` to `end` if a colon follows it. */
function keyAt(source: string, start: number, end: number): string | undefined {
  let next = end + 1;
  while (isBlank(source.charCodeAt(next))) next += 1;
  return source.charCodeAt(next) === colon ? (JSON.parse(source.slice(start, end + 1)) as string) : undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function refuse(message: string): ToolFailure {
  return refusal('invalid_arguments', message);
}
