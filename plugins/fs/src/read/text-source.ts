/** An opened file as lines can be read from it: its encoding found out or taken as named, UTF-16 brought into UTF-8. */
import { type TextFormat, ToolFailure, type WorkspaceFile, decodeText, detectText, namedFormat, quotePath } from '@haft/core';
import { type ByteSource, memorySource } from './byte-source.js';

const headBytes = 16 * 1024;
const none = Buffer.alloc(0);

export interface TextSource {
  source: ByteSource;
  /** Its first bytes, where they were read already. */
  head: Buffer;
  /** As found in the file. */
  format: TextFormat;
  /** As `source` gives it. */
  readAs: TextFormat;
  /** Whether bringing it into UTF-8 met what means nothing, which is U+FFFD there. */
  damaged: boolean;
}

/** The first bytes of a file: enough to tell what it is, and often all that is wanted. */
export function readHead(file: WorkspaceFile): Buffer {
  const head = Buffer.allocUnsafe(Math.min(headBytes, file.sizeAtOpen));
  return head.subarray(0, file.read(head, 0));
}

/** Throws `binary_file`, `unknown_encoding`, or `file_too_large` (UTF-16 over `maxBytes`). */
export async function openText(file: WorkspaceFile, head: Buffer, path: string, options: { encoding?: string | undefined; maxBytes: number }): Promise<TextSource> {
  const format = options.encoding === undefined ? foundFormat(head, file.sizeAtOpen <= head.length, path) : await namedFormat(options.encoding, head);
  if (!/^(utf-?16|utf-?32|ucs-?2)/.test(format.encoding)) return { source: file, head, format, readAs: format, damaged: false };
  if (file.sizeAtOpen > options.maxBytes) throw new ToolFailure('file_too_large', `${quotePath(path)} is ${format.encoding} text of ${file.sizeAtOpen} bytes; at most ${options.maxBytes} can be read.`);
  const text = await decodeText(file.readAll(), format);
  return { head: none, source: memorySource(Buffer.from(text, 'utf8')), format, readAs: { encoding: 'utf-8', bom: 0, basis: 'certain' }, damaged: /\p{Surrogate}/u.test(text) };
}

/** The format of a text by its bytes. Throws `binary_file` or `unknown_encoding`. */
export function foundFormat(bytes: Uint8Array, complete: boolean, path: string): TextFormat {
  const verdict = detectText(bytes, complete);
  if (verdict.kind === 'binary') throw new ToolFailure('binary_file', `${quotePath(path)} is ${verdict.description}, not text. It is not shown.`);
  if (verdict.kind === 'unknown') throw unknownEncoding(path);
  return verdict.format;
}

export function unknownEncoding(path: string): ToolFailure {
  return new ToolFailure('unknown_encoding', `${quotePath(path)} is not UTF-8, and its encoding cannot be told with certainty. Call again with "encoding", e.g. "gb18030", "big5", "shift_jis" or "windows-1252".`);
}
