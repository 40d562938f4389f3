// When the lines at the bottom are drawn: at once where that is wanted, else not too often; and again and again, for what tells the time.
import { LiveRegion } from './live-region.js';
import type { Terminal } from './terminal.js';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const spinEveryMs = 100;
/** Between two drawings of text that comes. */
const leastMs = 30;

export class LiveLines {
  readonly #region: LiveRegion;
  #spinner: NodeJS.Timeout | undefined;
  #next: NodeJS.Timeout | undefined;
  #lines: ((frame: string) => readonly string[]) | undefined;
  #frame = 0;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly terminal: Terminal) {
    this.#region = new LiveRegion((text) => terminal.drawRaw(text), () => terminal.columns);
    terminal.openLive(this.#region);
  }

  /** Draws what `lines` gives, with the spinner's present frame, until `hide`. */
  show(lines: (frame: string) => readonly string[]): void {
    this.#lines = lines;
    this.#spinner ??= setInterval(() => this.#spin(), spinEveryMs).unref();
  }

  hide(): void {
    clearInterval(this.#spinner);
    clearTimeout(this.#next);
    this.#spinner = undefined;
    this.#next = undefined;
    this.#lines = undefined;
    this.#region.erase();
  }

  /** Something has changed. */
  refresh(): void {
    const wait = this.#drawnAt + leastMs - performance.now();
    if (wait <= 0) this.draw();
    else this.#next ??= setTimeout(() => this.draw(), wait).unref();
  }

  /** At once: what stood there was taken away for something else. */
  draw(): void {
    clearTimeout(this.#next);
    this.#next = undefined;
    this.#drawnAt = performance.now();
    if (this.#lines !== undefined && this.terminal.canRedraw) this.#region.draw(this.#lines(frames[this.#frame] ?? ''));
  }

  #spin(): void {
    this.#frame = (this.#frame + 1) % frames.length;
    this.draw();
  }
}
