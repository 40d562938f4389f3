// The laws of the line editor: what keys do to the text, and that every character stands where a terminal puts it.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { completionOf } from './completion.js';
import { graphemesOf, graphemeWidth } from './graphemes.js';
import { HistorySearch, HistoryWalk } from './history-walk.js';
import { layOut, placeIn } from './layout.js';
import { TextBuffer } from './text-buffer.js';

const anyText = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '中', '文', '👩‍👩‍👧', 'é', '\n', '_'), maxLength: 60 });

describe('CLI-06: the layout', () => {
  const layoutOf = (text: string, columns: number, cursor = text.length) => layOut({ prompt: '> ', promptWidth: 2, continuation: '… ', text, cursor, columns });

  test('a wide character that does not fit the last column begins the next row', () => {
    const { rows, row, column } = layoutOf(`a${'中'.repeat(19)}`, 40);
    expect(rows).toEqual([`> a${'中'.repeat(18)}`, '中']);
    expect([row, column]).toEqual([1, 2]);
  });

  test('no row is wider than the terminal, nothing is lost, and each place can be reached', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 8, max: 30 }), (text, columns) => {
        const { rows, widths, places } = layoutOf(text, columns);
        expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
        rows.forEach((row, index) => expect(stringWidth(row)).toBe(widths[index]));
        expect(rows.join('').replaceAll('… ', '').replace('> ', '')).toBe(text.replaceAll('\n', ''));
        expect(places.map(({ offset }) => offset)).toEqual([0, ...cumulated(graphemesOf(text))]);
      }),
    );
  });

  test('Up and Down keep the column as well as they can', () => {
    const layout = layoutOf('first line\nx\nthird line', 40, 8);
    expect(placeIn(layout, 1, layout.column)).toBe(12);
    expect(placeIn(layout, 2, layout.column)).toBe(13 + 8);
    expect(placeIn(layout, 3, 0)).toBeUndefined();
  });

  test('what could act is shown in a visible form', () => {
    expect(layoutOf('a\u202eb', 40).rows[0]).toBe('> a\\u{202e}b');
  });
});

function cumulated(graphemes: readonly string[]): number[] {
  let sum = 0;
  return graphemes.map((grapheme) => (sum += grapheme.length));
}

test('the width of a grapheme is what the package for it says', () => {
  for (const grapheme of ['a', '中', '，', 'é', '👩‍👩‍👧', '🇩🇪', '❤️', '가', 'ｱ', '…', '→', '—']) expect([grapheme, graphemeWidth(grapheme)]).toEqual([grapheme, stringWidth(grapheme)]);
});

describe('keys', () => {
  function after(text: string, ...steps: ((buffer: TextBuffer) => void)[]): string {
    const buffer = new TextBuffer();
    buffer.set(text);
    for (const step of steps) step(buffer);
    return `${buffer.text.slice(0, buffer.cursor)}|${buffer.text.slice(buffer.cursor)}`;
  }

  test.each([
    ['a word back', after('one two-three', (b) => b.wordLeft()), 'one two-|three'],
    ['a word on', after('one two', (b) => b.lineStart(), (b) => b.wordRight()), 'one| two'],
    ['a word killed and put back', after('one two', (b) => b.killBlankWord(), (b) => b.lineStart(), (b) => b.yank()), 'two|one '],
    ['line ends', after('one\ntwo', (b) => b.lineStart(), (b) => b.left(), (b) => b.lineStart()), '|one\ntwo'],
    ['to the end of a line', after('one\ntwo', (b) => b.moveTo(1), (b) => b.killToEnd()), 'o|\ntwo'],
    ['a line end', after('one\ntwo', (b) => b.moveTo(3), (b) => b.killToEnd()), 'one|two'],
    ['undo', after('one', (b) => b.insert('!'), (b) => b.backspace(), (b) => b.undo(), (b) => b.undo()), 'one|'],
    ['one grapheme', after('x👩‍👩‍👧é', (b) => b.backspace(), (b) => b.backspace()), 'x|'],
  ])('%s', (_name, result, expected) => {
    expect(result).toBe(expected);
  });

  test('the cursor is never inside a grapheme', () => {
    const moves: ((buffer: TextBuffer) => void)[] = [(b) => b.left(), (b) => b.right(), (b) => b.wordLeft(), (b) => b.wordRight(), (b) => b.backspace(), (b) => b.deleteForward(), (b) => b.lineStart(), (b) => b.lineEnd(), (b) => b.killToEnd()];
    fc.assert(
      fc.property(anyText, fc.array(fc.constantFrom(...moves), { maxLength: 20 }), (text, steps) => {
        const buffer = new TextBuffer();
        buffer.set(text);
        for (const step of steps) step(buffer);
        expect([0, ...cumulated(graphemesOf(buffer.text))]).toContain(buffer.cursor);
      }),
    );
  });
});

test('Up goes through the lines that begin with what was typed, Down comes back to it', () => {
  const walk = new HistoryWalk(['git status', 'npm test', 'git log']);
  expect([walk.older('git'), walk.older('git status'), walk.older('git log')]).toEqual(['git status', 'git log', undefined]);
  expect([walk.newer(), walk.newer(), walk.newer()]).toEqual(['git status', 'git', undefined]);
});

test('a search finds the newest line first, then older ones', () => {
  const search = new HistorySearch(['b one', 'a two', 'b three']);
  search.find('b');
  expect(search.match).toBe('b one');
  search.next();
  expect(search.match).toBe('b three');
  search.next();
  expect(search.match).toBe('b three');
});

test('completion puts in what is certain, and lists what is not', () => {
  expect(completionOf(['/model'], '/mo', 80)).toEqual({ replacement: '/model', list: '' });
  expect(completionOf(['@"two words"'], '@tw', 80)).toEqual({ replacement: '@"two words"', list: '' });
  expect(completionOf(['@src/a', '@src/b'], '@s', 80)).toEqual({ replacement: '@src/', list: '@src/a  @src/b\n' });
  expect(completionOf(['@src/a', '@src/b'], '@src/', 10)).toEqual({ replacement: '@src/', list: '@src/a\n@src/b\n' });
  expect(completionOf([], '@x', 80)).toEqual({ replacement: '@x', list: '' });
});
