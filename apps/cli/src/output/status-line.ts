// The line at the bottom that shows what runs now; it is overwritten, and gone before anything else is written. Only on a terminal.
import type { Terminal } from './terminal.js';
import { cutToWidth } from './width.js';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const everyMs = 100;

export class StatusLine {
  #timer: NodeJS.Timeout | undefined;
  #text: (() => string) | undefined;
  #frame = 0;

  constructor(private readonly terminal: Terminal) {}

  /** Shows what `text` gives, again and again; undefined shows nothing. */
  set(text: (() => string) | undefined): void {
    this.#text = text;
    if (text !== undefined) {
      this.#timer ??= setInterval(() => this.#draw(), everyMs).unref();
      return;
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.terminal.eraseStatus();
  }

  #draw(): void {
    const text = this.#text?.();
    if (text === undefined) return;
    this.#frame = (this.#frame + 1) % frames.length;
    this.terminal.drawStatus(this.terminal.colors.dim(cutToWidth(`${frames[this.#frame]} ${text}`, this.terminal.columns - 1)));
  }
}
