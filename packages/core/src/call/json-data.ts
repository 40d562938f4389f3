/** What a tool returned, as every surface can carry it: `data` that JSON says as it is, the same live and after a resume. */

/** Objects and lists beyond this many are looked at the slow way, which finds cycles. */
const maxPlainNodes = 1000;
const maxInlineBytes = 1024;

/** Bytes in words, as a model may read them. */
type BytesForm = (bytes: Uint8Array) => string;

/**
 * The same value where JSON can say it; else a copy: bigints, dates and unusual numbers as text, maps and sets as objects and lists,
 * bytes as base64, what has no form in words. Never throws.
 */
export function jsonData(value: unknown): unknown {
  if (typeof value === 'string' || value === undefined) return value;
  try {
    return isPlainMember(value, { left: maxPlainNodes }) ? value : toJson(value, [], base64);
  } catch (error) {
    return cannotShow(error);
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

export function cannotShow(error: unknown): string {
  return `(a result that cannot be shown: ${error instanceof Error ? error.message : 'unknown reason'})`;
}

/** Whether JSON.stringify says all of it, as it is: only plain objects, lists, text, finite numbers, booleans and null. */
export function isPlainJson(value: object): boolean {
  return isPlainNode(value, { left: maxPlainNodes });
}

function isPlainNode(value: object, nodes: { left: number }): boolean {
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
    case 'undefined':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || isPlainNode(value, nodes);
    default:
      return false;
  }
}

/** A copy that JSON can say; `path` holds the objects on the way, to find cycles. */
export function toJson(value: unknown, path: object[] = [], bytes: BytesForm = bytesText): unknown {
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'function') return '(a function)';
  if (typeof value !== 'object' || value === null) return value;
  if (path.includes(value)) return '(circular)';
  if (path.length >= 100) return '(nested too deep)';
  return special(value, bytes) ?? copy(value, [...path, value], bytes);
}

function special(value: object, bytes: BytesForm): unknown {
  if (value instanceof Error) return errorText(value);
  if (value instanceof Uint8Array) return bytes(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof URL || value instanceof RegExp) return String(value);
  return undefined;
}

function copy(value: object, path: object[], bytes: BytesForm): unknown {
  const inner = (item: unknown) => toJson(item, path, bytes);
  if (Array.isArray(value)) return Array.from(value, (item) => (item === undefined ? null : inner(item)));
  if (value instanceof Set) return Array.from(value, inner);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [String(key), inner(item)]));
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return inner(toJSON.call(value));
  return Object.fromEntries(Object.keys(value).map((key) => [key, inner((value as Record<string, unknown>)[key])]));
}

export function errorText(error: Error): string {
  return `${error.name}: ${error.message}`;
}

export function bytesText(bytes: Uint8Array): string {
  const size = `${bytes.length} bytes of binary data`;
  if (bytes.length === 0 || bytes.length > maxInlineBytes) return `(${size})`;
  return `(${size}, base64: ${Buffer.from(bytes).toString('base64')})`;
}
