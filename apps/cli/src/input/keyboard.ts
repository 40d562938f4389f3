// The one reader of the terminal's input. Whoever listens last gets the keys; what comes in between is kept or not read, so nothing is lost.
import type { ReadStream } from 'node:tty';

export type KeyListener = (chunk: string) => void;
type Input = Pick<ReadStream, 'on' | 'resume' | 'pause' | 'setEncoding'> & { setRawMode?: (raw: boolean) => unknown };

export class Keyboard {
  readonly #input: Input;
  readonly #listeners: KeyListener[] = [];
  /** Read, and not given to anybody yet. */
  readonly #waiting: string[] = [];
  #attached = false;
  #held = 0;
  #lent = false;

  constructor(input: Input = process.stdin) {
    this.#input = input;
  }

  /** Sends the keys to `listener` until the returned function is called. Ctrl-C arrives as a key, not as a signal, and always alone. */
  listen(listener: KeyListener): () => void {
    this.#attach();
    this.#listeners.push(listener);
    if (this.#waiting.length > 0) queueMicrotask(() => this.#deliver());
    this.#update();
    return () => {
      const index = this.#listeners.lastIndexOf(listener);
      if (index >= 0) this.#listeners.splice(index, 1);
      this.#update();
    };
  }

  /** Gives keys back that were for the next listener. */
  putBack(chunks: readonly string[]): void {
    this.#waiting.unshift(...chunks);
  }

  /** Keeps what is typed while nobody listens, for the next who does, until the returned function is called. */
  hold(): () => void {
    this.#attach();
    this.#held += 1;
    this.#update();
    return () => {
      this.#held -= 1;
      this.#update();
    };
  }

  /** Gives the terminal to another program until `work` is done. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.#lent = true;
    this.#update();
    try {
      return await work();
    } finally {
      this.#lent = false;
      this.#update();
    }
  }

  #attach(): void {
    if (this.#attached) return;
    this.#attached = true;
    this.#input.setEncoding('utf8');
    this.#input.on('data', (chunk: string) => {
      // Two quick presses, or keys before one, come in one piece where the terminal or the program was busy.
      this.#waiting.push(...chunk.split(aroundCtrlC).filter((part) => part !== ''));
      this.#deliver();
    });
  }

  #deliver(): void {
    while (this.#waiting.length > 0) {
      const listener = this.#listeners.at(-1);
      if (listener === undefined) return;
      listener(this.#waiting.shift() ?? '');
    }
  }

  #update(): void {
    const active = !this.#lent && (this.#listeners.length > 0 || this.#held > 0);
    this.#input.setRawMode?.(active);
    if (active) this.#input.resume();
    else this.#input.pause();
  }
}

export const keys = { ctrlC: '\x03', ctrlD: '\x04', ctrlO: '\x0f', escape: '\x1b', enter: '\r' } as const;
const aroundCtrlC = new RegExp(`(${keys.ctrlC})`);
