// Canonical JSON: equal values have equal texts and hashes, other values other ones.
import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalHash, canonicalJson } from './canonical-json.js';

test('law: the text says the same value, and does not depend on the order of the keys', () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shuffled(member)]).toReversed());
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(shuffled(value))).toBe(text);
    }),
    { numRuns: 1000 },
  );
});

test('law: other values have other texts', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const same = JSON.stringify(one) === JSON.stringify(other);
      if (canonicalJson(one) === canonicalJson(other)) expect(JSON.parse(canonicalJson(one))).toEqual(JSON.parse(JSON.stringify(other)));
      else expect(same).toBe(false);
    }),
    { numRuns: 1000 },
  );
});

test('keys are in code-unit order, undefined members are left out, and the hash is that of the text', () => {
  const value = { b: 1, a: undefined, Z: [{ d: null, c: 'é' }], '10': 0, '9': 0 };
  expect(canonicalJson(value)).toBe('{"10":0,"9":0,"Z":[{"c":"é","d":null}],"b":1}');
  expect(canonicalHash(value)).toBe(createHash('sha256').update(canonicalJson(value)).digest('hex'));
});

test('an object with very many keys takes no longer than a sort', () => {
  const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${String(999_999 - index)}`, 1]));
  expect(canonicalJson(many).startsWith('{"k800000":1,"k800001":1,')).toBe(true);
});
