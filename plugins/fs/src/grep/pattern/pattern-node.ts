/** What a search pattern says, as a tree. */
import type { CodePoints } from './code-points.js';

export type Assertion = 'line-start' | 'line-end' | 'word-edge' | 'no-word-edge';

export type PatternNode =
  | { kind: 'set'; ranges: CodePoints }
  | { kind: 'sequence'; parts: readonly PatternNode[] }
  | { kind: 'choice'; options: readonly PatternNode[] }
  /** `most` may be Infinity. */
  | { kind: 'repeat'; part: PatternNode; least: number; most: number }
  | { kind: 'assertion'; assertion: Assertion };

export const emptyNode: PatternNode = { kind: 'sequence', parts: [] };

/** Whether some text matched by the pattern can hold a line feed because the pattern says so in itself. */
export function mentionsLineFeed(node: PatternNode): boolean {
  switch (node.kind) {
    case 'set':
      return node.ranges.length === 1 && node.ranges[0]?.[0] === 10 && node.ranges[0][1] === 10;
    case 'sequence':
      return node.parts.some(mentionsLineFeed);
    case 'choice':
      return node.options.some(mentionsLineFeed);
    case 'repeat':
      return mentionsLineFeed(node.part);
    case 'assertion':
      return false;
  }
}
