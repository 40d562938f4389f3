// Widths as a terminal shows them: wide characters count two columns, combining ones none.
import stringWidth from 'string-width';

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
