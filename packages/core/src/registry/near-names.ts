/** Finds the names that a wrong name was probably meant to be, for "did you mean" messages. */
import { editDistance } from '../tool/edit-distance.js';

const mostNames = 3;

/** At most three of `names`, nearest first: differing in case or punctuation, containing one another, or a few edits apart. */
export function nearNames(wanted: string, names: Iterable<string>): string[] {
  const target = fold(wanted.slice(0, 80));
  if (target === '') return [];
  const tooFar = Math.max(2, Math.floor(target.length / 3)) + 1;
  const ranked: { name: string; distance: number }[] = [];
  for (const name of names) {
    const distance = distanceTo(target, fold(name), tooFar);
    if (distance < tooFar) ranked.push({ name, distance });
  }
  ranked.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return ranked.slice(0, mostNames).map(({ name }) => name);
}

/** `functions.Read-File` and `readFile` fold to the same as `read_file`. */
function fold(name: string): string {
  const local = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
  return local.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function distanceTo(target: string, candidate: string, limit: number): number {
  if (target === candidate) return 0;
  if (candidate.length > 3 && target.length > 3 && (candidate.includes(target) || target.includes(candidate))) return 1;
  return editDistance(target, candidate, limit);
}
