/**
 * Some lines out of a text of any size: reads forward in pieces, keeps only what is wanted, and stops early where it may. Works on bytes
 * of any encoding whose line feed is the byte 10.
 */
import { isUtf8 } from 'node:buffer';
import type { StreamDecoder } from '@haft/core';
import { skipBreaks } from '../text/line-breaks.js';
import type { ByteSource } from './byte-source.js';
import { type CollectedLine, LineCollector, type ShownLine, wholeCharacters } from './line-collector.js';

const firstPieceBytes = 16 * 1024;
const pieceBytes = 256 * 1024;

export interface WindowRequest {
  /** First line, 1-based. */
  offset: number;
  /** Most lines. */
  limit: number;
  /** First character of the first line, 1-based. */
  column: number;
  /** Most characters of one line, and of all. */
  maxLineChars: number;
  maxChars: number;
  /** The first bytes of the source, read already; may be empty. */
  head: Buffer;
  /** Bytes of a mark to skip at the start. */
  skip: number;
  /** Count the lines of the whole file if it is at most this long, in bytes. */
  countUpTo: number;
  /** The text is UTF-8: then whole lines are decoded at once. */
  utf8: boolean;
  decoder: () => StreamDecoder;
}

interface NumberedLine extends ShownLine {
  number: number;
}

export interface LineWindow {
  lines: NumberedLine[];
  /** Lines in all, when the end was reached or counted. */
  total?: number;
  /** Whether the last line of the file ends in a line break; undefined when the end was not seen. */
  endsWithBreak?: boolean;
  /** Whether a line shown ended in CR LF. */
  crlf: boolean;
  /** Whether bytes of the shown lines mean nothing in this encoding. */
  invalid: boolean;
}

export async function readLineWindow(source: ByteSource, request: WindowRequest, signal?: AbortSignal): Promise<LineWindow> {
  const reader = new WindowReader(request, source.sizeAtOpen);
  const { head, skip } = request;
  reader.take(head.subarray(skip));
  if (!reader.done) await readOn(source, Math.max(head.length, skip), reader, signal);
  return reader.result();
}

async function readOn(source: ByteSource, from: number, reader: WindowReader, signal: AbortSignal | undefined): Promise<void> {
  let buffer = Buffer.allocUnsafe(firstPieceBytes);
  let pauseAt = performance.now() + 15;
  for (let position = from; ; ) {
    const count = source.read(buffer, position);
    if (count === 0) return reader.end();
    reader.take(buffer.subarray(0, count));
    position += count;
    if (reader.done) return;
    if (buffer.length < pieceBytes) buffer = Buffer.allocUnsafe(pieceBytes);
    if (performance.now() < pauseAt) continue;
    signal?.throwIfAborted();
    await new Promise(setImmediate);
    pauseAt = performance.now() + 15;
  }
}

class WindowReader {
  done = false;
  private readonly window: LineWindow = { lines: [], crlf: false, invalid: false };
  private readonly counting: boolean;
  private line = 1;
  private room: number;
  private full = false;
  private current: LineCollector | undefined;
  /** Whether a byte has been seen since the last line break. */
  private open = false;

  constructor(private readonly request: WindowRequest, size: number) {
    this.counting = size <= request.countUpTo;
    this.room = request.maxChars;
  }

  take(bytes: Buffer): void {
    let at = this.full || this.line < this.request.offset ? this.skipLines(bytes, 0) : 0;
    if (this.current === undefined && this.request.utf8 && !this.full) at = this.keepWholeLines(bytes, at);
    while (at < bytes.length && !this.done) {
      const end = bytes.indexOf(10, at);
      if (end !== -1 && this.current === undefined && this.request.utf8) {
        this.keep(this.wholeLine(bytes, at, end));
        at = this.full ? this.skipLines(bytes, end + 1) : end + 1;
        continue;
      }
      this.collect(bytes.subarray(at, end === -1 ? bytes.length : end));
      this.open = true;
      if (end === -1) return;
      this.finishLine();
      at = this.full ? this.skipLines(bytes, end + 1) : end + 1;
    }
  }

  end(): void {
    const { open } = this;
    if (this.current) this.finishLine(false);
    else if (open) this.line++;
    this.window.total = this.line - 1;
    this.window.endsWithBreak = !open && this.line > 1;
    this.done = true;
  }

  result(): LineWindow {
    return this.window;
  }

  /** Counts line breaks only, up to the first wanted line or to the end of the piece. */
  private skipLines(bytes: Buffer, from: number): number {
    const wanted = this.full ? Number.POSITIVE_INFINITY : this.request.offset - this.line;
    const { position, count } = skipBreaks(bytes, from, bytes.length, wanted);
    this.line += count;
    if (count >= wanted) {
      this.open = false;
      return position;
    }
    if (bytes.length > from) this.open = bytes[bytes.length - 1] !== 10;
    return bytes.length;
  }

  private collect(bytes: Buffer): void {
    const { decoder, column, maxLineChars, offset, utf8 } = this.request;
    this.current ??= new LineCollector(decoder(), utf8, this.line === offset ? column : 1, Math.min(maxLineChars, this.room));
    this.current.take(bytes);
  }

  /** At the end of a file without a last break, a CR is a character of the line. */
  private finishLine(broken = true): void {
    const { current } = this;
    if (current === undefined) return;
    this.current = undefined;
    this.keep(current.finish(broken));
  }

  /** Decodes the whole lines that are wanted at once, which costs a fraction of one by one; returns where it stopped. */
  private keepWholeLines(bytes: Buffer, from: number): number {
    const lastBreak = bytes.lastIndexOf(10);
    if (lastBreak < from) return from;
    const wanted = this.request.limit - this.window.lines.length;
    const { position } = skipBreaks(bytes, from, lastBreak + 1, wanted);
    const text = bytes.toString('utf8', from, position - 1);
    // Which line it is that holds bytes that mean nothing, is found out line by line.
    if (text.includes('\ufffd') && !isUtf8(bytes.subarray(from, position))) return from;
    let kept = 0;
    for (const line of text.split('\n')) {
      this.keep(this.cutLine(line, false));
      kept++;
      if (this.full) break;
    }
    if (!this.full) return position;
    return this.done ? bytes.length : this.skipLines(bytes, skipBreaks(bytes, from, position, kept).position);
  }

  private wholeLine(bytes: Buffer, at: number, end: number): CollectedLine {
    const line = bytes.toString('utf8', at, end);
    return this.cutLine(line, line.includes('\ufffd') && !isUtf8(bytes.subarray(at, end)));
  }

  private cutLine(line: string, invalid: boolean): CollectedLine {
    const crlf = line.endsWith('\r');
    const whole = crlf ? line.slice(0, -1) : line;
    const first = this.line === this.request.offset ? this.request.column - 1 : 0;
    const cut = first + Math.min(this.request.maxLineChars, this.room);
    const text = first === 0 && whole.length <= cut ? whole : wholeCharacters(whole.slice(first, cut), whole.charCodeAt(cut));
    return { text, before: Math.min(first, whole.length), after: Math.max(whole.length - first - text.length, 0), crlf, invalid };
  }

  private keep({ text, before, after, roughly, crlf, invalid }: CollectedLine): void {
    this.open = false;
    this.window.lines.push({ number: this.line++, text, before, after, ...(roughly && { roughly }) });
    this.window.crlf ||= crlf;
    this.window.invalid ||= invalid;
    this.room -= text.length + 8;
    this.full = this.window.lines.length >= this.request.limit || this.room <= 0;
    if (this.full && !this.counting) this.done = true;
  }
}
