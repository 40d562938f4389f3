/** How many slips of the hand lie between two names, for every "did you mean". */

/** UTF-16 code units of a name that are compared; what is longer is compared by its beginning. */
export const longestCompared = 64;

/** One table for all comparisons; nothing here runs while another is under way. Names are cut, so that a distance fits a byte. */
const table = new Uint8Array((longestCompared + 1) * (longestCompared + 1));

/** Levenshtein distance with adjacent swaps counted once; gives up at `limit`, and then returns at least that. */
export function editDistance(left: string, right: string, limit: number): number {
  const a = left.slice(0, longestCompared);
  const b = right.slice(0, longestCompared);
  if (Math.abs(a.length - b.length) >= limit) return limit;
  const width = b.length + 1;
  for (let j = 0; j < width; j += 1) table[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    const row = i * width;
    let least = i;
    table[row] = i;
    for (let j = 1; j < width; j += 1) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let distance = Math.min((table[row + j - 1] ?? 0) + 1, (table[row + j - width] ?? 0) + 1, (table[row + j - width - 1] ?? 0) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (swapped) distance = Math.min(distance, (table[row + j - 2 * width - 2] ?? 0) + 1);
      table[row + j] = distance;
      if (distance < least) least = distance;
    }
    // A swap reaches back two rows, so one row above the limit is not yet the end; two are.
    if (least > limit) return limit;
  }
  return table[a.length * width + b.length] ?? limit;
}
