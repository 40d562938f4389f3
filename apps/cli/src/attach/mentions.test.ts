// What `@` means in a message.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findMentions, mentionOf, withoutEscapes } from './mentions.js';

const paths = (text: string): string[] => findMentions(text).map(({ candidates }) => candidates[0]?.path ?? '');

test.each([
  ['see @a.txt', ['a.txt']],
  ['@a.txt and (@src/b.ts) and "@c"', ['a.txt', 'src/b.ts)', 'c']],
  ['mail me@example.org', []],
  ['an \\@escaped one', []],
  ['@"two words.txt" @back\\ slash.txt', ['two words.txt', 'back slash.txt']],
  ['@a @a @b', ['a', 'b']],
  ['读取 @文件.txt', ['文件.txt']],
  ['alone @ and @', []],
])('%s', (text, expected) => {
  expect(paths(text)).toEqual(expected);
});

test('what follows a path in a sentence is tried without; a range of lines is one where no file is called that', () => {
  expect(findMentions('look at @src/a.ts, please')[0]?.candidates).toEqual([{ path: 'src/a.ts,' }, { path: 'src/a.ts' }]);
  expect(findMentions('@a.ts:3-7')[0]?.candidates).toEqual([{ path: 'a.ts:3-7' }, { path: 'a.ts', lines: { first: 3, last: 7 } }]);
});

test('an escaped at sign is sent without its backslash', () => {
  expect(withoutEscapes('a \\@b @c')).toBe('a @b @c');
});

test('what completion writes is what is found again', () => {
  const name = fc.string({ unit: fc.constantFrom('a', '中', ' ', '.', '-', '/'), minLength: 1, maxLength: 12 }).filter((path) => !/[.:]$/.test(path));
  fc.assert(fc.property(name, (path) => expect(paths(`see ${mentionOf(path)}`)).toEqual([path])));
});
