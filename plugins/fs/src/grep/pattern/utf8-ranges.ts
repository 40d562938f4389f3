/** Ranges of code points → the sequences of byte ranges that spell them in UTF-8. */
import type { CodePoints, Range } from './code-points.js';

export type ByteSequence = readonly Range[];

/** Code points of one length of spelling; surrogates have none. */
const lengths: readonly Range[] = [[0, 0x7f], [0x80, 0x7ff], [0x800, 0xd7ff], [0xe000, 0xffff], [0x10000, 0x10ffff]];

export function utf8Sequences(ranges: CodePoints): ByteSequence[] {
  return ranges.flatMap(([from, to]) =>
    lengths.flatMap(([least, most]) => {
      const start = Math.max(from, least);
      const end = Math.min(to, most);
      return start > end ? [] : split(start, end);
    }),
  );
}

/** Cuts a range until all but the leading byte of each piece run over one value or over all of their values. */
function split(from: number, to: number): ByteSequence[] {
  for (let bits = 6; bits <= 18; bits += 6) {
    const mask = (1 << bits) - 1;
    if ((from & ~mask) === (to & ~mask) || to < 1 << bits) continue;
    if ((from & mask) !== 0) return [...split(from, from | mask), ...split((from | mask) + 1, to)];
    if ((to & mask) !== mask) return [...split(from, (to & ~mask) - 1), ...split(to & ~mask, to)];
  }
  const first = Buffer.from(String.fromCodePoint(from), 'utf8');
  const last = Buffer.from(String.fromCodePoint(to), 'utf8');
  return [Array.from(first, (byte, index): Range => [byte, last[index] ?? byte])];
}
