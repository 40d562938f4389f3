/** The longest plain text that every match must hold: looking for it first spares most of the work. */
import type { PatternNode } from './pattern-node.js';

export interface RequiredLiteral {
  text: string;
  /** The pattern is this text and nothing else. */
  whole: boolean;
}

export function requiredLiteral(node: PatternNode): RequiredLiteral | undefined {
  const runs: string[] = [''];
  const whole = collect(node, runs);
  const text = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (text === '' || (!whole && /^[A-Za-z0-9 ]$/.test(text))) return undefined;
  return { text, whole: whole && runs.length === 1 };
}

/** Appends to the last run, or begins a new one where the text is not fixed. Returns whether all of it was fixed. */
function collect(node: PatternNode, runs: string[]): boolean {
  if (node.kind === 'sequence') return node.parts.map((part) => collect(part, runs)).every(Boolean);
  if (node.kind === 'set') {
    const [only] = node.ranges;
    if (node.ranges.length === 1 && only !== undefined && only[0] === only[1] && only[0] !== 10 && !isSurrogate(only[0])) {
      runs[runs.length - 1] += String.fromCodePoint(only[0]);
      return true;
    }
  }
  if (node.kind === 'repeat' && node.least >= 1) {
    runs.push('');
    collect(node.part, runs);
  }
  if (node.kind !== 'assertion') runs.push('');
  return false;
}

function isSurrogate(codePoint: number): boolean {
  return codePoint >= 0xd800 && codePoint <= 0xdfff;
}
