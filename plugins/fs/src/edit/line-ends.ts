/** Gives new text the line breaks of the place where it goes. */
import type { Match } from './find-text.js';
import { withPlainBreaks } from './find-text.js';

/**
 * The n-th line break of the new text takes the form of the n-th of what it replaces; further ones that of the last, or, where nothing
 * with a line break is replaced, of the line that the place lies in.
 */
export function fitLineEnds(text: string, bytes: Buffer, place: Match): string {
  const lines = withPlainBreaks(text).split('\n');
  if (lines.length === 1) return text;
  const replaced = breaksIn(bytes, place);
  const otherwise = replaced.at(-1) ?? breakNear(bytes, place);
  return lines.map((line, index) => (index === lines.length - 1 ? line : line + (replaced[index] ?? otherwise))).join('');
}

function breaksIn(bytes: Buffer, { start, end }: Match): string[] {
  const breaks: string[] = [];
  for (let at = bytes.indexOf(10, start); at !== -1 && at < end; at = bytes.indexOf(10, at + 1)) breaks.push(breakAt(bytes, at));
  return breaks;
}

function breakNear(bytes: Buffer, { start, end }: Match): string {
  const after = bytes.indexOf(10, end);
  if (after !== -1) return breakAt(bytes, after);
  const before = start === 0 ? -1 : bytes.lastIndexOf(10, start - 1);
  return before === -1 ? '\n' : breakAt(bytes, before);
}

function breakAt(bytes: Buffer, at: number): string {
  return bytes[at - 1] === 13 ? '\r\n' : '\n';
}
