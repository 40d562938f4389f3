// Which bytes are text, in which encoding, and that text comes back as it was.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeText, detectText, encodeText, namedFormat, streamDecoder, type TextFormat } from './text-encoding.js';

const judged = (bytes: Uint8Array) => {
  const verdict = detectText(bytes, true);
  return verdict.kind === 'text' ? verdict.format.encoding : verdict.kind;
};
const hex = (digits: string) => Buffer.from(digits, 'hex');

describe('judging bytes', () => {
  test.each([
    ['ASCII', Buffer.from('plain\n'), 'utf-8'],
    ['nothing', Buffer.alloc(0), 'utf-8'],
    ['Chinese in UTF-8', Buffer.from('中文'), 'utf-8'],
    ['Chinese in GB18030', hex('d6d0cec4b2e2cad40a'), 'gb18030'],
    ['French in Latin-1', hex('6cb0e974e920e0206c6120706c616765'.replace('b0', '27')), 'windows-1252'],
    ['UTF-16 with a mark', hex('fffe61006200'), 'utf-16le'],
    ['UTF-16 without one', Buffer.from('plain text', 'utf16le'), 'utf-16le'],
    ['a PNG', hex('89504e470d0a1a0a0000'), 'binary'],
    ['a NUL', hex('610062'), 'binary'],
    ['controls', Buffer.from('\x01\x02\x03abc'), 'binary'],
    ['Japanese in Shift JIS', hex('93fa967b8cea82c5817582a082a2817682c68f91'), 'unknown'],
    ['a damaged mark', hex('efbbbfff'), 'unknown'],
  ])('%s', (_name, bytes, expected) => {
    expect(judged(bytes)).toBe(expected);
  });

  test('a sequence cut at the end of a sample is no fault', () => {
    const text = Buffer.from('中文字😀'.repeat(10));
    for (let length = 1; length < text.length; length++) expect(detectText(text.subarray(0, length), false)).toMatchObject({ kind: 'text', format: { encoding: 'utf-8' } });
  });
});

test('what is named is taken, with its mark; what is unknown lists what can be named', async () => {
  expect(await namedFormat('GBK', hex('d6d0'))).toEqual({ encoding: 'gbk', bom: 0, basis: 'given' });
  expect(await namedFormat('utf-16le', hex('fffe6100'))).toEqual({ encoding: 'utf-16le', bom: 2, basis: 'given' });
  for (const name of ['klingon', 'base64', 'hex', '']) await expect(namedFormat(name, hex('61'))).rejects.toMatchObject({ code: 'unknown_encoding' });
});

test('there and back, whole and in pieces', async () => {
  const encoding = fc.constantFrom('utf-8', 'utf-16le', 'utf-16be', 'gb18030');
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 30 }), encoding, fc.integer({ min: 1, max: 5 }), async (text, name, step) => {
      const format: TextFormat = { encoding: name, bom: 0, basis: 'given' };
      const bytes = await encodeText(text, format);
      expect(await decodeText(bytes, format)).toBe(text);
      const decoder = (await streamDecoder(format))();
      let joined = '';
      for (let at = 0; at < bytes.length; at += step) joined += decoder.write(bytes.subarray(at, at + step));
      expect(joined + decoder.end()).toBe(text);
    }),
    { numRuns: 500 },
  );
});
