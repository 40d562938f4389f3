// What is shown below a tool's line: the diff of an edit, or, in detail, the result's text.
import type { ToolResult } from '@haft/core';
import { renderDiff } from './diff.js';
import { sanitise } from './sanitise.js';
import type { Colors } from './colors.js';

const diffLines = 12;
const detailLines = 200;

/** Indented lines; `whole` shows the text of every result, otherwise only diffs are shown, cut, with the key that shows all. */
export function resultDetails(result: ToolResult, colors: Colors, whole: boolean, key?: string): string[] {
  const diff = diffOf(result);
  if (diff !== undefined) return renderDiff(diff, colors, whole ? detailLines : diffLines, whole ? undefined : key);
  if (!whole) return [];
  const lines = sanitise(textOf(result)).trimEnd().split('\n');
  const shown = lines.slice(0, detailLines).map((line) => colors.dim(`  ${line}`));
  return lines.length > detailLines ? [...shown, colors.dim(`  … ${lines.length - detailLines} more lines`)] : shown;
}

/** Whether there is more of it than its line, or a cut diff, shows. */
export function hidesLines(result: ToolResult): boolean {
  const diff = diffOf(result);
  return (diff ?? textOf(result)).trimEnd().split('\n').length > (diff === undefined ? 1 : diffLines);
}

function textOf({ content }: ToolResult): string {
  return typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n');
}

/** File tools give what they changed as `data.diff`. */
function diffOf({ success, data }: ToolResult): string | undefined {
  if (!success || typeof data !== 'object' || data === null || !('diff' in data)) return undefined;
  return typeof data.diff === 'string' && data.diff !== '' ? data.diff : undefined;
}
