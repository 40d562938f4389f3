// Sentences on narrow terminals.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { widthOf } from './width.js';
import { twoColumns, wrapWords } from './wrap-words.js';

test('breaks between words, and indents what follows', () => {
  expect(wrapWords('/help lists commands, Ctrl-C stops, Ctrl-D leaves.', 24)).toBe('/help lists commands,\n  Ctrl-C stops, Ctrl-D\n  leaves.');
});

test('what fits, and line breaks of its own, stay', () => {
  expect(wrapWords('  one  two\nthree', 12)).toBe('  one  two\nthree');
});

test('no word is cut or lost, and only a single word may be wider than the terminal', () => {
  const word = fc.constantFrom('a', 'words', '\x1b[1mbold\x1b[22m', '中文', 'a-very-long-word-without-end');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), fc.integer({ min: 8, max: 60 }), (words, columns) => {
      const wrapped = wrapWords(words.join(' '), columns);
      expect(wrapped.split(/\s+/).filter((part) => part !== '')).toEqual(words);
      for (const line of wrapped.split('\n')) if (/\S\s+\S/.test(line)) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    }),
  );
});

test('two columns: the second goes on below itself, or indented where there is no room', () => {
  const rows = [['/a', 'one two three four five six seven'], ['/longer', 'text']] as const;
  expect(twoColumns(rows, 40, (head) => head)).toEqual(['  /a       one two three four five six', '           seven', '  /longer  text']);
  expect(twoColumns(rows, 30, (head) => head)[0]).toBe('  /a');
});
