// What was opened one after another, to be closed in reverse: at the end, or when a later part cannot be opened.

export class Opened {
  readonly #closers: (() => void | Promise<void>)[] = [];

  /** Hands `part` on. */
  add<Part>(part: Part, close: (part: Part) => void | Promise<void>): Part {
    this.#closers.push(() => close(part));
    return part;
  }

  /** Closes the newest first, each once, and goes on after an error; throws the first one at the end. */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
