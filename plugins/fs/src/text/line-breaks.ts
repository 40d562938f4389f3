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

function scan(bytes: Uint8Array, from: number, to: number, wanted: number): { position: number; count: number } {
  const firstWord = from + ((4 - ((bytes.byteOffset + from) & 3)) & 3);
  if (firstWord + 4 > to) return scanBytes(bytes, from, to, wanted);
  const head = scanBytes(bytes, from, firstWord, wanted);
  if (head.count >= wanted) return head;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + firstWord, (to - firstWord) >> 2);
  let { count } = head;
  for (let index = 0; index < words.length; index++) {
    // A byte of `word` is zero where the text has a line feed; the expression is not zero when any byte is.
    const word = (words[index] ?? 0) ^ 0x0a0a0a0a;
    if (((word - 0x01010101) & ~word & 0x80808080) === 0) continue;
    const at = firstWord + index * 4;
    const four = scanBytes(bytes, at, at + 4, wanted - count);
    count += four.count;
    if (count >= wanted) return { position: four.position, count };
  }
  const tail = scanBytes(bytes, firstWord + words.length * 4, to, wanted - count);
  return { position: tail.position, count: count + tail.count };
}

function scanBytes(bytes: Uint8Array, from: number, to: number, wanted: number): { position: number; count: number } {
  let count = 0;
  for (let at = from; at < to; at++) {
    if (bytes[at] === lf && ++count >= wanted) return { position: at + 1, count };
  }
  return { position: to, count };
}
