// Sizes of images from their first bytes, also where these are cut or wrong.
import { describe, expect, test } from '@jest/globals';
import { checkGif, checkJpeg, checkWebp } from './image-formats.js';

const base64 = (text: string) => Buffer.from(text, 'base64');

/** A marker segment of a JPEG with its length. */
function segment(marker: number, body: readonly number[]): number[] {
  return [0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 0xff, ...body];
}

const frame = (marker: number) => segment(marker, [8, 0, 6, 0, 9, 1, 1, 0x11, 0]);
const scan = [...segment(0xda, [1, 1, 0, 0, 63, 0]), 0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56];
const jpeg = (...parts: readonly (readonly number[])[]) => Buffer.from([0xff, 0xd8, ...parts.flat()]);

describe('JPEG', () => {
  test('a whole one gives its size, a progressive one with several scans too', () => {
    expect(checkJpeg(jpeg(segment(0xe0, [1, 2]), frame(0xc0), scan, [0xff, 0xd9]))).toEqual({ width: 9, height: 6 });
    expect(checkJpeg(jpeg(frame(0xc2), scan, [0xff, 0xff], segment(0xc4, [0]).slice(1), scan, [0xff, 0xd9]))).toEqual({ width: 9, height: 6 });
  });

  test('what is cut, damaged, without a picture, or of a kind that decoders lack is none', () => {
    const whole = jpeg(frame(0xc0), scan, [0xff, 0xd9]);
    for (let length = 2; length < whole.length; length++) expect(typeof checkJpeg(whole.subarray(0, length))).toBe('string');
    expect(checkJpeg(jpeg(scan, [0xff, 0xd9]))).toMatch(/no picture/);
    expect(checkJpeg(jpeg(frame(0xc9), scan, [0xff, 0xd9]))).toMatch(/no picture/);
    expect(checkJpeg(jpeg([0x00, 0x01], frame(0xc0)))).toMatch(/damaged/);
  });
});

test('WebP, lossy and lossless, and cut', () => {
  const lossy = base64('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA');
  expect(checkWebp(lossy)).toEqual({ width: 1, height: 1 });
  expect(checkWebp(base64('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='))).toEqual({ width: 1, height: 1 });
  for (let length = 12; length < lossy.length; length++) expect(typeof checkWebp(lossy.subarray(0, length))).toBe('string');
});

test('GIF, and cut', () => {
  const gif = base64('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7');
  expect(checkGif(gif)).toEqual({ width: 1, height: 1 });
  for (let length = 6; length < gif.length; length++) expect(typeof checkGif(gif.subarray(0, length))).toBe('string');
});
