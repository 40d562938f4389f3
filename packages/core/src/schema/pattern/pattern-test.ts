/**
 * Tests an author's pattern on a model's text without ever hanging: the built-in engine where the text is too short for it to take long, the linear matcher
 * elsewhere.
 */
import { linearMatcher } from './linear-matcher.js';
import { parsePattern, UnsupportedPattern, type PatternNode } from './parse-pattern.js';

/** A text that the built-in engine may try, where it has few enough ways to. */
const shortText = 256;
const mostWays = 70_000;

/**
 * @param flags any of `i`, `m`, `s`; others are ignored
 * @throws UnsupportedPattern where the pattern may take exponential time and the linear matcher cannot read it
 */
export function patternTest(source: string, flags = ''): (text: string) => boolean {
  const expression = new RegExp(source, `u${flags.replaceAll(/[^ims]/g, '')}`);
  const quick = (text: string): boolean => expression.test(text);
  const { pattern, problem } = read(source, flags);
  if (pattern === undefined) {
    if (hasQuantifiedGroup(source)) throw new UnsupportedPattern(problem);
    // Polynomial at worst: longer texts are refused unseen.
    return (text) => text.length <= shortText && quick(text);
  }
  const { unbounded, factor } = costOf(pattern);
  if (isAnchored(pattern) && unbounded <= 1 && factor <= 100) return quick;
  let linear: ((text: string) => boolean) | undefined;
  const slow = (text: string): boolean => (linear ??= linearMatcher(pattern, flags))(text);
  return factor * shortText ** unbounded > mostWays ? slow : (text) => (text.length <= shortText ? quick(text) : slow(text));
}

/** Whether `patternTest` takes the pattern. */
export function isTestable(source: string): boolean {
  const { pattern } = read(source, '');
  return pattern !== undefined || !hasQuantifiedGroup(source);
}

function read(source: string, flags: string): { pattern?: PatternNode; problem: string } {
  try {
    const pattern = parsePattern(source, flags);
    linearMatcher(pattern, flags);
    return { pattern, problem: '' };
  } catch (error) {
    if (error instanceof UnsupportedPattern) return { problem: error.message };
    throw error;
  }
}

function isAnchored(pattern: PatternNode): boolean {
  const first = pattern.type === 'sequence' ? pattern.parts[0] : pattern;
  return first?.type === 'assertion' && first.kind === 'start';
}

/** In how many ways a backtracking engine may try a pattern at one place: `factor` times the length of the text to the power of `unbounded`. */
interface Cost {
  unbounded: number;
  factor: number;
}

function costOf(node: PatternNode): Cost {
  switch (node.type) {
    case 'character': case 'assertion': return { unbounded: 0, factor: 1 };
    case 'sequence': return product(node.parts.map(costOf));
    case 'choice': return { ...product(node.options.map(costOf)), factor: node.options.map((option) => costOf(option).factor).reduce((sum, factor) => sum + factor, 0) };
    case 'repeat': return costOfRepeat(node.of, node.max);
  }
}

/** Where something that itself repeats or chooses is repeated, the ways double with every character. */
function costOfRepeat(of: PatternNode, max: number): Cost {
  if (max > 1 && varies(of)) return { unbounded: 0, factor: Infinity };
  const inner = costOf(of);
  return max > 32 ? { ...inner, unbounded: inner.unbounded + 1 } : { ...inner, factor: inner.factor * (max + 1) };
}

function product(costs: readonly Cost[]): Cost {
  return costs.reduce((all, cost) => ({ unbounded: all.unbounded + cost.unbounded, factor: all.factor * cost.factor }), { unbounded: 0, factor: 1 });
}

function varies(node: PatternNode): boolean {
  switch (node.type) {
    case 'sequence': return node.parts.some(varies);
    case 'choice': case 'repeat': return true;
    default: return false;
  }
}

function hasQuantifiedGroup(source: string): boolean {
  return /\)(?:[*+]|\{\d+,?\d*\})/.test(source);
}
