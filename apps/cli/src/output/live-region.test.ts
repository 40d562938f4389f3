// Lines that are drawn over: whatever comes in whatever order, the screen holds what was written, then the live lines, and nothing else.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LiveRegion } from './live-region.js';
import { rowsOf } from './width.js';

/** As much of a terminal as the region uses: it wraps, and knows line ends, cursor up and erasing a row. All characters are one column wide. */
class TinyScreen {
  readonly rows: string[] = [''];
  #row = 0;
  #column = 0;
  writes = 0;

  constructor(private readonly columns: number) {}

  write(text: string): void {
    this.writes += 1;
    for (const [piece] of text.matchAll(/\x1b\[[AK]|[^\x1b]/g)) this.#put(piece);
  }

  #put(piece: string): void {
    if (piece === '\r') this.#column = 0;
    else if (piece === '\n') this.#down();
    else if (piece === '\x1b[K') this.rows[this.#row] = (this.rows[this.#row] ?? '').slice(0, this.#column);
    else if (piece === '\x1b[A') this.#row = Math.max(0, this.#row - 1);
    else {
      if (this.#column === this.columns) this.#down();
      this.rows[this.#row] = (this.rows[this.#row] ?? '').slice(0, this.#column) + piece;
      this.#column += 1;
    }
  }

  /** The terminal is in its usual mode: a line end goes to the first column. */
  #down(): void {
    this.#row += 1;
    this.#column = 0;
    this.rows[this.#row] ??= '';
  }
}

const line = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 10 });
const action = fc.oneof(fc.record({ draw: fc.array(line, { maxLength: 4 }) }), fc.record({ write: line }));

test('nothing is lost and nothing is left behind', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 12 }), (actions) => {
      const screen = new TinyScreen(10);
      const region = new LiveRegion((text) => screen.write(text), () => 10);
      const written: string[] = [];
      let live: readonly string[] = [];
      for (const step of actions) {
        if ('draw' in step) region.draw((live = step.draw));
        else {
          region.erase();
          live = [];
          screen.write(`${step.write}\n`);
          written.push(step.write);
        }
        expect(screen.rows.join('\n').trimEnd()).toBe([...written, ...live].join('\n').trimEnd());
      }
    }),
  );
});

test('what has not changed is not written again', () => {
  const screen = new TinyScreen(20);
  const region = new LiveRegion((text) => screen.write(text), () => 20);
  region.draw(['one', 'two']);
  region.draw(['one', 'two']);
  expect(screen.writes).toBe(1);
});

test('a row never wraps, also where a terminal draws the parts of a joined emoji side by side', () => {
  const rows = rowsOf(`${'x'.repeat(30)}👩‍👩‍👧‍👦${'y'.repeat(6)}\tz`, 40);
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.join('')).toContain('👩‍👩‍👧‍👦');
});
