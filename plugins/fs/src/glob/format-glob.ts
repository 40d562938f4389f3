/** What the model reads of a glob's result: one path a line, then the count and what was left out. */
import { quotePath } from '@haft/core';
import type { GlobResult, LeftOut } from './find-files.js';

export function formatGlob(result: GlobResult): string {
  const { paths, total } = result;
  const notes = [countNote(result), ...leftOutNotes(result.leftOut)];
  if (paths.length < total) notes.push('The first are shown, ordered by path; narrow the pattern to see others.');
  if (result.unreadable > 0) notes.push(`${result.unreadable} folders could not be read.`);
  return [...paths.map(quotePath), `[${notes.join(' ')}]`].join('\n');
}

function countNote({ paths, total, pattern }: GlobResult): string {
  if (total > paths.length) return `${paths.length} of ${total} files shown.`;
  if (total > 0) return `${total} ${total === 1 ? 'file' : 'files'}.`;
  const hint = pattern.includes('\\') ? ' A backslash in a glob means the next character literally; folders are separated by "/".' : '';
  return `No file matches ${JSON.stringify(pattern)}.${hint}`;
}

/** What a search passed over, and how to include it. */
export function leftOutNotes(leftOut: LeftOut): string[] {
  const parts: string[] = [];
  if (leftOut.hiddenCount > 0) parts.push(`${leftOut.hiddenCount} hidden (${examples(leftOut.hidden, leftOut.hiddenCount)})`);
  if (leftOut.ignoredCount > 0) parts.push(`${leftOut.ignoredCount} ignored by git (${examples(leftOut.ignored, leftOut.ignoredCount)})`);
  if (leftOut.linkCount > 0) parts.push(`${leftOut.linkCount} ${leftOut.linkCount === 1 ? 'link' : 'links'}, not followed (${examples(leftOut.links, leftOut.linkCount)})`);
  const notes = parts.length === 0 ? [] : [`Left out: ${parts.join(', ')}; name the folder or file to search it.`];
  if (leftOut.secretCount > 0) notes.push(secretNote(leftOut));
  return notes;
}

function secretNote({ secrets, secretCount }: LeftOut): string {
  const what = secretCount === 1 ? '1 file that usually holds secrets was' : `${secretCount} files that usually hold secrets were`;
  return `${what} left out (${examples(secrets, secretCount)}); ask for one by its path.`;
}

function examples(paths: readonly string[], count: number): string {
  return paths.map(quotePath).join(', ') + (count > paths.length ? ', …' : '');
}
