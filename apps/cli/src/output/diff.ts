// A unified diff with colours, cut to a number of lines.
import { sanitise } from './sanitise.js';
import type { Colors } from './colors.js';

/** Indented lines of the diff; the last one says how many were left out. */
export function renderDiff(diff: string, colors: Colors, maxLines: number, key?: string): string[] {
  const lines = sanitise(diff).replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, maxLines).map((line) => `  ${paint(line, colors)}`);
  if (lines.length > maxLines) shown.push(colors.dim(`  … ${lines.length - maxLines} more lines${key === undefined ? '' : ` (${key} shows all)`}`));
  return shown;
}

function paint(line: string, colors: Colors): string {
  if (line.startsWith('+++') || line.startsWith('---')) return colors.bold(line);
  if (line.startsWith('+')) return colors.green(line);
  if (line.startsWith('-')) return colors.red(line);
  if (line.startsWith('@@')) return colors.cyan(line);
  return line;
}
