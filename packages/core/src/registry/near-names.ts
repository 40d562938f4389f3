/** Finds the names that a wrong name was probably meant to be, for "did you mean" messages. */

/** At most `max` of `names`, nearest first: differing in case or punctuation, containing one another, or a few edits apart. */
export function nearNames(wanted: string, names: Iterable<string>, max = 3): string[] {
  const target = fold(wanted.slice(0, 80));
  if (target === '') return [];
  const ranked: { name: string; distance: number }[] = [];
  for (const name of names) {
    const distance = distanceTo(target, fold(name));
    if (distance <= Math.max(2, Math.floor(target.length / 3))) ranked.push({ name, distance });
  }
  ranked.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return ranked.slice(0, max).map(({ name }) => name);
}

/** `functions.Read-File` and `readFile` fold to the same as `read_file`. */
function fold(name: string): string {
  const local = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
  return local.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function distanceTo(target: string, candidate: string): number {
  if (target === candidate) return 0;
  if (candidate.length > 3 && target.length > 3 && (candidate.includes(target) || target.includes(candidate))) return 1;
  return editDistance(target, candidate);
}

/** Levenshtein distance with swaps of neighbours counted as one edit. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(at(last, j) + 1, at(current, j - 1) + 1, at(last, j - 1) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, at(beforeLast, j - 2) + 1);
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
