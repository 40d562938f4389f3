/** Unified diffs: of replacements in a file of any size, and of two whole texts. Bounded. */
import { type StructuredPatchHunk, structuredPatch } from 'diff';
import { countBreaks } from '../text/line-breaks.js';
import type { Replacement } from './plan-edits.js';

const contextLines = 3;
const maxDiffChars = 20_000;
const maxGroups = 100;

/** Replacements whose surroundings touch, shown together. Offsets in the old bytes, at line starts. */
interface Group {
  start: number;
  end: number;
  replacements: Replacement[];
}

/** Looks only at the changed places; the rest of the file costs nothing but the counting of lines. */
export function diffOfReplacements(path: string, bytes: Buffer, replacements: readonly Replacement[]): string {
  const groups = groupsOf(bytes, replacements);
  const hunks: string[] = [];
  let line = 1;
  let from = 0;
  let shift = 0;
  let chars = 0;
  for (const group of groups.slice(0, maxGroups)) {
    line += countBreaks(bytes, from, group.start);
    from = group.start;
    const patch = groupPatch(path, bytes, group);
    for (const hunk of patch) {
      const text = hunkText({ ...hunk, oldStart: hunk.oldStart + line - 1, newStart: hunk.newStart + line - 1 + shift });
      chars += text.length;
      if (chars <= maxDiffChars) hunks.push(text);
    }
    shift += patch.reduce((sum, hunk) => sum + hunk.newLines - hunk.oldLines, 0);
  }
  const cut = chars > maxDiffChars || groups.length > maxGroups ? ['[the diff goes on]'] : [];
  return [`--- a/${path}`, `+++ b/${path}`, ...hunks, ...cut].join('\n');
}

function groupsOf(bytes: Buffer, replacements: readonly Replacement[]): Group[] {
  const groups: Group[] = [];
  for (const replacement of replacements) {
    const start = backLines(bytes, replacement.start, contextLines);
    const end = forwardLines(bytes, replacement.end, contextLines);
    const last = groups.at(-1);
    if (last !== undefined && start <= last.end) {
      last.end = Math.max(last.end, end);
      last.replacements.push(replacement);
    } else {
      groups.push({ start, end, replacements: [replacement] });
    }
    if (groups.length > maxGroups) break;
  }
  return groups;
}

/** The start of the line `count` lines before the one that holds `offset`. */
function backLines(bytes: Buffer, offset: number, count: number): number {
  let at = offset;
  for (let step = 0; step <= count; step++) {
    if (at === 0) return 0;
    const before = bytes.lastIndexOf(10, at - 1);
    if (before === -1) return 0;
    at = before;
  }
  return at + 1;
}

/** The end, line break included, of the line `count` lines after the one that holds `offset`. */
function forwardLines(bytes: Buffer, offset: number, count: number): number {
  let at = Math.max(offset - 1, 0);
  for (let step = 0; step <= count; step++) {
    const next = bytes.indexOf(10, at);
    if (next === -1) return bytes.length;
    at = next + 1;
  }
  return at;
}

function groupPatch(path: string, bytes: Buffer, group: Group): StructuredPatchHunk[] {
  const after: Buffer[] = [];
  let from = group.start;
  for (const { start, end, text } of group.replacements) {
    after.push(bytes.subarray(from, start), text);
    from = end;
  }
  after.push(bytes.subarray(from, group.end));
  const patch = structuredPatch(path, path, bytes.toString('utf8', group.start, group.end), Buffer.concat(after).toString('utf8'), undefined, undefined, {
    context: contextLines, maxEditLength: 2_000,
  });
  return patch?.hunks ?? [];
}

function hunkText({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): string {
  const range = (start: number, count: number) => (count === 1 ? String(start) : `${count === 0 ? start - 1 : start},${count}`);
  return [`@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`, ...lines].join('\n');
}

/** Of two whole texts; undefined when they differ too much for a diff to say anything. */
export function diffOfTexts(path: string, before: string, after: string): string | undefined {
  const patch = structuredPatch(path, path, before, after, undefined, undefined, { context: contextLines, maxEditLength: 4_000 });
  if (patch === undefined) return undefined;
  const text = [`--- a/${path}`, `+++ b/${path}`, ...patch.hunks.map(hunkText)].join('\n');
  return text.length > maxDiffChars ? `${text.slice(0, text.lastIndexOf('\n', maxDiffChars))}\n[the diff goes on]` : text;
}
