/** Counting line feeds in large buffers, four bytes at a time. */
const lf = 10;

/** Line feeds in `[from, to)`. */
export function countBreaks(bytes: Uint8Array, from: number, to: number): number {
  return scan(bytes, from, to, Number.POSITIVE_INFINITY).count;
}

/** The position after the `wanted`-th line feed from `from` on, and how many were met before `to` (then the position is `to`). */
export function skipBreaks(bytes: Uint8Array, from: number, to: number, wanted: number): { position: number; count: number } {
  return scan(bytes, from, to, wanted);
}

/** The number of the line (1-based) that holds byte `offset`. */
export function lineAt(bytes: Uint8Array, offset: number): number {
  return countBreaks(bytes, 0, offset) + 1;
}

/** Words whose breaks are added up before they are looked at: a byte of the sum holds at most 255. */
const blockWords = 252;

function scan(bytes: Uint8Array, from: number, to: number, wanted: number): { position: number; count: number } {
  const firstWord = from + ((4 - ((bytes.byteOffset + from) & 3)) & 3);
  if (firstWord + 4 * blockWords > to) return scanBytes(bytes, from, to, wanted);
  const head = scanBytes(bytes, from, firstWord, wanted);
  if (head.count >= wanted) return head;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + firstWord, (to - firstWord) >> 2);
  let { count } = head;
  let index = 0;
  for (; index + blockWords <= words.length; index += blockWords) {
    const inBlock = breaksInBlock(words, index);
    if (count + inBlock >= wanted) break;
    count += inBlock;
  }
  const tail = scanBytes(bytes, firstWord + index * 4, to, wanted - count);
  return { position: tail.position, count: count + tail.count };
}

function breaksInBlock(words: Int32Array, from: number): number {
  let sum = 0;
  for (let at = from; at < from + blockWords; at += 4) {
    sum = (sum + breaksInWord(words[at]) + breaksInWord(words[at + 1]) + breaksInWord(words[at + 2]) + breaksInWord(words[at + 3])) | 0;
  }
  return (sum & 0xff) + ((sum >>> 8) & 0xff) + ((sum >>> 16) & 0xff) + (sum >>> 24);
}

/** Each byte of the result is 1 where that of the word is a line feed, else 0. */
function breaksInWord(word: number | undefined): number {
  const different = (word ?? 0) ^ 0x0a0a0a0a;
  return ~(((different & 0x7f7f7f7f) + 0x7f7f7f7f) | different | 0x7f7f7f7f) >>> 7;
}

function scanBytes(bytes: Uint8Array, from: number, to: number, wanted: number): { position: number; count: number } {
  let count = 0;
  for (let at = from; at < to; at++) {
    if (bytes[at] === lf && ++count >= wanted) return { position: at + 1, count };
  }
  return { position: to, count };
}
