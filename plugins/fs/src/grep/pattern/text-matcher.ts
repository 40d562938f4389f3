/** Finds the lines of a text that a pattern matches, in time proportional to the text. */
import { LazyDfa } from './lazy-dfa.js';
import { type PatternOptions, parsePattern } from './parse-pattern.js';
import { type PatternNode, mentionsLineFeed } from './pattern-node.js';
import { type RequiredLiteral, requiredLiteral } from './required-literal.js';
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
  private readonly literal: RequiredLiteral | undefined;
  private readonly needle: Buffer;

  /** Throws `invalid_pattern`. */
  constructor(pattern: string, options: MatcherOptions) {
    this.node = parsePattern(pattern, options);
    this.multiline = options.multiline || mentionsLineFeed(this.node);
    const { multiline } = this;
    this.forwards = new LazyDfa(compileProgram(this.node, { backwards: false, multiline }), false);
    this.backwards = multiline ? new LazyDfa(compileProgram(this.node, { backwards: true, multiline }), true) : undefined;
    this.literal = requiredLiteral(this.node);
    this.needle = Buffer.from(this.literal?.text ?? '', 'utf8');
  }

  /** Calls `found` for the matching lines in order, until it returns false. */
  search(bytes: Buffer, found: (span: LineSpan) => boolean): void {
    for (let at = 0; at < bytes.length; ) {
      const span = this.literal && !this.multiline ? this.nextByLiteral(bytes, at, this.literal) : this.next(bytes, at);
      if (span === undefined || !found(span)) return;
      at = span.end + 1;
    }
  }

  /** The next line that holds the literal and, where there is more to the pattern, matches. */
  private nextByLiteral(bytes: Buffer, from: number, literal: RequiredLiteral): LineSpan | undefined {
    for (let at = bytes.indexOf(this.needle, from); at !== -1; ) {
      const line = lineAround(bytes, at, at);
      if (literal.whole) return { ...line, matchEnd: at + this.needle.length };
      const matchEnd = this.forwards.findEnd(bytes, line.start, line.end, bytes.length);
      if (matchEnd !== -1) return { ...line, matchEnd };
      at = bytes.indexOf(this.needle, line.end);
    }
    return undefined;
  }

  private next(bytes: Buffer, from: number): LineSpan | undefined {
    if (this.multiline && this.literal && !bytes.includes(this.needle, from)) return undefined;
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
