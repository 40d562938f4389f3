// What is shown below a tool's line: the diff of an edit, or, in detail, the result's text.
import type { ToolResult } from '@haft/core';
import { renderDiff } from './diff.js';
import { sanitise } from './sanitise.js';
import type { Colors } from './colors.js';

const diffLines = 12;
const detailLines = 200;

/** Indented lines; `whole` shows the text of every result, otherwise only diffs are shown, cut. */
export function resultDetails(result: ToolResult, colors: Colors, whole: boolean): string[] {
  const diff = diffOf(result);
  if (diff !== undefined) return renderDiff(diff, colors, whole ? detailLines : diffLines);
  if (!whole) return [];
  const text = typeof result.content === 'string' ? result.content : result.content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n');
  const lines = sanitise(text).trimEnd().split('\n');
  const shown = lines.slice(0, detailLines).map((line) => colors.dim(`  ${line}`));
  return lines.length > detailLines ? [...shown, colors.dim(`  … ${lines.length - detailLines} more lines`)] : shown;
}

/** File tools give what they changed as `data.diff`. */
function diffOf({ success, data }: ToolResult): string | undefined {
  if (!success || typeof data !== 'object' || data === null || !('diff' in data)) return undefined;
  return typeof data.diff === 'string' && data.diff !== '' ? data.diff : undefined;
}
