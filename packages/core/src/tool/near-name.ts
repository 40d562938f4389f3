/** "Did you mean": the candidate nearest to a mistyped name. */
import { editDistance, longestCompared } from './edit-distance.js';

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
  const lower = name.slice(0, longestCompared).toLowerCase();
  return lower.includes('_') || lower.includes('-') ? lower.replaceAll(/[_-]/g, '') : lower;
}
