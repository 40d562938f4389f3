// Lines at the bottom of the screen that are drawn over again and again, and gone before anything else is written.
import { widthOf } from './width.js';

/** Writes only what has changed, in one piece, so that nothing flickers. The cursor stands behind the last line. */
export class LiveRegion {
  #drawn: readonly string[] = [];
  #columns = 0;

  constructor(
    private readonly write: (text: string) => void,
    private readonly columns: () => number,
  ) {}

  /** Lines no wider than the terminal, and fewer than it has rows. */
  draw(lines: readonly string[]): void {
    if (lines.length === 0) return this.erase();
    const drawn = this.#drawn;
    const resized = drawn.length > 0 && this.columns() !== this.#columns;
    const equal = resized ? 0 : equalLines(drawn, lines);
    if (equal === drawn.length && equal === lines.length) return;
    const from = Math.min(equal, lines.length - 1);
    const text = lines.slice(from).join('\n');
    const old = drawn[from];
    if (old === undefined) this.write(`${from === 0 ? '' : '\n'}${text}`);
    else if (!resized && from === drawn.length - 1 && text.startsWith(old)) this.write(text.slice(old.length));
    else this.write(this.#back(from) + text);
    this.#drawn = [...lines];
    this.#columns = this.columns();
  }

  erase(): void {
    if (this.#drawn.length > 0) this.write(this.#back(0));
    this.#drawn = [];
  }

  /**
   * To the first column of a drawn line, with all from there on gone. A terminal that became narrower has wrapped what was drawn. Row by row:
   * some terminals keep what "erase to the end of the screen" takes away as history.
   */
  #back(index: number): string {
    const columns = Math.max(1, this.columns());
    const rows = this.#drawn.slice(index).reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
    return `\r\x1b[K${'\x1b[A\x1b[K'.repeat(rows - 1)}`;
  }
}

function equalLines(one: readonly string[], other: readonly string[]): number {
  let count = 0;
  while (count < one.length && count < other.length && one[count] === other[count]) count += 1;
  return count;
}
