/** Command patterns of rules: `git status` is exactly that argument vector, `git log *` allows further arguments. */
import type { ExplicitWord } from './command/explicit-words.js';
import { namesOutside } from './command/outside-place.js';
import { type WildcardElement, matchWildcard } from './wildcard.js';

export interface ArgvPattern {
  /** Each matches one argument. */
  words: readonly (readonly WildcardElement[])[];
  /** The pattern ends in a bare `*`: any further arguments, none included. */
  open: boolean;
}

/**
 * Splits a pattern into words as a shell would: blanks separate, quotes and `\` make literal. A `*` outside quotes stands for any
 * characters of its word; as the whole last word, for any further arguments. Undefined when a quote is not closed.
 */
export function parseArgvPattern(text: string): ArgvPattern | undefined {
  const words: WildcardElement[][] = [];
  let word: WildcardElement[] | undefined;
  let quote = '';
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (quote === '' && (char === ' ' || char === '\t')) {
      if (word) words.push(word);
      word = undefined;
      continue;
    }
    word ??= [];
    if (char === quote) quote = '';
    else if (quote === '' && (char === "'" || char === '"')) quote = char;
    else if (quote !== "'" && char === '\\' && index + 1 < text.length) word.push({ char: text.charAt(++index) });
    else word.push(quote === '' && char === '*' ? '*' : { char });
  }
  if (quote !== '') return undefined;
  if (word) words.push(word);
  const last = words.at(-1);
  const open = last?.length === 1 && last[0] === '*';
  return words.length === 0 ? undefined : { words: open ? words.slice(0, -1) : words, open };
}

export function matchArgv(pattern: ArgvPattern, argv: readonly string[]): boolean {
  const { words, open } = pattern;
  if (open ? argv.length < words.length : argv.length !== words.length) return false;
  return words.every((word, index) => matchWildcard(word, argv[index] ?? ''));
}

/**
 * Whether a pattern that matches `argv` says a word itself, not by a wildcard. Of a place outside the workspace its beginning is enough
 * (`/srv/*`), as long as the rest does not climb.
 */
export function spellsOut({ words, open }: ArgvPattern, argv: readonly string[], { at, place }: ExplicitWord): boolean {
  if (at >= argv.length) return !open;
  const pattern = words[at];
  if (pattern === undefined) return false;
  const star = pattern.indexOf('*');
  if (star === -1) return true;
  const word = argv[at] ?? '';
  return place === true && namesOutside(word.slice(0, star)) && !word.slice(star).split('/').includes('..');
}

/** Writes an argument vector so that as a pattern it matches exactly itself. */
export function formatArgv(argv: readonly string[]): string {
  return argv.map(quoteWord).join(' ');
}

function quoteWord(word: string): string {
  if (/^[A-Za-z0-9_./:=,@%+^-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
