/** Finds where each edit of a batch applies in the old content, all or none: exact, unique unless every place is meant, not overlapping. */
import { ToolFailure, quotePath } from '@haft/core';
import { countBreaks, lineAt } from '../text/line-breaks.js';
import { type Match, findText, withPlainBreaks } from './find-text.js';
import { fitLineEnds } from './line-ends.js';
import { describeNearest } from './nearest-places.js';

export interface TextEdit {
  old_text: string;
  new_text: string;
  replace_all: boolean;
}

export interface Replacement extends Match {
  text: Buffer;
  /** Index of the edit. */
  edit: number;
}

/** Replacements in order of place. Throws `no_match`, `ambiguous_match`, `overlapping_edits` or `no_change`, naming the edit. */
export function planEdits(bytes: Buffer, edits: readonly TextEdit[], path: string): Replacement[] {
  const name = (index: number) => (edits.length === 1 ? 'old_text' : `old_text of edits[${index}]`);
  const all = edits.flatMap((edit, index) => planOne(bytes, edit, index, name(index), path));
  all.sort((left, right) => left.start - right.start || left.end - right.end);
  for (const [index, next] of all.entries()) {
    const previous = all[index - 1];
    if (previous === undefined || next.start >= previous.end) continue;
    throw new ToolFailure('overlapping_edits', `edits[${previous.edit}] and edits[${next.edit}] touch the same text of ${quotePath(path)} (line ${lineAt(bytes, next.start)}). All edits are matched against the file as it is now. Nothing was changed.`);
  }
  return all;
}

function planOne(bytes: Buffer, edit: TextEdit, index: number, name: string, path: string): Replacement[] {
  // When only line breaks differ, they are what the edit is about: then they are taken as written.
  const literal = edit.old_text !== edit.new_text && withPlainBreaks(edit.old_text) === withPlainBreaks(edit.new_text);
  const places = findText(bytes, edit.old_text, { literal, ...(!edit.replace_all && { most: 10_000 }) });
  if (places.length === 0) throw new ToolFailure('no_match', noMatchText(bytes, edit, name, path));
  if (places.length > 1 && !edit.replace_all) throw new ToolFailure('ambiguous_match', ambiguousText(bytes, places, name, path));
  const replacements = withoutOverlaps(places).map((place) => {
    const text = literal ? edit.new_text : fitLineEnds(edit.new_text, bytes, place);
    return { ...place, text: Buffer.from(text, 'utf8'), edit: index };
  });
  if (replacements.every(({ start, end, text }) => text.equals(bytes.subarray(start, end)))) {
    throw new ToolFailure('no_change', `${name} and its new_text are the same: no change was made to ${quotePath(path)}.`);
  }
  return replacements;
}

function withoutOverlaps(places: readonly Match[]): Match[] {
  const kept: Match[] = [];
  for (const place of places) if (place.start >= (kept.at(-1)?.end ?? 0)) kept.push(place);
  return kept;
}

function noMatchText(bytes: Buffer, edit: TextEdit, name: string, path: string): string {
  return `${name} does not occur in ${quotePath(path)}; nothing was changed.\n${describeNearest(bytes, edit.old_text)}`;
}

function ambiguousText(bytes: Buffer, places: readonly Match[], name: string, path: string): string {
  const lines: number[] = [];
  let line = 1;
  let from = 0;
  for (const { start } of places.slice(0, 20)) {
    line += countBreaks(bytes, from, start);
    from = start;
    lines.push(line);
  }
  const count = places.length >= 10_000 ? 'at least 10000' : String(places.length);
  const more = places.length > lines.length ? ', …' : '';
  return `${name} occurs ${count} times in ${quotePath(path)} (lines ${lines.join(', ')}${more}); nothing was changed. Add lines before or after it until it is unique, or set replace_all.`;
}

/** The new content, as views on the old one and the new pieces: nothing is copied. */
export function applyReplacements(bytes: Buffer, replacements: readonly Replacement[]): Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { start, end, text } of replacements) {
    parts.push(bytes.subarray(from, start), text);
    from = end;
  }
  parts.push(bytes.subarray(from));
  return parts.filter((part) => part.length > 0);
}
