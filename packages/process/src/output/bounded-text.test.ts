// Output within a bound: its head and its tail.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { HeadAndTail } from './bounded-text.js';

function bounded(limit: number, pieces: readonly string[]) {
  const text = new HeadAndTail(limit);
  for (const piece of pieces) text.push(piece);
  return text.read();
}

/** Without half of a surrogate pair. */
function isWellFormed(text: string): boolean {
  return Buffer.from(text).toString() === text;
}

describe('head and tail', () => {
  test('a short text is kept whole', () => {
    expect(bounded(10, ['abc', 'de'])).toEqual({ text: 'abcde', totalChars: 5, truncated: false });
  });

  test('a long text keeps both ends and says how much is missing', () => {
    expect(bounded(6, ['abcdefghij'])).toEqual({ text: 'abc\n… [4 characters left out] …\nhij', totalChars: 10, truncated: true });
  });

  test('law: however it is cut into pieces, the result is that of the whole', () => {
    fc.assert(fc.property(fc.array(fc.string({ maxLength: 30 })), fc.integer({ min: 2, max: 60 }), (pieces, limit) => {
      expect(bounded(limit, pieces)).toEqual(bounded(limit, [pieces.join('')]));
    }), { numRuns: 1000 });
  });

  test('law: what is shown and what is said to be left out make up the whole', () => {
    fc.assert(fc.property(fc.string({ maxLength: 200, unit: 'grapheme' }), fc.integer({ min: 2, max: 60 }), (whole, limit) => {
      const { text, truncated, totalChars } = bounded(limit, [whole]);
      expect(totalChars).toBe(whole.length);
      const mark = /\n… \[(\d+) characters left out\] …\n/.exec(text);
      if (!truncated) expect(text).toBe(whole);
      else expect(text.length - mark![0].length + Number(mark![1])).toBe(whole.length);
      if (isWellFormed(whole)) expect(isWellFormed(text)).toBe(true);
    }), { numRuns: 1000 });
  });

  test('a million small pieces stay in constant memory', () => {
    const text = new HeadAndTail(1_000);
    for (let index = 0; index < 1_000_000; index += 1) text.push(`${index}\n`);
    const { text: kept, totalChars } = text.read();
    expect(totalChars).toBe(6_888_890);
    expect(kept.length).toBeLessThan(1_050);
    expect(kept.endsWith('999998\n999999\n')).toBe(true);
  });
});
