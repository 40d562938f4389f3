/** Path globs of rules: `*`, `?`, `[…]`, `**`, `{a,b}`, `\` escapes. Matching is linear-ish and never backtracks exponentially. */
import { type WildcardElement, matchWildcard } from './wildcard.js';

export type GlobMatcher = (path: string) => boolean;

const maxAlternatives = 64;
const maxPatternChars = 4096;

/**
 * Compiles a glob over `/`-separated paths. `*` stays within one segment, `**` as a whole segment spans any number, none included.
 * A leading dot needs no special mention. Returns undefined when the pattern is not one (`..` segments, unclosed `[`, over 64
 * brace alternatives): such a pattern matches nothing.
 */
export function compileGlob(pattern: string): GlobMatcher | undefined {
  if (pattern === '' || pattern.length > maxPatternChars) return undefined;
  const alternatives = expandBraces(pattern);
  if (!alternatives) return undefined;
  const compiled: GlobMatcher[] = [];
  for (const alternative of alternatives) {
    const matcher = compileOne(alternative);
    if (!matcher) return undefined;
    compiled.push(matcher);
  }
  return (path) => compiled.some((matches) => matches(path));
}

/** Writes a path so that as a glob it matches exactly itself. */
export function escapeGlob(path: string): string {
  return path.replace(/[\\*?[\]{},]/g, '\\$&');
}

type Segment = WildcardElement[] | '**';

function compileOne(pattern: string): GlobMatcher | undefined {
  const segments: Segment[] = [];
  for (const text of splitSegments(pattern.replace(/^(?:\.\/)+(?=.)/, ''))) {
    if (text === '..') return undefined;
    const segment = text === '**' ? '**' : parseSegment(text);
    if (!segment) return undefined;
    segments.push(segment);
  }
  return (path) => matchSegments(segments, path.split('/'));
}

/** A trailing `/` says "what is in this folder". */
function splitSegments(pattern: string): string[] {
  const parts = pattern.split('/');
  if (parts.length > 1 && parts.at(-1) === '') parts[parts.length - 1] = '**';
  return parts;
}

function parseSegment(text: string): WildcardElement[] | undefined {
  const elements: WildcardElement[] = [];
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === '*') elements.push('*');
    else if (char === '?') elements.push('?');
    else if (char === '\\' && index + 1 < text.length) elements.push({ char: text.charAt(++index) });
    else if (char === '[') {
      const close = text.indexOf(']', index + 2);
      if (close === -1) return undefined;
      elements.push(parseClass(text.slice(index + 1, close)));
      index = close;
    } else elements.push({ char });
  }
  return elements;
}

function parseClass(body: string): WildcardElement {
  const negated = body.startsWith('!') || body.startsWith('^');
  const ranges: [string, string][] = [];
  for (let index = negated ? 1 : 0; index < body.length; index++) {
    const low = body.charAt(index);
    if (body.charAt(index + 1) === '-' && index + 2 < body.length) {
      ranges.push([low, body.charAt(index + 2)]);
      index += 2;
    } else ranges.push([low, low]);
  }
  return { negated, ranges };
}

/** `**` is the only element that spans segments, so one point of return is enough. */
function matchSegments(pattern: readonly Segment[], path: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let starPath = 0;
  for (let index = 0; index < path.length; ) {
    const segment = pattern[at];
    if (segment === '**') {
      star = at++;
      starPath = index;
    } else if (segment !== undefined && matchWildcard(segment, path[index] ?? '')) {
      at++;
      index++;
    } else if (star !== -1) {
      at = star + 1;
      index = ++starPath;
    } else return false;
  }
  while (pattern[at] === '**') at++;
  return at === pattern.length;
}

function expandBraces(pattern: string): string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const brace = firstBrace(next);
    if (!brace) done.push(next);
    else for (const option of brace.options) open.push(brace.before + option + brace.after);
    if (done.length + open.length > maxAlternatives) return undefined;
  }
  return done;
}

/** The first `{…}` with a comma at its own level; braces without one are literal. */
function firstBrace(text: string): { before: string; options: string[]; after: string } | undefined {
  for (let start = 0; start < text.length; start++) {
    if (text[start] === '\\') start++;
    else if (text[start] === '{') {
      const found = braceAt(text, start);
      if (found) return found;
    }
  }
  return undefined;
}

function braceAt(text: string, start: number): { before: string; options: string[]; after: string } | undefined {
  const options: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let index = start; index < text.length; index++) {
    const char = text[index];
    if (char === '\\') index++;
    else if (char === '{') depth++;
    else if (char === ',' && depth === 1) {
      options.push(text.slice(from, index));
      from = index + 1;
    } else if (char === '}' && --depth === 0) {
      if (options.length === 0) return undefined;
      options.push(text.slice(from, index));
      return { before: text.slice(0, start), options, after: text.slice(index + 1) };
    }
  }
  return undefined;
}
