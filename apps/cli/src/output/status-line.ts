// The line at the bottom that shows what runs now; it is overwritten, and gone before anything else is written. Only on a terminal.
import type { Terminal } from './terminal.js';
import { cutToWidth } from './width.js';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const everyMs = 100;

export class StatusLine {
  #timer: NodeJS.Timeout | undefined;
  #text: (() => string) | undefined;
  #visible = false;
  #frame = 0;

  constructor(private readonly terminal: Terminal) {}

  /** Shows what `text` gives, again and again; undefined shows nothing. */
  set(text: (() => string) | undefined): void {
    if (!this.terminal.errorIsTerminal || this.terminal.quiet || this.terminal.plain) return;
    this.#text = text;
    if (text === undefined) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.clear();
    } else {
      this.#timer ??= setInterval(() => this.#draw(), everyMs).unref();
    }
  }

  /** Takes the line away so that something else can be written; it comes back by itself. */
  clear(): void {
    if (this.#visible) this.terminal.show('\r\x1b[K');
    this.#visible = false;
  }

  #draw(): void {
    const text = this.#text?.();
    if (text === undefined) return;
    this.#frame = (this.#frame + 1) % frames.length;
    this.terminal.show(`\r\x1b[K${this.terminal.colors.dim(cutToWidth(`${frames[this.#frame]} ${text}`, this.terminal.columns - 1))}`);
    this.#visible = true;
  }
}
