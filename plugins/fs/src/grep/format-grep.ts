/** What the model reads of a search: `path:line:text`, context lines as `path-line-text`, then counts and what was left out. */
import { quotePath } from '@haft/core';
import { leftOutNotes } from '../glob/format-glob.js';
import type { SearchMatch } from './search-file.js';
import type { SearchResult } from './search-tree.js';

export function formatGrep(result: SearchResult): string {
  return [...matchLines(result.matches), `[${notes(result).join(' ')}]`].join('\n');
}

interface NumberedLine {
  number: number;
  text: string;
  /** `:` for a matching line, `-` for context. */
  sign: ':' | '-';
}

/** Lines that belong to two matches are shown once, as a match where they are one; stretches that do not touch are kept apart by `--`. */
function matchLines(matches: readonly SearchMatch[]): string[] {
  const shown: string[] = [];
  let last = { path: '', number: 0 };
  for (const [index, match] of matches.entries()) {
    const next = matches[index + 1];
    const done = last.path === match.path ? last.number : 0;
    const end = next?.path === match.path ? next.line - 1 : Number.POSITIVE_INFINITY;
    const lines = linesOf(match).filter(({ number, sign }) => number > done && (sign === ':' || number < match.line || number <= end));
    const hasContext = match.before.length + match.after.length > 0;
    if (hasContext && shown.length > 0 && (done === 0 || (lines[0]?.number ?? 0) > done + 1)) shown.push('--');
    for (const { number, text, sign } of lines) {
      shown.push(`${quotePath(match.path)}${sign}${number}${sign}${text}`);
      last = { path: match.path, number };
    }
  }
  return shown;
}

function linesOf(match: SearchMatch): NumberedLine[] {
  const number = (texts: readonly string[], first: number, sign: NumberedLine['sign']) => texts.map((text, index) => ({ number: first + index, text, sign }));
  return [
    ...number(match.before, match.line - match.before.length, '-'),
    ...number(match.text.split('\n'), match.line, ':'),
    ...number(match.after, match.lastLine + 1, '-'),
  ];
}

function notes(result: SearchResult): string[] {
  const { matches, total, files, tooLarge } = result;
  const found = `${total} ${total === 1 ? 'match' : 'matches'} in ${files} ${files === 1 ? 'file' : 'files'}`;
  const list = [total === 0 ? `No match in ${result.searched} ${result.searched === 1 ? 'file' : 'files'}.` : matches.length < total ? `${matches.length} of ${found} shown, ordered by path; narrow the search or raise limit.` : `${found}.`];
  list.push(...leftOutNotes(result.leftOut));
  if (tooLarge.length > 0) list.push(`Too large to show, but matching: ${tooLarge.slice(0, 10).map(quotePath).join(', ')}${tooLarge.length > 10 ? ', …' : ''}.`);
  if (result.binary > 0) list.push(`${result.binary} binary ${result.binary === 1 ? 'file matches' : 'files match'}, not shown.`);
  if (result.unreadable > 0) list.push(`${result.unreadable} could not be read.`);
  return list;
}
