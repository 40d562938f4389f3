// "Did you mean": what is near, what is not, and names of any size.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nearName } from './near-name.js';

const names = ['path', 'pattern', 'old_text', 'newText', 'limit', 'ignore_case'];

test.each([
  ['pth', 'path'], ['paht', 'path'], ['oldText', 'old_text'], ['new-text', 'newText'], ['LIMIT', 'limit'], ['limits', 'limit'], ['ignorecase', 'ignore_case'], ['patern', 'pattern'],
])('%s means %s', (name, meant) => expect(nearName(name, names)).toBe(meant));

test.each(['', 'x', 'zzzz', 'encoding', 'constructor', 'x'.repeat(100_000)])('%s means none of them', (name) => expect(nearName(name, names)).toBeUndefined());

test('the distance is the one of a plain table, for any two names', () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 }), fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 }), (name, candidate) => {
    const allowed = Math.max(1, Math.floor(name.length / 3));
    expect({ name, candidate, near: nearName(name, [candidate]) !== undefined }).toEqual({ name, candidate, near: distance(name, candidate) <= allowed });
  }), { numRuns: 1_000 });
});

/** Optimal string alignment, by its definition. */
function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [left, right] = [a.slice(0, -1), b.slice(0, -1)];
  const choices = [distance(left, b) + 1, distance(a, right) + 1, distance(left, right) + (a.at(-1) === b.at(-1) ? 0 : 1)];
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)) choices.push(distance(a.slice(0, -2), b.slice(0, -2)) + 1);
  return Math.min(...choices);
}
