// Widths as a terminal shows them: wide characters count two columns, combining ones none.
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Columns that the text takes. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** The text, cut between graphemes to at most `columns`, with an ellipsis where something is left out. */
export function cutToWidth(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let cut = '';
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += stringWidth(segment);
    if (width > columns) break;
    cut += segment;
  }
  return columns < 1 ? '' : `${cut}…`;
}

/** The text with blanks behind it, `columns` wide. */
export function padToWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - stringWidth(text)));
}

/** The end of the text, at most `columns` wide, with an ellipsis before it where something is left out. */
export function keepEnd(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  const segments = [...graphemes.segment(text)].map(({ segment }) => segment);
  let width = 1;
  let from = segments.length;
  while (from > 0 && width + stringWidth(segments[from - 1] ?? '') <= columns) width += stringWidth(segments[(from -= 1)] ?? '');
  return `…${segments.slice(from).join('')}`;
}

/** What terminals disagree about: joined emoji, skin tones, flags, variants. */
const disputed = /\u200d|\ufe0f|\p{Regional_Indicator}|\p{Emoji_Modifier}/u;

/** The rows that a line takes on the terminal, tabs as blanks. Where terminals disagree about a width, none of them wraps a row again. */
export function rowsOf(line: string, columns: number): string[] {
  const text = line.replaceAll('\t', '    ');
  const surplus = disputed.test(text) ? surplusOf(text) : 0;
  if (stringWidth(text) + surplus <= columns) return [text];
  return wrapAnsi(text, Math.max(8, columns - surplus), { hard: true, trim: false }).split('\n');
}

function surplusOf(text: string): number {
  const apart = Array.from(stripVTControlCharacters(text)).reduce((sum, point) => sum + stringWidth(point), 0);
  return Math.max(0, apart - stringWidth(text));
}

/** The parts with ` · ` between them, broken only there. */
export function inParts(parts: readonly string[], columns: number): string[] {
  const rows: string[] = [];
  for (const part of parts) {
    const row = rows.at(-1);
    if (row !== undefined && stringWidth(`${row} · ${part}`) <= columns) rows[rows.length - 1] = `${row} · ${part}`;
    else rows.push(part);
  }
  return rows;
}
