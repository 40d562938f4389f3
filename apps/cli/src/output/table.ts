// A table for people: columns as wide as they need, the last one cut at the edge of the terminal.
import { sanitiseLine } from './sanitise.js';
import type { Terminal } from './terminal.js';
import { cutToWidth, padToWidth, widthOf } from './width.js';

/** Writes the table to stdout. Cells are sanitised here. */
export function showTable(head: readonly string[], cells: readonly (readonly string[])[], terminal: Terminal): void {
  const rows = cells.map((row) => row.map(sanitiseLine));
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => widthOf(row[column] ?? ''))));
  const columns = terminal.answerIsTerminal ? terminal.columns : Number.POSITIVE_INFINITY;
  for (const row of [head, ...rows]) {
    const line = row.map((cell, column) => (column === row.length - 1 ? cell : padToWidth(cell, widths[column] ?? 0))).join('  ');
    const cut = cutToWidth(line, columns);
    terminal.answer(`${row === head ? terminal.answerColors.bold(cut) : cut}\n`);
  }
}
