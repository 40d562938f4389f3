/** What the model reads of a search: `path:line:text`, context lines as `path-line-text`, then counts and what was left out. */
import { quotePath } from '@haft/core';
import { leftOutNotes } from '../glob/format-glob.js';
import type { SearchMatch } from './search-file.js';
import type { SearchResult } from './search-tree.js';

export function formatGrep(result: SearchResult): string {
  return [...matchLines(result.matches), `[${notes(result).join(' ')}]`].join('\n');
}

function matchLines(matches: readonly SearchMatch[]): string[] {
  const lines: string[] = [];
  let shown = { path: '', last: 0 };
  for (const match of matches) {
    const path = quotePath(match.path);
    const before = match.before.map((text, index) => ({ number: match.line - match.before.length + index, text, sign: '-' }));
    const own = match.text.split('\n').map((text, index) => ({ number: match.line + index, text, sign: ':' }));
    const after = match.after.map((text, index) => ({ number: match.lastLine + 1 + index, text, sign: '-' }));
    const nextStart = matches[matches.indexOf(match) + 1];
    const known = shown.path === match.path ? shown.last : 0;
    const first = before[0]?.number ?? match.line;
    const hasContext = before.length + after.length > 0;
    if (hasContext && lines.length > 0 && (known === 0 || first > known + 1)) lines.push('--');
    for (const { number, text, sign } of [...before, ...own, ...after]) {
      if (number <= known || (sign === '-' && number > match.lastLine && nextStart?.path === match.path && number >= nextStart.line)) continue;
      lines.push(`${path}${sign}${number}${sign}${text}`);
      shown = { path: match.path, last: number };
    }
  }
  return lines;
}

function notes(result: SearchResult): string[] {
  const { matches, total, files, tooLarge } = result;
  const found = `${total} ${total === 1 ? 'match' : 'matches'} in ${files} ${files === 1 ? 'file' : 'files'}`;
  const list = [total === 0 ? `No match in ${result.searched} files.` : matches.length < total ? `${matches.length} of ${found} shown, ordered by path; narrow the search or raise limit.` : `${found}.`];
  list.push(...leftOutNotes(result.leftOut));
  if (tooLarge.length > 0) list.push(`Too large to show, but matching: ${tooLarge.slice(0, 10).map(quotePath).join(', ')}${tooLarge.length > 10 ? ', …' : ''}.`);
  if (result.binary > 0) list.push(`${result.binary} binary ${result.binary === 1 ? 'file matches' : 'files match'}, not shown.`);
  if (result.unreadable > 0) list.push(`${result.unreadable} could not be read.`);
  return list;
}
