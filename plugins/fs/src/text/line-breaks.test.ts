// Counting and skipping line breaks, against a plain loop.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { countBreaks, lineAt, skipBreaks } from './line-breaks.js';

test('counts and skips as a plain loop does, at any alignment', () => {
  const few = fc.array(fc.constantFrom(10, 11, 9, 0x8a, 0, 255, 97), { maxLength: 60 });
  // Long ones are counted in blocks; a block full of breaks is the most that one can hold.
  const many = fc.tuple(fc.array(fc.constantFrom(10, 10, 0x8a, 97), { minLength: 1, maxLength: 50 }), fc.nat(3_500)).map(([part, length]) => Array.from({ length }, (_, at) => part[at % part.length] ?? 0));
  const bytes = fc.oneof(few, many, fc.nat(3_500).map((length) => Array.from({ length }, () => 10)));
  fc.assert(
    fc.property(bytes, fc.nat(8), fc.nat(8), fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 3_500 })), (values, lead, cut, wanted) => {
      const buffer = Buffer.concat([Buffer.alloc(lead), Buffer.from(values)]).subarray(lead);
      const from = Math.min(cut, buffer.length);
      const places = values.flatMap((value, index) => (value === 10 && index >= from ? [index] : []));
      expect(countBreaks(buffer, from, buffer.length)).toBe(places.length);
      const last = places[wanted - 1];
      expect(skipBreaks(buffer, from, buffer.length, wanted)).toEqual(last === undefined ? { position: buffer.length, count: places.length } : { position: last + 1, count: wanted });
      expect(lineAt(buffer, buffer.length)).toBe(values.filter((value) => value === 10).length + 1);
    }),
    { numRuns: 2_000 },
  );
});
