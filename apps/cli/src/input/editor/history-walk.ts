// Up and Down through earlier lines, and Ctrl-R: those that begin with what was typed, or hold what is searched.

export class HistoryWalk {
  #index = -1;
  #typed = '';

  constructor(private readonly lines: readonly string[]) {}

  /** The next older line that begins with what was typed; undefined at the end. */
  older(current: string): string | undefined {
    if (this.#index < 0) this.#typed = current;
    for (let index = this.#index + 1; index < this.lines.length; index++) {
      const line = this.lines[index];
      if (line === undefined || line === current || !line.startsWith(this.#typed)) continue;
      this.#index = index;
      return line;
    }
    return undefined;
  }

  /** The next newer line, at last what was typed. */
  newer(): string | undefined {
    if (this.#index < 0) return undefined;
    for (let index = this.#index - 1; index >= 0; index--) {
      const line = this.lines[index];
      if (line === undefined || !line.startsWith(this.#typed)) continue;
      this.#index = index;
      return line;
    }
    this.#index = -1;
    return this.#typed;
  }

  /** What is typed now is a new line. */
  reset(): void {
    this.#index = -1;
  }
}

/** The state of a search: each further Ctrl-R goes to an older line. */
export class HistorySearch {
  query = '';
  #index = 0;

  constructor(private readonly lines: readonly string[]) {}

  get match(): string | undefined {
    return this.query === '' ? undefined : this.lines[this.#index];
  }

  /** A changed query begins at the newest line. */
  find(query: string): void {
    this.query = query;
    this.#index = this.#from(0);
  }

  next(): void {
    const next = this.#from(this.#index + 1);
    if (next < this.lines.length) this.#index = next;
  }

  #from(start: number): number {
    const found = this.lines.findIndex((line, index) => index >= start && line.includes(this.query));
    return found < 0 ? this.lines.length : found;
  }
}
