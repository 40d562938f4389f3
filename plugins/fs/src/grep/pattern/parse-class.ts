/** Reads a character class, `[...]`. */
import { type Range, complement, normalizeRanges } from './code-points.js';
import type { PatternText } from './pattern-text.js';

const named: Readonly<Record<string, readonly Range[]>> = {
  alpha: [[0x41, 0x5a], [0x61, 0x7a]], digit: [[0x30, 0x39]], alnum: [[0x30, 0x39], [0x41, 0x5a], [0x61, 0x7a]], upper: [[0x41, 0x5a]], lower: [[0x61, 0x7a]],
  space: [[9, 13], [32, 32]], blank: [[9, 9], [32, 32]], punct: [[33, 47], [58, 64], [91, 96], [123, 126]], xdigit: [[0x30, 0x39], [0x41, 0x46], [0x61, 0x66]],
  word: [[0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]], cntrl: [[0, 31], [127, 127]], print: [[32, 126]], graph: [[33, 126]], ascii: [[0, 127]],
};

export class PatternClassReader {
  constructor(private readonly text: PatternText) {}

  /** After the `[`. */
  read(): Range[] {
    const { text } = this;
    const negated = text.take('^');
    const ranges: Range[] = [];
    if (text.take(']')) ranges.push([0x5d, 0x5d]);
    while (!text.take(']')) {
      if (text.atEnd()) throw text.failure('a "[" without its "]"');
      if (text.sees('&&') || text.sees('--') || text.sees('~~')) throw text.failure('a set operation in a class, which is not supported');
      ranges.push(...this.item());
    }
    return negated ? complement(ranges) : normalizeRanges(ranges);
  }

  private item(): readonly Range[] {
    const name = this.text.takeMatch(/^\[:\^?[a-z]+:\]/);
    if (name !== undefined) return this.namedClass(name);
    const first = this.single();
    const [only] = first;
    if (!this.text.sees('-') || this.text.sees('-]')) return first;
    this.text.take('-');
    const [end] = this.single();
    if (only === undefined || end === undefined || only[0] !== only[1] || end[0] !== end[1] || end[0] < only[0]) throw this.text.failure('a class range that is none');
    return [[only[0], end[0]]];
  }

  private single(): Range[] {
    if (this.text.take('\\')) {
      if (this.text.take('b')) return [[8, 8]];
      return this.text.takeEscapedSet();
    }
    const codePoint = this.text.next().codePointAt(0) ?? 0;
    return [[codePoint, codePoint]];
  }

  private namedClass(text: string): readonly Range[] {
    const negated = text.startsWith('[:^');
    const ranges = named[text.slice(negated ? 3 : 2, -2)];
    if (ranges === undefined) throw this.text.failure(`the unknown class ${text}`);
    return negated ? complement(ranges) : ranges;
  }
}
