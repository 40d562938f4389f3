// Where the characters of the edited text stand on the screen: rows of at most the terminal's width, a wide character never over the edge.
import { sanitise } from '../../output/sanitise.js';
import { graphemesOf, graphemeWidth } from './graphemes.js';

export interface Layout {
  rows: string[];
  /** Columns that each row takes. */
  widths: number[];
  /** Of the cursor. */
  row: number;
  column: number;
  /** Each place in the text that the cursor can have, in order. */
  places: readonly Place[];
}

export interface Place {
  /** In UTF-16 units. */
  offset: number;
  row: number;
  column: number;
}

export interface LayoutRequest {
  prompt: string;
  /** Columns that the prompt takes; it may hold colours. */
  promptWidth: number;
  /** Before each further line of the text. */
  continuation: string;
  text: string;
  cursor: number;
  columns: number;
}

export function layOut({ prompt, promptWidth, continuation, text, cursor, columns }: LayoutRequest): Layout {
  const rows = [prompt];
  const widths = [promptWidth];
  const places: Place[] = [];
  let column = promptWidth;
  let offset = 0;
  const newRow = (start: string): void => {
    rows.push(start);
    widths.push(start.length);
    column = start.length;
  };
  for (const grapheme of graphemesOf(text)) {
    if (grapheme === '\n') {
      places.push({ offset, row: rows.length - 1, column });
      newRow(continuation);
    } else {
      const shown = grapheme === '\t' ? '    ' : sanitise(grapheme);
      const width = shown === grapheme ? graphemeWidth(grapheme) : shown.length;
      if (column + width > columns) newRow('');
      places.push({ offset, row: rows.length - 1, column });
      rows[rows.length - 1] += shown;
      column += width;
      widths[widths.length - 1] = column;
    }
    offset += grapheme.length;
  }
  if (column >= columns) newRow('');
  places.push({ offset, row: rows.length - 1, column });
  const place = places.find((candidate) => candidate.offset >= cursor) ?? { row: 0, column: promptWidth };
  return { rows, widths, row: place.row, column: place.column, places };
}

/** The place in a row that is nearest to a column; undefined where there is no such row. */
export function placeIn(layout: Layout, row: number, column: number): number | undefined {
  const inRow = layout.places.filter((place) => place.row === row);
  const [first] = inRow;
  if (first === undefined) return undefined;
  return inRow.reduce((best, place) => (Math.abs(place.column - column) < Math.abs(best.column - column) ? place : best), first).offset;
}
