/** Any value a tool may return, as text or content parts that a model can read. Never throws, never empty. */
import type { ContentPart } from '../tool/tool.js';

const maxInlineBytes = 1024;

/** Strings stay as they are; what JSON cannot say (bigint, bytes, cycles, errors, maps, functions) is written in words. */
export function formatValue(value: unknown): string | ContentPart[] {
  if (typeof value !== 'object' || value === null) return wellFormed(textOf(value));
  return contentParts(value) ?? plainJson(value) ?? wellFormed(objectText(value));
}

/** The JSON of a value that JSON can say as it is; undefined for any other, also for one that throws when it is looked at. */
function plainJson(value: object): string | undefined {
  try {
    return isPlainJson(value, { left: maxPlainNodes }) ? JSON.stringify(value) : undefined;
  } catch {
    return undefined;
  }
}

/** A content part, or a non-empty list of them, is passed through; `mimeType` is accepted for `mediaType`. */
function contentParts(value: object): ContentPart[] | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isPartLike(first)) return undefined;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const parts: ContentPart[] = [];
  for (const item of list) {
    const part = contentPart(item);
    if (!part) return undefined;
    parts.push(part);
  }
  return parts;
}

function isPartLike(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false;
  const { type } = item as { type?: unknown };
  return type === 'image' || type === 'text';
}

/** Objects and lists beyond this many are looked at the slow way, which finds cycles. */
const maxPlainNodes = 1000;

/** Whether JSON.stringify says all of it, as it is: only plain objects, lists, text, finite numbers, booleans and null. */
function isPlainJson(value: object, nodes: { left: number }): boolean {
  if (--nodes.left < 0) return false;
  if (Array.isArray(value)) return value.every((item) => isPlainMember(item, nodes));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key in value) if (!isPlainMember((value as Record<string, unknown>)[key], nodes)) return false;
  return true;
}

function isPlainMember(value: unknown, nodes: { left: number }): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || isPlainJson(value, nodes);
    default:
      return false;
  }
}

function contentPart(item: unknown): ContentPart | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { type, text, data, mediaType, mimeType } = item as Record<string, unknown>;
  if (type === 'text' && typeof text === 'string' && Object.keys(item).length === 2) return { type, text: wellFormed(text === '' ? '(empty)' : text) };
  const media = mediaType ?? mimeType;
  if (type !== 'image' || typeof media !== 'string') return undefined;
  if (typeof data === 'string' && data !== '') return { type, mediaType: media, data };
  return data instanceof Uint8Array && data.length > 0 ? { type, mediaType: media, data: Buffer.from(data).toString('base64') } : undefined;
}

function textOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value === '' ? '(empty text)' : value;
    case 'undefined':
      return '(no result)';
    case 'object':
      return value === null ? 'null' : objectText(value);
    case 'number':
    case 'boolean':
    case 'bigint':
    case 'symbol':
      return String(value);
    default:
      return '(a function)';
  }
}

function objectText(value: object): string {
  if (value instanceof Error) return errorText(value);
  if (value instanceof Uint8Array) return bytesText(value);
  try {
    return JSON.stringify(toJson(value, [])) ?? '(no result)';
  } catch (error) {
    return `(a result that cannot be shown: ${error instanceof Error ? error.message : 'unknown reason'})`;
  }
}

/** A copy that JSON can say, made only where needed; `path` holds the objects on the way, to find cycles. */
function toJson(value: unknown, path: object[]): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'symbol') return String(value);
  if (typeof value === 'function') return '(a function)';
  if (typeof value !== 'object' || value === null) return value;
  if (path.includes(value)) return '(circular)';
  if (path.length >= 100) return '(nested too deep)';
  return special(value) ?? copy(value, [...path, value]);
}

function special(value: object): unknown {
  if (value instanceof Error) return errorText(value);
  if (value instanceof Uint8Array) return bytesText(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof URL || value instanceof RegExp) return String(value);
  return undefined;
}

function copy(value: object, path: object[]): unknown {
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : toJson(item, path)));
  if (value instanceof Set) return [...value].map((item) => toJson(item, path));
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [String(key), toJson(item, path)]));
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return toJson(toJSON.call(value), path);
  const members: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(value)) members[key] = toJson((value as Record<string, unknown>)[key], path);
  return members;
}

function errorText(error: Error): string {
  return `${error.name}: ${error.message}`;
}

function bytesText(bytes: Uint8Array): string {
  const size = `${bytes.length} bytes of binary data`;
  if (bytes.length === 0 || bytes.length > maxInlineBytes) return `(${size})`;
  return `(${size}, base64: ${Buffer.from(bytes).toString('base64')})`;
}

/** Replaces lone surrogates, which no provider accepts, by U+FFFD. */
export function wellFormed(text: string): string {
  const value = text as string & { isWellFormed(): boolean; toWellFormed(): string };
  return value.isWellFormed() ? text : value.toWellFormed();
}
