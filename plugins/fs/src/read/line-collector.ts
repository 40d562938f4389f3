/** Decodes one line of any length, piece by piece, and keeps a window of its characters. */
import type { StreamDecoder } from '@haft/core';
import { ReplacementBalance } from '../text/replacement-balance.js';

/** So far behind the window the characters of a line are counted; beyond, only estimated. */
const exactBytes = 256 * 1024;

export interface ShownLine {
  text: string;
  /** Characters of the line that come before and after `text`. */
  before: number;
  after: number;
  /** `after` was estimated from bytes; it is at least 1. */
  roughly?: true;
}

export interface CollectedLine extends ShownLine {
  /** The line ended in CR LF. */
  crlf: boolean;
  /** Bytes of it mean nothing in the text's encoding. */
  invalid: boolean;
}

export class LineCollector {
  private kept = '';
  private seen = 0;
  private lastWasCr = false;
  private closed = false;
  /** Whether bytes were passed over undecoded: what the decoder still holds then is no end of a line. */
  private skipped = false;
  private readonly replaced: ReplacementBalance;

  constructor(private readonly decoder: StreamDecoder, utf8: boolean, private readonly column: number, private readonly most: number) {
    this.replaced = new ReplacementBalance(utf8);
  }

  take(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.lastWasCr = bytes[bytes.length - 1] === 13;
    // Long after the window is full, only the length still matters, and an estimate of it is enough.
    this.skipped ||= this.seen > this.column + this.most + exactBytes;
    if (this.skipped) this.seen += bytes.length;
    else this.add(this.decoder.write(bytes), bytes);
  }

  /** `broken`: the line ended in a line feed. */
  finish(broken: boolean): CollectedLine {
    if (!this.skipped) this.add(this.decoder.end());
    const first = this.column - 1;
    let text = this.kept;
    const crlf = broken && this.lastWasCr;
    const total = this.seen - (crlf ? 1 : 0);
    if (crlf && text.endsWith('\r') && first + text.length > total) text = text.slice(0, -1);
    return { text, before: Math.min(first, total), after: Math.max(total - first - text.length, 0), ...(this.skipped && { roughly: true as const }), crlf, invalid: this.replaced.invalid };
  }

  private add(text: string, bytes?: Uint8Array): void {
    const from = Math.max(this.column - 1 - this.seen, 0);
    const room = this.most - this.kept.length;
    if (!this.closed && from < text.length) {
      this.kept += wholeCharacters(text.slice(from, from + room), text.charCodeAt(from + room));
      this.closed = text.length - from >= room;
    }
    this.seen += text.length;
    this.replaced.add(text, bytes);
  }
}

/** Without a half of a surrogate pair at its end. */
export function wholeCharacters(text: string, next: number): string {
  const last = text.charCodeAt(text.length - 1);
  const splits = last >= 0xd800 && last <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
  return splits ? text.slice(0, -1) : text;
}
