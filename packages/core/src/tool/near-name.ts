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

function plain(name: string): string {
  return name.slice(0, 64).toLowerCase().replaceAll(/[_-]/g, '');
}

/** Levenshtein distance with adjacent swaps counted once; gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  const width = b.length + 1;
  // Names are cut to 64 characters, so a distance fits a byte.
  const table = new Uint8Array((a.length + 1) * width);
  const at = (i: number, j: number): number => table[i * width + j] ?? 0;
  for (let j = 0; j < width; j += 1) table[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    table[i * width] = i;
    for (let j = 1; j < width; j += 1) {
      let distance = Math.min(at(i, j - 1) + 1, at(i - 1, j) + 1, at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) distance = Math.min(distance, at(i - 2, j - 2) + 1);
      table[i * width + j] = distance;
    }
  }
  return at(a.length, b.length);
}
