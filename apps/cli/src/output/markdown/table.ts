// A Markdown table by display width; where it does not fit, each row as a list of its cells.
import type { Tokens } from 'marked';
import { padToWidth, widthOf } from '../width.js';
import type { Colors } from '../colors.js';
import { renderInline } from './inline.js';

export function renderTable(table: Tokens.Table, colors: Colors, columns: number): string[] {
  const head = table.header.map((cell) => renderInline(cell.tokens, colors));
  const rows = table.rows.map((row) => row.map((cell) => renderInline(cell.tokens, colors)));
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => widthOf(row[column] ?? ''))));
  const total = widths.reduce((sum, width) => sum + width, 0) + 3 * (widths.length - 1);
  if (total > columns) return asRecords(head, rows, colors);
  const line = (cells: readonly string[]): string => cells.map((cell, column) => padToWidth(cell, widths[column] ?? 0)).join(colors.dim(' │ ')).trimEnd();
  return [line(head.map(colors.bold)), colors.dim(widths.map((width) => '─'.repeat(width)).join('─┼─')), ...rows.map(line)];
}

function asRecords(head: readonly string[], rows: readonly (readonly string[])[], colors: Colors): string[] {
  return rows.flatMap((row, index) => [...(index === 0 ? [] : ['']), ...row.map((cell, column) => `${colors.bold(head[column] ?? '')}: ${cell}`)]);
}
