/** Finds the lines of a text that a pattern matches, in time proportional to the text. */
import { LazyDfa } from './lazy-dfa.js';
import { type PatternOptions, parsePattern } from './parse-pattern.js';
import { type PatternNode, mentionsLineFeed } from './pattern-node.js';
import { type RequiredLiterals, requiredLiterals } from './required-literal.js';
import { compileProgram } from './utf8-program.js';

export interface MatcherOptions extends PatternOptions {
  /** A match may go over several lines. Set by itself when the pattern names a line feed. */
  multiline: boolean;
}

/** Byte offsets of whole lines, without the last one's line feed, and where in them the match ends. */
export interface LineSpan {
  start: number;
  end: number;
  matchEnd: number;
}

export class TextMatcher {
  readonly node: PatternNode;
  readonly multiline: boolean;
  private readonly forwards: LazyDfa;
  private readonly backwards: LazyDfa | undefined;
  private readonly literals: RequiredLiterals | undefined;
  private readonly needles: readonly Buffer[];

  /** Throws `invalid_pattern`. */
  constructor(pattern: string, options: MatcherOptions) {
    this.node = parsePattern(pattern, options);
    this.multiline = options.multiline || mentionsLineFeed(this.node);
    const { multiline } = this;
    this.forwards = new LazyDfa(compileProgram(this.node, { backwards: false, multiline }), false);
    this.backwards = multiline ? new LazyDfa(compileProgram(this.node, { backwards: true, multiline }), true) : undefined;
    this.literals = requiredLiterals(this.node);
    this.needles = (this.literals?.texts ?? []).map((text) => Buffer.from(text, 'utf8'));
  }

  /** Calls `found` for the matching lines in order, until it returns false. */
  search(bytes: Buffer, found: (span: LineSpan) => boolean): void {
    const places = this.needles.map(() => -1);
    for (let at = 0; at < bytes.length; ) {
      const span = this.literals && !this.multiline ? this.nextByLiterals(bytes, at, this.literals, places) : this.next(bytes, at);
      if (span === undefined || !found(span)) return;
      at = span.end + 1;
    }
  }

  /** The next line that holds one of the literals and, where there is more to the pattern, matches. `places`: where each literal was last seen. */
  private nextByLiterals(bytes: Buffer, from: number, literals: RequiredLiterals, places: number[]): LineSpan | undefined {
    for (let at = this.nearest(bytes, from, places); at !== -1; ) {
      const line = lineAround(bytes, at, at);
      if (literals.whole) return { ...line, matchEnd: at + (this.needles[0]?.length ?? 0) };
      const matchEnd = this.forwards.findEnd(bytes, line.start, line.end, bytes.length);
      if (matchEnd !== -1) return { ...line, matchEnd };
      at = this.nearest(bytes, line.end, places);
    }
    return undefined;
  }

  /** The first place of any literal from `from` on, or -1. Each literal is looked for again only when its last place was passed. */
  private nearest(bytes: Buffer, from: number, places: number[]): number {
    let first = -1;
    for (const [index, needle] of this.needles.entries()) {
      let place = places[index] ?? -1;
      if (place < from && place !== bytes.length) {
        place = bytes.indexOf(needle, from);
        if (place === -1) place = bytes.length;
        places[index] = place;
      }
      if (place !== bytes.length && (first === -1 || place < first)) first = place;
    }
    return first;
  }

  private next(bytes: Buffer, from: number): LineSpan | undefined {
    if (this.needles.length > 0 && this.needles.every((needle) => !bytes.includes(needle, from))) return undefined;
    const matchEnd = this.forwards.findEnd(bytes, from, bytes.length, bytes.length);
    if (matchEnd === -1) return undefined;
    const start = this.backwards?.findStart(bytes, matchEnd, from, bytes.length) ?? matchEnd;
    // After the last line feed there is no further line.
    if (start === bytes.length && bytes[start - 1] === 10) return undefined;
    // A match that ends with a line feed lies on the line that the feed ends.
    const lastByte = this.multiline && matchEnd > start ? matchEnd - 1 : matchEnd;
    return { ...lineAround(bytes, start, lastByte), matchEnd };
  }
}

function lineAround(bytes: Buffer, first: number, last: number): { start: number; end: number } {
  const start = first === 0 ? 0 : bytes.lastIndexOf(10, first - 1) + 1;
  const end = bytes.indexOf(10, last);
  return { start, end: end === -1 ? bytes.length : end };
}
