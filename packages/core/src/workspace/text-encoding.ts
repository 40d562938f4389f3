/**
 * Which encoding a text is in, judged from its bytes, and the way there and back. What cannot be told with fair certainty is not guessed:
 * the caller must name it. iconv-lite is loaded when a text is not UTF-8.
 */
import { isUtf8 } from 'node:buffer';
import { ToolFailure } from '../errors.js';
import { describeBinary } from './binary-kinds.js';

export interface TextFormat {
  /** `utf-8`, `utf-16le`, `utf-16be`, `gb18030`, `windows-1252`, or what the caller named. */
  encoding: string;
  /** Length of the byte order mark in bytes; 0 without one. */
  bom: number;
  /** How sure: by mark or validity, by likelihood, or because the caller said so. */
  basis: 'certain' | 'likely' | 'given';
}

export type TextVerdict = { kind: 'text'; format: TextFormat } | { kind: 'binary'; description: string } | { kind: 'unknown' };

const utf8 = (bom: number): TextVerdict => ({ kind: 'text', format: { encoding: 'utf-8', bom, basis: 'certain' } });

/** Judges the first bytes of a file (some 64 KiB are enough), or all of it: `complete` says which. */
export function detectText(bytes: Uint8Array, complete: boolean): TextVerdict {
  const [first, second, third, fourth] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return isUtf8(trimmed(bytes, complete)) ? utf8(3) : { kind: 'unknown' };
  if (first === 0xff && second === 0xfe && !(third === 0 && fourth === 0)) return marked('utf-16le');
  if (first === 0xfe && second === 0xff) return marked('utf-16be');
  const description = describeBinary(bytes);
  if (description !== undefined) return { kind: 'binary', description };
  if (bytes.includes(0)) return utf16WithoutMark(bytes) ?? { kind: 'binary', description: 'binary data' };
  if (isUtf8(trimmed(bytes, complete))) return controlShare(bytes.subarray(0, 4_096)) > 0.1 ? { kind: 'binary', description: 'binary data' } : utf8(0);
  const guess = looksLikeGb18030(bytes) ? 'gb18030' : looksLikeWestern(bytes) ? 'windows-1252' : undefined;
  return guess === undefined ? { kind: 'unknown' } : { kind: 'text', format: { encoding: guess, bom: 0, basis: 'likely' } };
}

function marked(encoding: string): TextVerdict {
  return { kind: 'text', format: { encoding, bom: 2, basis: 'certain' } };
}

/** Without the incomplete sequence that a cut may have left at the end. */
function trimmed(bytes: Uint8Array, complete: boolean): Uint8Array {
  if (complete) return bytes;
  for (let back = 1; back <= 4 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
  }
  return bytes;
}

function utf16WithoutMark(bytes: Uint8Array): TextVerdict | undefined {
  if (bytes.length < 8 || bytes.length % 2 !== 0) return undefined;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < bytes.length; at += 2) {
    if (bytes[at] === 0) even++;
    if (bytes[at + 1] === 0) odd++;
  }
  const units = bytes.length / 2;
  const encoding = odd > units * 0.7 && even === 0 ? 'utf-16le' : even > units * 0.7 && odd === 0 ? 'utf-16be' : undefined;
  return encoding && { kind: 'text', format: { encoding, bom: 0, basis: 'likely' } };
}

/** All but BEL, BS, the white space and ESC. */
const controls = /[\0-\x06\x0e-\x1a\x1c-\x1f]/g;

function controlShare(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return (text.match(controls)?.length ?? 0) / Math.max(bytes.length, 1);
}

/** Well-formed GB18030 whose characters nearly all lie where common Chinese text has them. */
function looksLikeGb18030(bytes: Uint8Array): boolean {
  let pairs = 0;
  let common = 0;
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    const trail = bytes[++at];
    if (trail === undefined) break;
    if (lead === 0x80 || lead === 0xff || trail === 0x7f || trail < 0x40 || trail === 0xff) return false;
    pairs++;
    if (lead >= 0xa1 && lead <= 0xf7 && trail >= 0xa1) common++;
  }
  return pairs > 0 && common >= pairs * 0.9;
}

/** Single letters beyond ASCII among ASCII text, and none of the codes that Western text does not use. */
function looksLikeWestern(bytes: Uint8Array): boolean {
  let high = 0;
  let neighbours = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte < 0x80) continue;
    if (byte < 0xa0 && !windows1252Marks.has(byte)) return false;
    high++;
    if ((bytes[at + 1] ?? 0) >= 0x80) neighbours++;
  }
  return high < bytes.length * 0.3 && neighbours <= high * 0.2;
}

/** Euro, quotes, dashes, dots, Š š Ž ž Œ œ Ÿ, trade mark. */
const windows1252Marks = new Set([0x80, 0x82, 0x84, 0x85, 0x8a, 0x8b, 0x8c, 0x8e, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0x9a, 0x9b, 0x9c, 0x9e, 0x9f]);

/** The format that a caller names. Throws `unknown_encoding` with what can be named. */
export async function namedFormat(encoding: string, bytes: Uint8Array): Promise<TextFormat> {
  const name = encoding.trim().toLowerCase();
  const found = detectText(bytes.subarray(0, 4), true);
  const bom = found.kind === 'text' && sameEncoding(found.format.encoding, name) ? found.format.bom : 0;
  if (/^utf-?8$/.test(name)) return { encoding: 'utf-8', bom, basis: 'given' };
  const { default: iconv } = await import('iconv-lite');
  if (iconv.encodingExists(name) && !/^(base64|hex|binary|internal|utf-?7)/.test(name)) return { encoding: name, bom, basis: 'given' };
  throw new ToolFailure('unknown_encoding', `The encoding ${JSON.stringify(encoding)} is not known. Use utf-8, utf-16le, utf-16be, gb18030, big5, shift_jis, euc-jp, euc-kr, windows-1252 or iso-8859-1.`);
}

function sameEncoding(left: string, right: string): boolean {
  const plain = (name: string) => name.replaceAll(/[-_]/g, '');
  return plain(left) === plain(right);
}

/** Bytes without their mark → text. Bytes that mean nothing become U+FFFD. */
export async function decodeText(bytes: Uint8Array, format: TextFormat): Promise<string> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset + format.bom, bytes.length - format.bom);
  if (format.encoding === 'utf-8') return body.toString('utf8');
  const { default: iconv } = await import('iconv-lite');
  return iconv.decode(body, format.encoding, { stripBOM: false });
}

/** Text → bytes, without a mark. A character that the encoding lacks is replaced: compare by decoding again. */
export async function encodeText(text: string, format: TextFormat): Promise<Buffer> {
  if (format.encoding === 'utf-8') return Buffer.from(text, 'utf8');
  const { default: iconv } = await import('iconv-lite');
  return iconv.encode(text, format.encoding, { addBOM: false });
}

export interface StreamDecoder {
  /** Text of the next bytes; what is incomplete at their end waits. */
  write(bytes: Uint8Array): string;
  /** What was left. */
  end(): string;
}

/** Decodes piece by piece, without a mark: by Node itself where it knows the encoding, since iconv-lite loses long characters between pieces. */
export async function streamDecoder(format: TextFormat): Promise<() => StreamDecoder> {
  if (knownToNode(format.encoding)) {
    return () => {
      const decoder = new TextDecoder(format.encoding, { ignoreBOM: true });
      return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
    };
  }
  const { default: iconv } = await import('iconv-lite');
  return () => {
    const decoder = iconv.getDecoder(format.encoding, { stripBOM: false });
    return { write: (bytes) => decoder.write(Buffer.from(bytes)), end: () => decoder.end() ?? '' };
  };
}

function knownToNode(encoding: string): boolean {
  if (encoding === 'utf-8') return true;
  try {
    return new TextDecoder(encoding).encoding !== '';
  } catch {
    return false;
  }
}
