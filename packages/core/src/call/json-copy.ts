/** Looks through a value that a tool gave and copies it into what JSON can say, within the limits of what is carried: work that ends, whatever the value is. */
import { types } from 'node:util';

/** Objects and lists beyond this many are looked at the slow way, which finds cycles. */
const maxPlainNodes = 1000;
/** Values in one piece of data, each counted wherever it stands. */
const maxValues = 250_000;
/** Characters in one piece of data, keys included; UTF-16 code units. */
export const maxDataChars = 16 * 1024 * 1024;
const maxDepth = 100;
/** A bigint of more bits takes long to write. */
const maxBigintBits = 1_000_000;
const maxInlineBytes = 1024;

/** Bytes in words, as a model may read them. */
type BytesForm = (bytes: Uint8Array) => string;

/** The value goes over a limit; the message names it: `more than 250000 values`. */
export class LimitReached extends Error {}

/** How much of a value may still come. */
interface Room {
  nodes: number;
  values: number;
  chars: number;
}

/** Whether JSON.stringify says all of it, as it is: only plain objects, lists, text, finite numbers, booleans and null, and not too much of them. */
export function isPlainJson(value: unknown): boolean {
  return isPlainMember(value, { nodes: maxPlainNodes, values: maxValues, chars: maxDataChars });
}

function isPlainNode(value: object, room: Room): boolean {
  if (--room.nodes < 0) return false;
  if (Array.isArray(value)) return isPlainList(value, room);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key in value) {
    if ((room.chars -= key.length) < 0 || !isPlainMember((value as Record<string, unknown>)[key], room)) return false;
  }
  return true;
}

/** By its length first: the holes of a sparse list cost nothing to make, and time to walk over. */
function isPlainList(value: readonly unknown[] & { toJSON?: unknown }, room: Room): boolean {
  if (value.length > room.values || value.toJSON !== undefined) return false;
  for (let index = 0; index < value.length; index += 1) if (!isPlainMember(value[index], room)) return false;
  return true;
}

function isPlainMember(value: unknown, room: Room): boolean {
  if (--room.values < 0) return false;
  switch (typeof value) {
    case 'string':
      return (room.chars -= value.length) >= 0;
    case 'boolean':
    case 'undefined':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || isPlainNode(value, room);
    default:
      return false;
  }
}

/** A copy that JSON can say; `bytes` gives the form of binary data. @throws LimitReached, and what a getter or toJSON() throws. */
export function jsonCopy(value: unknown, bytes: BytesForm): unknown {
  return new Copier(bytes).copy(value, []);
}

class Copier {
  #values = maxValues;
  #chars = maxDataChars;

  constructor(private readonly bytes: BytesForm) {}

  /** `path` holds the objects on the way, to find cycles. */
  copy(value: unknown, path: readonly object[]): unknown {
    if (--this.#values < 0) throw new LimitReached(`more than ${maxValues} values`);
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'bigint') return this.#bigint(value);
    if (typeof value === 'symbol') return this.#text(String(value));
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value === 'function') return '(a function)';
    if (typeof value !== 'object' || value === null) return value;
    if (path.includes(value)) return '(circular)';
    if (path.length >= maxDepth) return '(nested too deep)';
    return this.#special(value) ?? this.#members(value, [...path, value]);
  }

  #text(text: string): string {
    this.#chars -= text.length;
    if (this.#chars < 0) throw new LimitReached(`more than ${maxDataChars} characters`);
    return text;
  }

  #bigint(value: bigint): string {
    if (BigInt.asIntN(maxBigintBits, value) !== value) throw new LimitReached(`a number of more than ${maxBigintBits} bits`);
    return this.#text(String(value));
  }

  #special(value: object): string | undefined {
    if (value instanceof Error) return this.#text(errorText(value));
    if (value instanceof Uint8Array) return this.#text(this.bytes(value));
    if (value instanceof DataView) return this.#text(this.bytes(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)));
    if (types.isAnyArrayBuffer(value)) return this.#text(this.bytes(new Uint8Array(value)));
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (value instanceof URL || value instanceof RegExp || value instanceof String) return this.#text(String(value));
    return undefined;
  }

  #members(value: object, path: readonly object[]): unknown {
    if (Array.isArray(value) || ArrayBuffer.isView(value)) return this.#list(value as ArrayLike<unknown>, path);
    if (value instanceof Set) return this.#items(value, path);
    if (value instanceof Map) return this.#entries(value as Map<unknown, unknown>, path);
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') return this.copy(toJSON.call(value), path);
    const keys = Object.keys(value);
    this.#roomFor(keys.length);
    return Object.fromEntries(keys.map((key) => [this.#text(key), this.copy((value as Record<string, unknown>)[key], path)]));
  }

  #list(value: ArrayLike<unknown>, path: readonly object[]): unknown[] {
    const { length } = value;
    this.#roomFor(length);
    const items: unknown[] = [];
    for (let index = 0; index < length; index += 1) items.push(value[index] === undefined ? null : this.copy(value[index], path));
    return items;
  }

  #items(value: Iterable<unknown>, path: readonly object[]): unknown[] {
    const items: unknown[] = [];
    for (const item of value) items.push(this.copy(item, path));
    return items;
  }

  #entries(value: Iterable<[unknown, unknown]>, path: readonly object[]): unknown {
    const entries: [string, unknown][] = [];
    for (const [key, item] of value) entries.push([this.#text(String(key)), this.copy(item, path)]);
    return Object.fromEntries(entries);
  }

  /** Before so many members are looked at, holes included. */
  #roomFor(count: number): void {
    if (count > this.#values) throw new LimitReached(`more than ${maxValues} values`);
  }
}

export function errorText(error: Error): string {
  return `${error.name}: ${error.message}`;
}

export function bytesText(bytes: Uint8Array): string {
  const size = `${bytes.length} bytes of binary data`;
  if (bytes.length === 0 || bytes.length > maxInlineBytes) return `(${size})`;
  return `(${size}, base64: ${Buffer.from(bytes).toString('base64')})`;
}
