/** "Did you mean": the candidate nearest to a mistyped name. */

/** The nearest candidate by edit distance, if it is near enough to be meant; letter case and `_`/`-` do not count. */
export function nearName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = plain(name);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, plain(candidate), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

const longest = 64;

function plain(name: string): string {
  const lower = name.slice(0, longest).toLowerCase();
  return lower.includes('_') || lower.includes('-') ? lower.replaceAll(/[_-]/g, '') : lower;
}

/** One table for all comparisons; nothing here runs while another is under way. Names are cut, so that a distance fits a byte. */
const table = new Uint8Array((longest + 1) * (longest + 1));

/** Levenshtein distance with adjacent swaps counted once; gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
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
