/** The part of a glob between two slashes, as a function over one name. Common forms become plain string tests. */
import type { GlobOptions } from './glob-pattern.js';

export type NameMatcher = (name: string) => boolean;

const anyRun = Symbol('*');
type Token = string | typeof anyRun | ((character: string) => boolean);

export function compileName(segment: string, options: GlobOptions): NameMatcher {
  const fold = options.ignoreCase ? (text: string) => text.toLowerCase() : (text: string) => text;
  const tokens = tokenize(fold(segment));
  const hidden = options.dot === true || tokens[0] === '.';
  const matcher = simpleMatcher(tokens) ?? ((name: string) => matchTokens(tokens, Array.from(name)));
  return (name) => (hidden || !name.startsWith('.')) && matcher(fold(name));
}

function simpleMatcher(tokens: readonly Token[]): NameMatcher | undefined {
  const text = tokens.filter((token) => typeof token === 'string').join('');
  if (tokens.every((token) => typeof token === 'string')) return (name) => name === text;
  const others = tokens.filter((token) => typeof token !== 'string');
  if (others.length !== 1 || others[0] !== anyRun) return undefined;
  const at = tokens.indexOf(anyRun);
  const head = tokens.slice(0, at).join('');
  const tail = text.slice(head.length);
  return (name) => name.length >= text.length && name.startsWith(head) && name.endsWith(tail);
}

function tokenize(segment: string): Token[] {
  const characters = Array.from(segment);
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    if (character === '\\') tokens.push(characters[++at] ?? '\\');
    else if (character === '?') tokens.push(() => true);
    else if (character === '*' && tokens.at(-1) !== anyRun) tokens.push(anyRun);
    else if (character === '[') {
      const end = classEnd(characters, at);
      tokens.push(end === -1 ? '[' : classMatcher(characters.slice(at + 1, end)));
      if (end !== -1) at = end;
    } else if (character !== '*') tokens.push(character);
  }
  return tokens;
}

/** Index of the `]` that ends the class opened at `start`, or -1. A `]` that comes first is a member. */
function classEnd(characters: readonly string[], start: number): number {
  const first = characters[start + 1] === '!' || characters[start + 1] === '^' ? start + 2 : start + 1;
  return characters.indexOf(']', first + 1);
}

function classMatcher(body: readonly string[]): (character: string) => boolean {
  const negated = body[0] === '!' || body[0] === '^';
  const members = negated ? body.slice(1) : body;
  const ranges: [string, string][] = [];
  for (let at = 0; at < members.length; at++) {
    const from = members[at] ?? '';
    const to = members[at + 1] === '-' ? members[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  const codeOf = (character: string) => character.codePointAt(0) ?? 0;
  return (character) => ranges.some(([from, to]) => codeOf(character) >= codeOf(from) && codeOf(character) <= codeOf(to)) !== negated;
}

function matchTokens(tokens: readonly Token[], characters: readonly string[]): boolean {
  let token = 0;
  let at = 0;
  let starToken = -1;
  let starAt = 0;
  while (at < characters.length) {
    const current = tokens[token];
    const character = characters[at] ?? '';
    if (current === anyRun) {
      starToken = token++;
      starAt = at;
    } else if (current !== undefined && (typeof current === 'string' ? current === character : current(character))) {
      token++;
      at++;
    } else if (starToken >= 0) {
      token = starToken + 1;
      at = ++starAt;
    } else {
      return false;
    }
  }
  while (tokens[token] === anyRun) token++;
  return token === tokens.length;
}
