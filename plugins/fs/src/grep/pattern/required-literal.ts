/** Plain texts of which every match must hold at least one: looking for them first spares most of the work. */
import type { PatternNode } from './pattern-node.js';

export interface RequiredLiterals {
  /** At most sixteen. */
  texts: readonly string[];
  /** The pattern is the one text and nothing else. */
  whole: boolean;
}

const most = 16;

export function requiredLiterals(node: PatternNode): RequiredLiterals | undefined {
  const parts = flatten(node);
  const whole = parts.length > 0 && parts.every((part) => characterOf(part) !== undefined);
  const texts = literalsOf(node);
  if (texts === undefined || (!whole && !isWorthLooking(texts))) return undefined;
  return { texts, whole };
}

/** A single common letter is met so often that looking for it saves nothing. */
function isWorthLooking(texts: readonly string[]): boolean {
  return texts.every((text) => text.length > 1 || !/[A-Za-z0-9 ]/.test(text));
}

function literalsOf(node: PatternNode): readonly string[] | undefined {
  if (node.kind === 'choice') return oneOf(node.options.map(literalsOf));
  if (node.kind === 'repeat') return node.least >= 1 ? literalsOf(node.part) : undefined;
  const candidates: (readonly string[])[] = [];
  let run = '';
  for (const part of flatten(node)) {
    const character = characterOf(part);
    if (character !== undefined) run += character;
    else if (part.kind !== 'assertion') {
      candidates.push([run]);
      run = '';
      const inner = part.kind === 'set' ? undefined : literalsOf(part);
      if (inner) candidates.push(inner);
    }
  }
  candidates.push([run]);
  const best = candidates.reduce((left, right) => (shortest(right) > shortest(left) ? right : left));
  return shortest(best) > 0 ? best : undefined;
}

function oneOf(options: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  const texts = options.flatMap((option) => option ?? ['']);
  return texts.length > most || texts.includes('') ? undefined : texts;
}

function shortest(texts: readonly string[]): number {
  return Math.min(...texts.map((text) => text.length));
}

/** The parts of nested sequences as one list. */
function flatten(node: PatternNode): readonly PatternNode[] {
  return node.kind === 'sequence' ? node.parts.flatMap(flatten) : [node];
}

function characterOf(node: PatternNode): string | undefined {
  const only = node.kind === 'set' && node.ranges.length === 1 ? node.ranges[0] : undefined;
  if (only === undefined || only[0] !== only[1] || only[0] === 10 || (only[0] >= 0xd800 && only[0] <= 0xdfff)) return undefined;
  return String.fromCodePoint(only[0]);
}
