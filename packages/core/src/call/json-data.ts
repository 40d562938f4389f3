/** What a tool returned, as every surface can carry it: `data` that JSON says as it is, the same live and after a resume; and no more of it than can be carried. */
import { errorCodes } from '../errors.js';
import { showValue } from '../schema/issue.js';
import { cutText } from './cut-text.js';
import { LimitReached, bytesText, isPlainJson, jsonCopy, maxDataChars } from './json-copy.js';

/** Of data that is too large, so much is shown; UTF-16 code units. */
const beginningChars = 2000;

/** Stands for data that is too large to be carried. */
export interface TooLarge {
  code: 'result_too_large';
  message: string;
  /** The value's beginning as text, whatever it was. */
  beginning: string;
}

const notices = new WeakSet<object>();

/**
 * The same value where JSON can say it; else a copy: bigints, dates and unusual numbers as text, maps and sets as objects and lists,
 * bytes as base64, what has no form in words. A text that is too long loses its middle, anything else too large is replaced by
 * `TooLarge`. Never throws.
 */
export function jsonData(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value);
  if (value === undefined) return value;
  try {
    return isPlainJson(value) ? value : jsonCopy(value, base64);
  } catch (error) {
    return error instanceof LimitReached ? tooLarge(value, error) : cannotShow(error);
  }
}

/** The JSON text of an object, bytes in words. Never throws. */
export function jsonText(value: object): string {
  try {
    return JSON.stringify(jsonCopy(value, bytesText)) ?? '(no result)';
  } catch (error) {
    return error instanceof LimitReached ? textOfTooLarge(tooLarge(value, error)) : cannotShow(error);
  }
}

/** Its digits, or that it has too many. */
export function bigintText(value: bigint): string {
  const data = jsonData(value);
  return typeof data === 'string' ? data : textOfTooLarge(data as TooLarge);
}

/** The text itself, or its head and tail where it is too long to be carried. */
export function shortened(text: string): string {
  return text.length <= maxDataChars ? text : cutText(text, maxDataChars).text;
}

/** Whether `data` is what `jsonData` gave in place of something too large. */
export function isTooLarge(value: unknown, data: unknown): data is TooLarge {
  return typeof data === 'object' && data !== null && data !== value && notices.has(data);
}

function tooLarge(value: unknown, limit: LimitReached): TooLarge {
  const message = `The tool returned ${limit.message}, which is more than is carried; only the beginning is kept. ${errorCodes.result_too_large.remedy}`;
  const notice: TooLarge = { code: 'result_too_large', message, beginning: beginningOf(value) };
  notices.add(notice);
  return notice;
}

export function textOfTooLarge({ code, message, beginning }: TooLarge): string {
  return `${code}: ${message}\n${beginning}`;
}

function beginningOf(value: unknown): string {
  try {
    return showValue(value, beginningChars);
  } catch (error) {
    return cannotShow(error);
  }
}

/** Four characters for three bytes: looked at before they are made. */
function base64(bytes: Uint8Array): string {
  if (bytes.length > (maxDataChars / 4) * 3) throw new LimitReached(`${bytes.length} bytes`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function cannotShow(error: unknown): string {
  return `(a result that cannot be shown: ${error instanceof Error ? error.message : 'unknown reason'})`;
}
