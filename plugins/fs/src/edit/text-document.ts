/** A file's text as UTF-8 bytes to search and replace in, and the way back into the file's own encoding, byte for byte where nothing changed. */
import { type TextFormat, ToolFailure, decodeText, encodeText, namedFormat, quotePath } from '@haft/core';
import { foundFormat } from '../read/text-source.js';

export interface TextDocument {
  /** UTF-8, byte order mark included when the file is UTF-8 with one. */
  text: Buffer;
  encoding: string;
  /** The file's bytes for a changed text. Throws `unencodable_text` for a character that the encoding lacks. */
  toBytes(parts: readonly Buffer[]): Promise<readonly Buffer[]>;
}

/** Throws `binary_file`, or `unknown_encoding` when decoding and encoding again would not give the same bytes. */
export async function openDocument(bytes: Buffer, path: string, encoding?: string): Promise<TextDocument> {
  const format = encoding === undefined ? foundFormat(bytes, true, path) : await namedFormat(encoding, bytes);
  if (format.encoding === 'utf-8') return { text: bytes, encoding: 'utf-8', toBytes: (parts) => Promise.resolve(parts) };
  const text = await decodeText(bytes, format);
  const mark = bytes.subarray(0, format.bom);
  if (!Buffer.concat([mark, await encodeText(text, format)]).equals(bytes)) {
    throw new ToolFailure('unknown_encoding', `${quotePath(path)} is not clean ${format.encoding} text: writing it back would change bytes that were not edited. It was left as it is. Give its "encoding" if you know it.`);
  }
  return { text: Buffer.from(text, 'utf8'), encoding: format.encoding, toBytes: (parts) => encodeBack(parts, format, mark, path) };
}

async function encodeBack(parts: readonly Buffer[], format: TextFormat, mark: Buffer, path: string): Promise<readonly Buffer[]> {
  const text = Buffer.concat(parts).toString('utf8');
  const bytes = await encodeText(text, format);
  if ((await decodeText(bytes, { ...format, bom: 0 })) !== text) {
    throw new ToolFailure('unencodable_text', `${quotePath(path)} is ${format.encoding} text, and the new text has characters that this encoding lacks. Nothing was changed.`);
  }
  return [mark, bytes];
}
