/**
 * Path globs: `*` and `?` within a name, `**` across names, `[a-z]`, `[!a-z]`, `{a,b}`, and `\` before a character that is meant literally.
 * Matching walks pattern and path once with one step back to the last star, so no pattern can make it slow.
 */
import { ToolFailure } from '../errors.js';
import { expandBraces } from './glob-braces.js';
import { type NameMatcher, compileName } from './glob-name.js';

/** Any number of names. */
const anyDepth = Symbol('**');
type Part = NameMatcher | typeof anyDepth;

export interface GlobOptions {
  /** Whether `*`, `?` and `**` match names that begin with a dot. Default false; a pattern's own leading dot always does. */
  dot?: boolean;
  ignoreCase?: boolean;
  /** Whether `{a,b}` means a choice. Default true. */
  braces?: boolean;
}

export interface Glob {
  readonly pattern: string;
  /** `path` is relative, with `/`, without a leading or trailing one. */
  matches(path: string): boolean;
  /** Whether something below this folder could match: false means that a walk need not go in. */
  couldMatchBelow(folder: string): boolean;
}

/** Compiles a glob over relative paths. Throws `invalid_pattern`. */
export function compileGlob(pattern: string, options: GlobOptions = {}): Glob {
  if (pattern.length > 4_096) throw new ToolFailure('invalid_pattern', 'The glob is too long: at most 4096 characters.');
  const alternatives = (options.braces === false ? [pattern] : expandBraces(pattern)).map((alternative) => compileParts(alternative, options));
  const dot = options.dot ?? false;
  return {
    pattern,
    matches: (path) => {
      const names = path.split('/');
      return alternatives.some((parts) => matchParts(parts, names, dot));
    },
    couldMatchBelow: (folder) => {
      const names = folder === '.' || folder === '' ? [] : folder.split('/');
      return alternatives.some((parts) => couldContinue(parts, names, dot));
    },
  };
}

function compileParts(pattern: string, options: GlobOptions): Part[] {
  const parts: Part[] = [];
  for (const segment of pattern.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') throw new ToolFailure('invalid_pattern', 'A glob cannot go up by ".." behind or beside a wildcard.');
    if (segment !== '**') parts.push(compileName(segment, options));
    else if (parts.at(-1) !== anyDepth) parts.push(anyDepth);
  }
  return parts;
}

function matchParts(parts: readonly Part[], names: readonly string[], dot: boolean): boolean {
  let part = 0;
  let name = 0;
  let starPart = -1;
  let starName = 0;
  while (name < names.length) {
    const current = parts[part];
    const text = names[name] ?? '';
    if (current === anyDepth) {
      starPart = part++;
      starName = name;
    } else if (current !== undefined && current(text)) {
      part++;
      name++;
    } else if (starPart >= 0 && (dot || !(names[starName] ?? '').startsWith('.'))) {
      part = starPart + 1;
      name = ++starName;
    } else {
      return false;
    }
  }
  while (parts[part] === anyDepth) part++;
  return part === parts.length;
}

/** Follows every way the parts can take the folder's names; something may lie below where a way is not at its end. */
function couldContinue(parts: readonly Part[], names: readonly string[], dot: boolean): boolean {
  let states = withSkips(parts, [0]);
  for (const name of names) {
    const next: number[] = [];
    for (const state of states) {
      const part = parts[state];
      if (part === anyDepth) {
        if (dot || !name.startsWith('.')) next.push(state);
      } else if (part?.(name)) {
        next.push(state + 1);
      }
    }
    states = withSkips(parts, next);
  }
  return [...states].some((state) => state < parts.length);
}

/** `**` may stand for nothing. */
function withSkips(parts: readonly Part[], states: readonly number[]): Set<number> {
  const all = new Set<number>();
  for (let state of states) {
    all.add(state);
    while (parts[state] === anyDepth) all.add(++state);
  }
  return all;
}
