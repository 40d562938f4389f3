/**
 * Reads a regular expression of the common dialect: what ripgrep, RE2 and JavaScript share. Look-around and back-references, which no
 * linear-time engine has, are refused by name. `\d \w \s \b` mean ASCII.
 */
import { ToolFailure } from '@haft/core';
import { type CodePoints, type Range, withBothCases } from './code-points.js';
import { PatternClassReader } from './parse-class.js';
import { type PatternNode, emptyNode } from './pattern-node.js';
import { PatternText } from './pattern-text.js';

const maxPatternChars = 10_000;
const maxRepeat = 1_000;
const maxDepth = 100;

export interface PatternOptions {
  ignoreCase: boolean;
  /** The pattern is plain text. */
  literal: boolean;
}

/** Throws `invalid_pattern` that says what and where. */
export function parsePattern(pattern: string, options: PatternOptions): PatternNode {
  if (pattern.length > maxPatternChars) throw new ToolFailure('invalid_pattern', `The pattern is too long: at most ${maxPatternChars} characters.`);
  if (options.literal) {
    const parts = Array.from(pattern, (character) => setOf([[codeOf(character), codeOf(character)]], options.ignoreCase));
    return { kind: 'sequence', parts };
  }
  return new PatternParser(new PatternText(pattern), options.ignoreCase).parse();
}

function setOf(ranges: CodePoints, ignoreCase: boolean): PatternNode {
  return { kind: 'set', ranges: ignoreCase ? withBothCases(ranges) : ranges };
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

class PatternParser {
  private depth = 0;
  private dotAll = false;

  constructor(private readonly text: PatternText, private ignoreCase: boolean) {}

  parse(): PatternNode {
    const node = this.choice();
    if (!this.text.atEnd()) throw this.text.failure('a ")" without its "("');
    return node;
  }

  private choice(): PatternNode {
    const options = [this.sequence()];
    while (this.text.take('|')) options.push(this.sequence());
    const [only] = options;
    return options.length === 1 && only ? only : { kind: 'choice', options };
  }

  private sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (!this.text.atEnd() && !this.text.sees('|') && !this.text.sees(')')) parts.push(this.repeated(this.atom()));
    const [only] = parts;
    return parts.length === 1 && only ? only : { kind: 'sequence', parts };
  }

  private repeated(part: PatternNode): PatternNode {
    let node = part;
    for (let count = this.text.takeRepeat(); count !== undefined; count = this.text.takeRepeat()) {
      const { least, most } = count;
      if (least > maxRepeat || (most > maxRepeat && most !== Number.POSITIVE_INFINITY)) throw this.text.failure(`a repetition of more than ${maxRepeat}`);
      if (most < least) throw this.text.failure('a repetition whose end is before its start');
      node = { kind: 'repeat', part: node, least, most };
    }
    return node;
  }

  private atom(): PatternNode {
    const { text } = this;
    if (text.take('(')) return this.group();
    if (text.take('[')) return this.set(new PatternClassReader(text).read());
    if (text.take('.')) return this.set(this.dotAll ? [[0, 0x10ffff]] : [[0, 9], [11, 0x10ffff]]);
    if (text.take('^')) return { kind: 'assertion', assertion: 'line-start' };
    if (text.take('$')) return { kind: 'assertion', assertion: 'line-end' };
    if (text.sees('*') || text.sees('+') || text.sees('?')) throw text.failure(`a ${JSON.stringify(text.peek())} with nothing before it to repeat`);
    if (text.take('\\')) return this.escape();
    const codePoint = codeOf(text.next());
    return this.set([[codePoint, codePoint]]);
  }

  private escape(): PatternNode {
    const { text } = this;
    if (text.take('b')) return { kind: 'assertion', assertion: 'word-edge' };
    if (text.take('B')) return { kind: 'assertion', assertion: 'no-word-edge' };
    if (text.take('A') || text.take('z') || text.take('Z')) throw text.failure('\\A, \\z or \\Z: use ^ and $, which stand for line ends');
    if (/[1-9]/.test(text.peek()) || text.sees('k<')) throw text.failure('a back-reference, which is not supported');
    return this.set(text.takeEscapedSet());
  }

  private group(): PatternNode {
    const { text } = this;
    if (++this.depth > maxDepth) throw text.failure(`more than ${maxDepth} groups in each other`);
    const before = { ignoreCase: this.ignoreCase, dotAll: this.dotAll };
    if (text.take('?') && this.groupOptions()) {
      // `(?i)` holds up to the end of the group around it.
      this.depth--;
      return emptyNode;
    }
    const node = this.choice();
    if (!text.take(')')) throw text.failure('a "(" without its ")"');
    Object.assign(this, before);
    this.depth--;
    return node;
  }

  /** What follows `(?`. True when the group is flags only. */
  private groupOptions(): boolean {
    const { text } = this;
    if (text.sees('=') || text.sees('!') || text.sees('<=') || text.sees('<!')) throw text.failure('look-around, which is not supported; match the surroundings too, or filter the result');
    if (text.takeMatch(/^P?<[A-Za-z_]\w*>/) !== undefined || text.take(':')) return false;
    const flags = text.takeMatch(/^[ims]*(-[ims]+)?(?=[:)])/);
    if (flags === undefined) throw text.failure('a group of a kind that is not supported');
    const [on = '', off = ''] = flags.split('-');
    if (on.includes('i')) this.ignoreCase = true;
    if (off.includes('i')) this.ignoreCase = false;
    if (on.includes('s')) this.dotAll = true;
    if (off.includes('s')) this.dotAll = false;
    return !text.take(':') && text.take(')');
  }

  private set(ranges: readonly Range[]): PatternNode {
    return setOf(ranges, this.ignoreCase);
  }
}
