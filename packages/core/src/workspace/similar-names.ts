/** For a file that is not there: names beside it that were probably meant. */
import { ToolFailure } from '../errors.js';
import { quotePath } from './file-failure.js';
import type { PathRules } from './path-rules.js';
import type { Location } from './path-walk.js';
import type { Roots } from './roots.js';

const most = 3;
const maxCandidates = 5_000;

/** The failure for a place where nothing is, with the paths that may have been meant; denied ones are not told. */
export function notFound({ parent, missing }: Location, path: string, roots: Roots, rules: PathRules): ToolFailure {
  const [first = '', ...rest] = missing;
  const folder = parent === undefined ? '.' : roots.relative(parent.absolute);
  const full = (name: string) => (folder === '.' ? name : `${folder}/${name}`);
  const names = (parent?.entries() ?? []).map(({ name }) => name).filter((name) => !rules.denies(full(name)));
  const near = similarNames(first, names).map((name) => quotePath([full(name), ...rest].join('/')));
  return new ToolFailure('not_found', `${quotePath(path)} does not exist.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}`);
}

/** At most three, nearest first: other case, other ending or order of letters, at most two letters apart, or a part of one another. */
function similarNames(wanted: string, names: readonly string[]): string[] {
  if (names.length > maxCandidates) return [];
  const target = wanted.toLowerCase();
  return names
    .map((name) => ({ name, rank: rankOf(target, name.toLowerCase()) }))
    .filter(({ rank }) => rank < 4)
    .sort((left, right) => left.rank - right.rank || (left.name < right.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

function rankOf(target: string, name: string): number {
  if (target === name) return 0;
  if (stemOf(target) === stemOf(name) || sorted(target) === sorted(name)) return 1;
  if (Math.abs(target.length - name.length) <= 2 && target.length > 3 && lettersApart(target, name) <= 2) return 2;
  return target.length > 3 && name.length > 3 && (name.includes(target) || target.includes(name)) ? 3 : 4;
}

/** Names with the same letters in another order are slips of the hand. */
function sorted(name: string): string {
  return Array.from(name).sort().join('');
}

function stemOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/** Levenshtein distance. */
function lettersApart(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const change = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
