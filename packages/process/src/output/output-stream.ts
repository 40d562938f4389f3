/** One output stream of a child: bytes in; decoded, cleaned and bounded text out, live and at the end. */
import { StringDecoder } from 'node:string_decoder';
import type { BoundedText } from '../run-options.js';
import { HeadAndTail } from './bounded-text.js';
import { TerminalText } from './terminal-text.js';

export interface LiveText {
  /** Characters after which no more is passed on. */
  limit: number;
  onText: (text: string) => void;
}

const LIVE_END = '\n[more output is not shown live]\n';

export class OutputStream {
  private decoder = new StringDecoder('utf8');
  private terminal = new TerminalText();
  private readonly kept: HeadAndTail;
  private unread: HeadAndTail;
  /** Of a flood, the last bytes: they are looked at when somebody reads, and by then most have been dropped unseen. */
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private dropped = 0;
  private shownLive = 0;
  bytes = 0;

  constructor(private readonly limit: number, private readonly live: LiveText | undefined) {
    this.kept = new HeadAndTail(limit);
    this.unread = new HeadAndTail(limit);
  }

  push(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.kept.isHeadFull && this.unread.isHeadFull && this.isLiveOver) this.postpone(chunk);
    else this.look(chunk);
  }

  end(): void {
    this.catchUp();
    this.add(this.terminal.push(this.decoder.end()));
    this.add(this.terminal.end());
  }

  read(): BoundedText {
    this.catchUp();
    return this.kept.read(this.terminal.open);
  }

  /** What came since the last time. */
  take(): BoundedText {
    this.catchUp();
    this.add(this.terminal.releaseLine());
    const taken = this.unread.read();
    this.unread = new HeadAndTail(this.limit);
    return taken;
  }

  private get isLiveOver(): boolean {
    return this.live === undefined || this.shownLive > this.live.limit;
  }

  private postpone(chunk: Buffer): void {
    this.waiting.push(chunk);
    this.waitingBytes += chunk.length;
    // Escape sequences, redraws and characters of several bytes become less text than they are bytes.
    const enough = 16 * this.limit;
    for (let first = this.waiting[0]; first !== undefined && this.waitingBytes - first.length >= enough; first = this.waiting[0]) {
      this.waiting.shift();
      this.waitingBytes -= first.length;
      this.dropped += first.length;
    }
  }

  private catchUp(): void {
    if (this.dropped > 0) {
      // Whatever was open before the gap cannot be closed after it.
      this.add(this.terminal.end());
      this.decoder = new StringDecoder('utf8');
      this.terminal = new TerminalText();
      this.kept.skip(this.dropped);
      this.unread.skip(this.dropped);
      this.dropped = 0;
    }
    const { waiting } = this;
    this.waiting = [];
    this.waitingBytes = 0;
    for (const chunk of waiting) this.look(chunk);
  }

  private look(chunk: Buffer): void {
    this.add(this.terminal.push(this.decoder.write(chunk)));
  }

  private add(text: string): void {
    if (text === '') return;
    this.kept.push(text);
    this.unread.push(text);
    this.showLive(text);
  }

  private showLive(text: string): void {
    if (this.live === undefined || this.isLiveOver) return;
    const room = this.live.limit - this.shownLive;
    this.shownLive += text.length;
    this.live.onText(this.isLiveOver ? `${text.slice(0, room)}${LIVE_END}` : text);
  }
}
