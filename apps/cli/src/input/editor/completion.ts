// What Tab puts in: the one candidate, or what all of them begin with; the candidates themselves where that adds nothing.
import { sanitiseLine } from '../../output/sanitise.js';
import { graphemesOf, graphemeWidth } from './graphemes.js';

const mostShown = 60;

/** What stands in place of `word` before the cursor, and a list to show above the prompt. */
export function completionOf(candidates: readonly string[], word: string, columns: number): { replacement: string; list: string } {
  const [first] = candidates;
  if (first === undefined) return { replacement: word, list: '' };
  if (candidates.length === 1) return { replacement: first, list: '' };
  // All of them fit the word, if not always letter by letter: a name with a blank gets quotes.
  const common = candidates.reduce(commonBeginning);
  return { replacement: common.length > word.length ? common : word, list: inColumns(candidates, columns) };
}

function commonBeginning(one: string, other: string): string {
  const parts = graphemesOf(one);
  const others = graphemesOf(other);
  const end = parts.findIndex((part, index) => part !== others[index]);
  return (end < 0 ? parts : parts.slice(0, end)).join('');
}

function inColumns(candidates: readonly string[], columns: number): string {
  const shown = candidates.slice(0, mostShown).map(sanitiseLine);
  const widthOf = (text: string): number => graphemesOf(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
  const width = Math.max(...shown.map(widthOf)) + 2;
  const perRow = Math.max(1, Math.floor(columns / width));
  let list = '';
  for (let at = 0; at < shown.length; at += perRow) {
    list += `${shown.slice(at, at + perRow).map((name) => name + ' '.repeat(width - widthOf(name))).join('').trimEnd()}\n`;
  }
  return candidates.length > mostShown ? `${list}… ${candidates.length - mostShown} more\n` : list;
}
