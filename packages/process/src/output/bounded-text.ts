/** Keeps the head and the tail of a text of any length in constant memory. */
import type { BoundedText } from '../run-options.js';

/** Small pieces are joined once there are this many, so that a program that writes byte by byte costs no more than one that does not. */
const MAX_PIECES = 512;

export class HeadAndTail {
  private readonly headLimit: number;
  private readonly tailLimit: number;
  private head = '';
  private tail: string[] = [];
  private tailLength = 0;
  private total = 0;

  /** `limit` is in characters (UTF-16 units), at least 2; half is kept for the head, half for the tail. */
  constructor(limit: number) {
    this.headLimit = Math.max(1, Math.floor(limit / 2));
    this.tailLimit = Math.max(1, limit - this.headLimit);
  }

  get isHeadFull(): boolean {
    return this.head.length >= this.headLimit;
  }

  /** Counts what came and was not looked at: it lies before everything that follows, so it can only have been left out. */
  skip(count: number): void {
    this.total += count;
    this.tail = [];
    this.tailLength = 0;
  }

  push(text: string): void {
    if (text === '') return;
    this.total += text.length;
    const room = this.headLimit - this.head.length;
    if (room > 0) this.head += text.slice(0, room);
    if (text.length > room) this.pushTail(room > 0 ? text.slice(room) : text);
  }

  private pushTail(text: string): void {
    if (text.length >= this.tailLimit) {
      this.tail = [text.slice(-this.tailLimit)];
      this.tailLength = this.tailLimit;
      return;
    }
    this.tail.push(text);
    this.tailLength += text.length;
    if (this.tail.length > MAX_PIECES || this.tailLength > 4 * this.tailLimit) this.compact();
  }

  private compact(): void {
    // Buffer round trip: a slice of a joined string would keep the whole of it alive.
    const kept = Buffer.from(this.tail.join('').slice(-this.tailLimit), 'utf16le').toString('utf16le');
    this.tail = [kept];
    this.tailLength = kept.length;
  }

  /** `open` is text that is not settled yet (a line without its end) and is shown as if it were. */
  read(open = ''): BoundedText {
    const totalChars = this.total + open.length;
    const whole = this.tail.join('') + open;
    const tail = whole.slice(-this.tailLimit);
    if (this.head.length + tail.length >= totalChars) return { text: this.head + tail, totalChars, truncated: false };
    const head = withoutSplitEnd(this.head);
    const end = withoutSplitStart(tail);
    const missing = totalChars - head.length - end.length;
    return { text: `${head}\n… [${missing} characters left out] …\n${end}`, totalChars, truncated: true };
  }
}

/** A cut must not leave half of a surrogate pair: some APIs refuse such a string. */
function withoutSplitEnd(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

function withoutSplitStart(text: string): string {
  const first = text.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text;
}
