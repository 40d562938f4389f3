// The linear matcher and the built-in engine give one verdict, and hostile patterns end.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { linearMatcher } from './linear-matcher.js';
import { parsePattern } from './parse-pattern.js';
import { patternTest } from './pattern-test.js';

const atom = fc.constantFrom('a', 'b', 'é', '😀', '.', '\\d', '\\w', '\\s', '[ab]', '[^a]', '[\\d\\]-]', '\\.', '\\x61', '\\u0062', '\\u{1F600}', '\\uD83D\\uDE00', '\\p{L}', '\\n', '-', '/');
const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,}', '{0,2}', '*?', '+?', '??', '{1,3}?');
const patterns: fc.Arbitrary<string> = fc.letrec<{ choice: string; sequence: string; term: string }>((tie) => ({
  choice: fc.oneof({ maxDepth: 3, depthIdentifier: 'p' }, tie('sequence'), fc.tuple(tie('sequence'), tie('sequence')).map((parts) => parts.join('|'))),
  sequence: fc.array(tie('term'), { minLength: 0, maxLength: 3, depthIdentifier: 'p' }).map((parts) => parts.join('')),
  term: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'p' },
    fc.tuple(atom, quantifier).map((parts) => parts.join('')),
    fc.constantFrom('^', '$', '\\b', '\\B'),
    fc.tuple(fc.constantFrom('(', '(?:', '(?<n>'), tie('choice'), quantifier).map(([open, inner, times]) => `${open}${inner})${times}`),
  ),
})).choice.filter((source) => (source.match(/<n>/g) ?? []).length <= 1);
const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀', '1', ' ', '-', '.', '\n', ']', '/'), maxLength: 8 });

test('the linear matcher agrees with the built-in engine', () => {
  fc.assert(fc.property(patterns, fc.constantFrom('', 'i', 'm', 's', 'ims'), fc.array(texts, { minLength: 8, maxLength: 8 }), (source, flags, samples) => {
    const expression = new RegExp(source, `u${flags}`);
    const matches = linearMatcher(parsePattern(source, flags), flags);
    const tested = patternTest(source, flags);
    // V8 finds \B between the two halves of 😀, where no character ends.
    for (const text of samples.filter((sample) => !source.includes('\\B') || !sample.includes('😀'))) expect({ source, flags, text, linear: matches(text), tested: tested(text) }).toEqual({ source, flags, text, linear: expression.test(text), tested: expression.test(text) });
  }), { numRuns: 1_000 });
});

describe('patterns that hang the built-in engine end here', () => {
  const long = 'a'.repeat(100_000);
  test.each([
    ['^(a+)+$', `${long}!`], ['^(a|a)*$', `${long}!`], ['^(a|aa)+$', `${long}!`], ['(.*)*x', long], ['^(([a-z])+.)+[A-Z]([a-z])+$', long], ['(a*)*b', long], ['a+a+a+a+x', long], ['\\w+@\\w+\\.com', long], ['^\\s+|\\s+$', `x${' '.repeat(100_000)}y`],
    [`^${'a?'.repeat(40)}${'a'.repeat(40)}$`, 'a'.repeat(39)], [`${'(a|a)'.repeat(40)}b`, 'a'.repeat(60)],
  ])('%s', (source, text) => {
    const matches = patternTest(source);
    expect(matches(text)).toBe(false);
  });
  test('one that only backtracking can read is refused when it may take exponential time', () => {
    expect(() => patternTest('^(?=a)(a+)+$')).toThrow('it looks ahead or behind');
    expect(() => patternTest('(a)\\1')).not.toThrow();
    expect(patternTest('^(?!.*b)a')('ac')).toBe(true);
    expect(patternTest('^(?!.*b)a')(long)).toBe(false);
  });
});
