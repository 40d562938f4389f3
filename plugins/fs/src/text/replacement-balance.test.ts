// A written U+FFFD is told from one that stands for bytes that mean nothing, wherever the pieces are cut.
import { isUtf8 } from 'node:buffer';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ReplacementBalance } from './replacement-balance.js';

const valid = fc.constantFrom('\ufffd', 'a', 'é', '中', '😀').map((text) => Buffer.from(text, 'utf8'));
const broken = fc.constantFrom('ff', 'e4b8', 'ef', 'efbf', 'f09f', 'bd', 'c0af').map((hex) => Buffer.from(hex, 'hex'));

test('invalid exactly when the bytes are no UTF-8', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 5, arbitrary: valid }, broken), { maxLength: 12 }), fc.integer({ min: 1, max: 7 }), (parts, step) => {
      const bytes = Buffer.concat(parts);
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      const balance = new ReplacementBalance(true);
      for (let at = 0; at < bytes.length; at += step) {
        const piece = bytes.subarray(at, at + step);
        balance.add(decoder.decode(piece, { stream: true }), piece);
      }
      balance.add(decoder.decode());
      expect(balance.invalid).toBe(!isUtf8(bytes));
    }),
    { numRuns: 1000 },
  );
});
