/** A pattern in ripgrep's own spelling, with every set written out, so that what it means there does not depend on flags or versions. */
import { type CodePoints, type Range, without } from './code-points.js';
import type { PatternNode } from './pattern-node.js';

/** Matches at least the lines that the pattern matches. Begins with no character that an option could begin with. */
export function toRipgrep(node: PatternNode, multiline: boolean): string {
  return `(?:${write(node, multiline)})`;
}

function write(node: PatternNode, multiline: boolean): string {
  switch (node.kind) {
    case 'set':
      return writeSet(multiline ? node.ranges : without(node.ranges, 10));
    case 'sequence':
      return node.parts.map((part) => write(part, multiline)).join('');
    case 'choice':
      return `(?:${node.options.map((option) => write(option, multiline)).join('|')})`;
    case 'repeat':
      return `(?:${write(node.part, multiline)}){${node.least},${node.most === Number.POSITIVE_INFINITY ? '' : node.most}}`;
    case 'assertion':
      // A line's end is before CR LF, too; it must take no character, since what follows in the pattern may speak of the CR.
      return { 'line-start': '(?m:^)', 'line-end': '(?:(?mR:$)|(?m:$))', 'word-edge': '(?-u:\\b)', 'no-word-edge': '(?-u:\\B)' }[node.assertion];
  }
}

function writeSet(ranges: CodePoints): string {
  const valid = ranges.flatMap(withoutSurrogates);
  const [only] = valid;
  if (only === undefined) return '[^\\x{0}-\\x{10ffff}]';
  if (valid.length === 1 && only[0] === only[1]) return writeCodePoint(only[0]);
  return `[${valid.map(([from, to]) => (from === to ? writeCodePoint(from) : `${writeCodePoint(from)}-${writeCodePoint(to)}`)).join('')}]`;
}

function withoutSurrogates([from, to]: Range): Range[] {
  const parts: Range[] = [[from, Math.min(to, 0xd7ff)], [Math.max(from, 0xe000), to]];
  return parts.filter(([start, end]) => start <= end);
}

function writeCodePoint(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  return /[A-Za-z0-9_]/.test(character) ? character : `\\x{${codePoint.toString(16)}}`;
}
