/** Searches one file and keeps what is to be shown of it. */
import { type WorkspaceFile, detectText } from '@haft/core';
import { countBreaks } from '../text/line-breaks.js';
import type { LineSpan, TextMatcher } from './pattern/text-matcher.js';

const headBytes = 64 * 1024;
const maxLineChars = 400;
const pieceBytes = 16 * 1024 * 1024;

export interface SearchMatch {
  path: string;
  /** 1-based; `lastLine` differs for a match over several lines. */
  line: number;
  lastLine: number;
  text: string;
  before: string[];
  after: string[];
}

export interface FileFindings {
  /** Places in all, also those not shown. */
  total: number;
  shown: SearchMatch[];
}

const none: FileFindings = { total: 0, shown: [] };

export type FileOutcome = FileFindings | 'binary' | 'too-large';

/** Reads files into one buffer that grows with the largest. */
export class FileSearcher {
  private buffer = Buffer.allocUnsafe(256 * 1024);

  constructor(private readonly matcher: TextMatcher, private readonly contextLines: number, private readonly maxBytes: number) {}

  /** `room`: how many places may still be shown. Of a binary or too large file only whether it matches is said. Closes the file. */
  search(file: WorkspaceFile, path: string, room: number): FileOutcome {
    try {
      const size = file.sizeAtOpen;
      if (size > this.maxBytes) return this.matchesInPieces(file) ? 'too-large' : none;
      if (size > this.buffer.length) this.buffer = Buffer.allocUnsafe(size * 2);
      const whole = this.buffer.subarray(0, file.read(this.buffer.subarray(0, size), 0));
      const bytes = whole.subarray(markLength(whole));
      const text = asUtf8(bytes);
      if (text !== undefined) return this.find(text, path, room);
      return this.find(bytes, path, 0).total > 0 ? 'binary' : none;
    } finally {
      file.close();
    }
  }

  private matchesInPieces(file: WorkspaceFile): boolean {
    if (this.buffer.length < pieceBytes) this.buffer = Buffer.allocUnsafe(pieceBytes);
    const piece = this.buffer.subarray(0, pieceBytes);
    const start = markLength(piece.subarray(0, file.read(piece.subarray(0, 3), 0)));
    for (let position = start, count = file.read(piece, start); count > 0; count = file.read(piece, position)) {
      const lastBreak = piece.lastIndexOf(10, count - 1);
      const whole = lastBreak === -1 ? count : lastBreak + 1;
      let matches = false;
      this.matcher.search(piece.subarray(0, whole), () => {
        matches = true;
        return false;
      });
      if (matches) return true;
      position += whole;
    }
    return false;
  }

  private find(bytes: Buffer, path: string, room: number): FileFindings {
    const findings: FileFindings = { total: 0, shown: [] };
    let line = 1;
    let counted = 0;
    this.matcher.search(bytes, (span) => {
      findings.total++;
      if (findings.shown.length >= room) return true;
      line += countBreaks(bytes, counted, span.start);
      counted = span.start;
      findings.shown.push({
        path, line, lastLine: line + countBreaks(bytes, span.start, span.end), text: lineText(bytes, span),
        before: this.contextLines === 0 ? [] : linesBefore(bytes, span.start, this.contextLines),
        after: this.contextLines === 0 ? [] : linesAfter(bytes, span.end, this.contextLines),
      });
      return true;
    });
    return findings;
  }
}

/** Of a UTF-8 byte order mark at the start: it is no part of the first line. */
function markLength(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** The text as UTF-8; undefined for what is no text. */
function asUtf8(bytes: Buffer): Buffer | undefined {
  const head = bytes.subarray(0, headBytes);
  if (!head.includes(0)) return bytes;
  const verdict = detectText(head, bytes.length <= headBytes);
  if (verdict.kind !== 'text' || verdict.format.bom !== 2) return undefined;
  const units = Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)));
  if (verdict.format.encoding === 'utf-16be') units.swap16();
  return Buffer.from(units.toString('utf16le'), 'utf8');
}

function lineText(bytes: Buffer, { start, end, matchEnd }: LineSpan): string {
  const text = bytes.toString('utf8', start, end);
  if (text.length <= maxLineChars || text.includes('\n')) return shorten(text, maxLineChars * 10).replaceAll('\r', '');
  const at = bytes.toString('utf8', start, matchEnd).length;
  const from = Math.max(Math.min(at - maxLineChars / 2, text.length - maxLineChars), 0);
  return `${from > 0 ? '…' : ''}${text.slice(from, from + maxLineChars)}${from + maxLineChars < text.length ? '…' : ''}`.replaceAll('\r', '');
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function linesBefore(bytes: Buffer, start: number, count: number): string[] {
  const lines: string[] = [];
  for (let end = start - 1; end >= 0 && lines.length < count; ) {
    const from = end === 0 ? 0 : bytes.lastIndexOf(10, end - 1) + 1;
    lines.unshift(contextText(bytes, from, end));
    end = from - 1;
  }
  return lines;
}

function linesAfter(bytes: Buffer, end: number, count: number): string[] {
  const lines: string[] = [];
  for (let from = end + 1; from < bytes.length && lines.length < count; ) {
    const next = bytes.indexOf(10, from);
    const to = next === -1 ? bytes.length : next;
    lines.push(contextText(bytes, from, to));
    from = to + 1;
  }
  return lines;
}

function contextText(bytes: Buffer, from: number, to: number): string {
  return shorten(bytes.toString('utf8', from, Math.min(to, from + maxLineChars * 4)), maxLineChars).replaceAll('\r', '');
}
