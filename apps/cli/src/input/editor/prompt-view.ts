// Draws the edited text on the terminal, row by row, with the cursor in it. A text that is higher than the screen is seen around the cursor.
import type { Layout } from './layout.js';

interface Output {
  write(text: string): unknown;
  readonly columns?: number;
  readonly rows?: number;
}

interface Drawn {
  rows: readonly string[];
  widths: readonly number[];
  row: number;
  column: number;
  columns: number;
}

export class PromptView {
  #drawn: Drawn | undefined;

  constructor(private readonly output: Output) {}

  get columns(): number {
    return Math.max(8, this.output.columns ?? 80);
  }

  draw({ rows, widths, row, column }: Layout): void {
    const most = Math.max(1, (this.output.rows ?? 24) - 1);
    const from = Math.max(0, Math.min(row - most + 1 + Math.floor(most / 2), rows.length - most));
    const next: Drawn = { rows: rows.slice(from, from + most), widths: widths.slice(from, from + most), row: row - from, column, columns: this.columns };
    const appended = this.#appended(next);
    if (appended !== '') this.output.write(appended ?? this.#whole(next));
    this.#drawn = next;
  }

  /** Leaves what is drawn where it is, with the cursor in a new line below. */
  finish(): void {
    const drawn = this.#drawn;
    this.#drawn = undefined;
    this.output.write(`${drawn === undefined ? '' : down(drawn.rows.length - 1 - drawn.row)}\r\n`);
  }

  /** Takes away what is drawn: something else is written in its place. */
  clear(): void {
    if (this.#drawn !== undefined) this.output.write(this.#back(this.#drawn));
    this.#drawn = undefined;
  }

  /** Typing at the end writes only what is new; undefined where more has changed. */
  #appended(next: Drawn): string | undefined {
    const drawn = this.#drawn;
    const last = next.rows.length - 1;
    if (drawn === undefined || drawn.columns !== next.columns || drawn.rows.length !== next.rows.length || drawn.row !== last || next.row !== last) return undefined;
    const [before, after] = [drawn.rows[last] ?? '', next.rows[last] ?? ''];
    const atEnd = drawn.column === drawn.widths[last] && next.column === next.widths[last];
    if (!atEnd || !after.startsWith(before) || drawn.rows.some((row, index) => index < last && row !== next.rows[index])) return undefined;
    return after.slice(before.length);
  }

  #whole(next: Drawn): string {
    const cleared = this.#drawn === undefined ? '\r\x1b[K' : this.#back(this.#drawn);
    const last = next.rows.length - 1;
    const up = last - next.row;
    return `${cleared}${next.rows.join('\r\n')}${up > 0 ? `\x1b[${up}A` : ''}\r${next.column > 0 ? `\x1b[${next.column}C` : ''}`;
  }

  /** To the first column of the first row, all rows gone. A terminal that became narrower has wrapped them. */
  #back({ widths, row, column, columns: before }: Drawn): string {
    const columns = this.columns;
    const heights = widths.map((width) => (columns < before ? Math.max(1, Math.ceil(width / columns)) : 1));
    const sum = (some: readonly number[]): number => some.reduce((total, height) => total + height, 0);
    const below = sum(heights) - sum(heights.slice(0, row)) - (columns < before ? Math.floor(column / columns) : 0) - 1;
    return `${down(below)}\r\x1b[K${'\x1b[A\x1b[K'.repeat(sum(heights) - 1)}`;
  }
}

function down(rows: number): string {
  return rows > 0 ? `\x1b[${rows}B` : '';
}
