/** Any value a tool may return, as text or content parts that a model can read. Never throws, never empty. */
import type { ContentPart } from '../tool/tool.js';
import { bytesText, errorText, isPlainJson, maxDataChars } from './json-copy.js';
import { bigintText, isTooLarge, jsonData, jsonText, shortened, textOfTooLarge } from './json-data.js';

/** The two sides of what a tool returned. */
export interface ResultViews {
  /** For the model. */
  content: string | ContentPart[];
  /** For applications, JSON. */
  data: unknown;
}

/** Both views of a value, in one look where it is plain JSON. Never throws. */
export function viewsOf(value: unknown): ResultViews {
  if (typeof value !== 'object' || value === null) return { content: formatValue(value), data: jsonData(value) };
  const parts = contentParts(value);
  const text = parts ? undefined : plainJson(value);
  if (text !== undefined) return { content: text, data: value };
  const data = jsonData(value);
  return { content: parts ?? (isTooLarge(value, data) ? textOfTooLarge(data) : looseText(value)), data };
}

/** Strings stay as they are; what JSON cannot say (bigint, bytes, cycles, errors, maps, functions) is written in words. */
export function formatValue(value: unknown): string | ContentPart[] {
  if (typeof value !== 'object' || value === null) return wellFormed(shortened(textOf(value)));
  return contentParts(value) ?? plainJson(value) ?? looseText(value);
}

function looseText(value: object): string {
  return wellFormed(shortened(objectText(value)));
}

/** The JSON of a value that JSON can say as it is; undefined for any other, also for one that throws when it is looked at. */
function plainJson(value: object): string | undefined {
  try {
    return isPlainJson(value) ? JSON.stringify(value) : undefined;
  } catch {
    return undefined;
  }
}

/** A content part, or a non-empty list of them, is passed through as far as it can be carried; `mimeType` is accepted for `mediaType`. */
function contentParts(value: object): ContentPart[] | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isPartLike(first)) return undefined;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const parts: ContentPart[] = [];
  let room = maxDataChars;
  for (const item of list) {
    const part = contentPart(item, room);
    if (!part) return undefined;
    room -= part.type === 'text' ? part.text.length : part.data.length;
    parts.push(part);
  }
  return parts;
}

function isPartLike(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false;
  const { type } = item as { type?: unknown };
  return type === 'image' || type === 'text';
}

/** Undefined for what is no part, or one that takes more than `room` characters. */
function contentPart(item: unknown, room: number): ContentPart | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { type, text, data, mediaType, mimeType } = item as Record<string, unknown>;
  if (type === 'text' && typeof text === 'string' && text.length <= room && Object.keys(item).length === 2) return { type, text: wellFormed(text === '' ? '(empty)' : text) };
  const media = mediaType ?? mimeType;
  if (type !== 'image' || typeof media !== 'string') return undefined;
  if (typeof data === 'string' && data !== '' && data.length <= room) return { type, mediaType: media, data };
  return data instanceof Uint8Array && data.length > 0 && data.length <= (room / 4) * 3 ? { type, mediaType: media, data: Buffer.from(data).toString('base64') } : undefined;
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
    case 'symbol':
      return String(value);
    case 'bigint':
      return bigintText(value);
    default:
      return '(a function)';
  }
}

function objectText(value: object): string {
  if (value instanceof Error) return errorText(value);
  if (value instanceof Uint8Array) return bytesText(value);
  return jsonText(value);
}

/** Replaces lone surrogates, which no provider accepts, by U+FFFD. */
export function wellFormed(text: string): string {
  const value = text as string & { isWellFormed(): boolean; toWellFormed(): string };
  return value.isWellFormed() ? text : value.toWellFormed();
}
