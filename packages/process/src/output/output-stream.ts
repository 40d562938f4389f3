/** One output stream of a child: bytes in; decoded, cleaned and bounded text out, live and at the end. */
import { StringDecoder } from 'node:string_decoder';
import type { BoundedText } from '../run-options.js';
import { HeadAndTail } from './bounded-text.js';
import { TerminalText } from './terminal-text.js';

export class OutputStream {
  private readonly decoder = new StringDecoder('utf8');
  private readonly terminal = new TerminalText();
  private readonly kept: HeadAndTail;
  private unread: HeadAndTail;
  bytes = 0;

  constructor(private readonly limit: number, private readonly onText: ((text: string) => void) | undefined) {
    this.kept = new HeadAndTail(limit);
    this.unread = new HeadAndTail(limit);
  }

  push(chunk: Buffer): void {
    this.bytes += chunk.length;
    this.add(this.terminal.push(this.decoder.write(chunk)));
  }

  end(): void {
    this.add(this.terminal.push(this.decoder.end()));
    this.add(this.terminal.end());
  }

  read(): BoundedText {
    return this.kept.read(this.terminal.open);
  }

  /** What came since the last time. */
  take(): BoundedText {
    this.add(this.terminal.releaseLine());
    const taken = this.unread.read();
    this.unread = new HeadAndTail(this.limit);
    return taken;
  }

  private add(text: string): void {
    if (text === '') return;
    this.kept.push(text);
    this.unread.push(text);
    this.onText?.(text);
  }
}
