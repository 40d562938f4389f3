// The text matcher against JavaScript's own engine, and hostile patterns.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TextMatcher } from './text-matcher.js';

function lines(pattern: string, text: string, options: Partial<{ literal: boolean; ignoreCase: boolean; multiline: boolean }> = {}): string[] {
  const matcher = new TextMatcher(pattern, { literal: false, ignoreCase: false, multiline: false, ...options });
  const bytes = Buffer.from(text, 'utf8');
  const found: string[] = [];
  matcher.search(bytes, ({ start, end }) => {
    found.push(bytes.toString('utf8', start, end));
    return true;
  });
  return found;
}

describe('patterns', () => {
  test.each<[string, string, string[]]>([
    ['TODO', 'a TODO b\nnone\nTODO', ['a TODO b', 'TODO']],
    ['^a.c$', 'abc\nxabc\na中c\r\na\nc', ['abc', 'a中c\r']],
    ['\\bfoo\\b', 'foo\nfoobar\na foo.', ['foo', 'a foo.']],
    ['fo{2,3}(bar|baz)?$', 'fo\nfoo\nfooobaz\nfoooo', ['foo', 'fooobaz']],
    ['[^a-z]', 'abc\naBc\n', ['aBc']],
    ['[一-龥]+', 'abc\n汉字\n', ['汉字']],
    ['\\p{Han}', 'abc\n汉\n', ['汉']],
    ['(?i)straße|ÄRGER', 'STRASSE\nStraße\närger', ['Straße', 'ärger']],
    ['^$', 'a\n\nb\n', ['']],
    ['TODO|FIXME|(XX|YY)+', 'a\nFIXME TODO\nXXYY\nTOD\nTODO', ['FIXME TODO', 'XXYY', 'TODO']],
    ['function foo() {', 'function foo() {', []],
    ['foo\\(\\) {', 'function foo() {', ['function foo() {']],
    ['\\d+\\s\\w', '12 a\n1a', ['12 a']],
    ['[[:upper:]]_[]x]', 'A_]\na_]\nB_x', ['A_]', 'B_x']],
    ['😀|\\u{1F601}', 'x😀\n😁\ny', ['x😀', '😁']],
  ])('%s', (pattern, text, expected) => {
    expect(lines(pattern, text)).toEqual(expected);
  });

  test('plain text and case', () => {
    expect(lines('a.c(', 'a.c(\nabc(', { literal: true })).toEqual(['a.c(']);
    expect(lines('ÉTÉ', 'été\nete', { literal: true, ignoreCase: true })).toEqual(['été']);
  });

  test('over several lines', () => {
    expect(lines('a\\nb', 'x a\nb y\na\n')).toEqual(['x a\nb y']);
    expect(lines('start[\\s\\S]*?end', '1 start\n2\n3 end\n4 start', { multiline: true })).toEqual(['1 start\n2\n3 end']);
    expect(lines('b\\n', 'a\nb\nc', { multiline: true })).toEqual(['b']);
  });

  test.each(['(', 'a)', '[a', '*a', '(?=x)', '(?<!x)', '\\1', '(a)\\k<n>', '\\q', 'a{2,1}', '\\p{Nope}', '(?>a)', '((((a{900}){900}){900}){900})'])('%s is refused with a reason', (pattern) => {
    expect(() => lines(pattern, 'a')).toThrow(expect.objectContaining({ code: 'invalid_pattern' }));
  });
});

const atom = fc.constantFrom('a', 'b', 'é', '中', '.', '[ab]', '[^a]', '\\w', '\\b', '^', '$', '\\d', '😀', ' ');
const regex: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc.tuple(tie('node'), tie('node')).map(([left, right]) => left + right),
    fc.tuple(tie('node'), tie('node')).map(([left, right]) => `(?:${left}|${right})`),
    fc.tuple(tie('node'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '*?')).map(([part, count]) => `(?:${part})${count}`),
  ),
})).node;
const sample = fc.array(fc.constantFrom('a', 'b', 'é', '中', '😀', ' ', '1', '_', '\n'), { maxLength: 14 }).map((parts) => parts.join(''));

test('finds the lines that JavaScript\'s engine finds', () => {
  fc.assert(
    fc.property(regex, sample, (pattern, text) => {
      const reference = new RegExp(pattern, 'u');
      const expected = text.replace(/\n$/, '').split('\n').filter((line) => reference.test(line));
      expect(lines(pattern, text)).toEqual(text === '' ? [] : expected);
    }),
    { numRuns: 3_000 },
  );
});

const words = fc.array(fc.constantFrom('ab', 'ba', 'aab', 'é', '中a', 'a|b', '(ab|ba)x?', 'b+a', '^ab', 'ba$', 'a{2}'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('|'));

test('looking for plain texts first changes nothing', () => {
  fc.assert(
    fc.property(words, words, sample, (left, right, text) => {
      const pattern = `(?:${left})(?:${right})|${left}`;
      const reference = new RegExp(pattern, 'u');
      const expected = text.replace(/\n$/, '').split('\n').filter((line) => reference.test(line));
      expect(lines(pattern, text)).toEqual(text === '' ? [] : expected);
    }),
    { numRuns: 2_000 },
  );
});

test('hostile patterns cost no more than others', () => {
  const text = `${'a'.repeat(100_000)}\n`;
  for (const pattern of ['(a+)+$x', '(a|aa)+b', '(.*a){12}b', '(a*)*b', '(?:a|a?)+b', '([a-z]+)*1', 'a.*b.*c.*d', '(x+x+)+y']) {
    const started = performance.now();
    expect(lines(pattern, text)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(5_000);
  }
});
