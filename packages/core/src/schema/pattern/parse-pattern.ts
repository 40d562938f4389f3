/** The syntax of a regular expression in Unicode mode, as a tree; for the linear matcher, and to see what could take long. */

export type PatternNode =
  | { type: 'character'; matches: (character: string) => boolean }
  | { type: 'assertion'; kind: 'start' | 'end' | 'boundary' | 'no-boundary' }
  | { type: 'sequence'; parts: PatternNode[] }
  | { type: 'choice'; options: PatternNode[] }
  | { type: 'repeat'; of: PatternNode; min: number; max: number };

/** What only a backtracking engine can do: looking around, and going back to a group. */
export class UnsupportedPattern extends Error {
  override readonly name = 'UnsupportedPattern';
}

/**
 * @param flags any of `i`, `m`, `s`
 * @throws UnsupportedPattern for lookaround and back references; the source must be one that `new RegExp(source, 'u')` takes
 */
export function parsePattern(source: string, flags: string): PatternNode {
  return new PatternReader(source, flags).readAll();
}

const escapeLength: readonly [RegExp, number][] = [[/^\\u\{[0-9A-Fa-f]+\}/, 0], [/^\\u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}/, 12], [/^\\u/, 6], [/^\\x/, 4], [/^\\c/, 3], [/^\\[pP]\{[^}]+\}/, 0]];

class PatternReader {
  #at = 0;
  readonly #atoms = new Map<string, PatternNode>();

  constructor(private readonly source: string, private readonly flags: string) {}

  readAll(): PatternNode {
    return this.#choice();
  }

  #choice(): PatternNode {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return options.length === 1 && options[0] !== undefined ? options[0] : { type: 'choice', options };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.source.length && !'|)'.includes(this.source[this.#at] ?? '')) parts.push(this.#quantified(this.#term()));
    return { type: 'sequence', parts };
  }

  #term(): PatternNode {
    if (this.#take('^')) return { type: 'assertion', kind: 'start' };
    if (this.#take('$')) return { type: 'assertion', kind: 'end' };
    if (this.#take('(')) return this.#group();
    if (this.source[this.#at] === '[') return this.#atom(this.#classLength());
    if (this.source[this.#at] === '\\') return this.#escape();
    return this.#atom(String.fromCodePoint(this.source.codePointAt(this.#at) ?? 0).length);
  }

  #group(): PatternNode {
    const opening = /^\?(?::|<[^=!>][^>]*>)/.exec(this.source.slice(this.#at))?.[0] ?? '';
    if (opening === '' && this.source[this.#at] === '?') throw new UnsupportedPattern('it looks ahead or behind');
    this.#at += opening.length;
    const inner = this.#choice();
    this.#at += 1;
    return inner;
  }

  #escape(): PatternNode {
    const next = this.source[this.#at + 1] ?? '';
    if (/[1-9k]/.test(next)) throw new UnsupportedPattern('it goes back to a group');
    if (next === 'b' || next === 'B') {
      this.#at += 2;
      return { type: 'assertion', kind: next === 'b' ? 'boundary' : 'no-boundary' };
    }
    const rest = this.source.slice(this.#at);
    for (const [start, length] of escapeLength) {
      const found = start.exec(rest);
      if (found !== null) return this.#atom(length === 0 ? found[0].length : length);
    }
    return this.#atom(2);
  }

  #classLength(): number {
    let end = this.#at + 1;
    while (this.source[end] !== ']') end += this.source[end] === '\\' ? 2 : 1;
    return end + 1 - this.#at;
  }

  /** One character of the text, judged by the engine itself, each different one once. */
  #atom(length: number): PatternNode {
    const text = this.source.slice(this.#at, this.#at + length);
    this.#at += length;
    const known = this.#atoms.get(text);
    if (known !== undefined) return known;
    const expression = new RegExp(`^(?:${text})$`, `u${this.flags.replaceAll(/[^is]/g, '')}`);
    const verdicts = new Map<string, boolean>();
    const node: PatternNode = { type: 'character', matches: (character) => judge(character, expression, verdicts) };
    this.#atoms.set(text, node);
    return node;
  }

  #quantified(term: PatternNode): PatternNode {
    const [text, least, comma, most] = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.source.slice(this.#at)) ?? [];
    if (text === undefined) return term;
    this.#at += text.length;
    if (text.startsWith('*')) return { type: 'repeat', of: term, min: 0, max: Infinity };
    if (text.startsWith('+')) return { type: 'repeat', of: term, min: 1, max: Infinity };
    if (text.startsWith('?')) return { type: 'repeat', of: term, min: 0, max: 1 };
    const min = Number(least);
    return { type: 'repeat', of: term, min, max: comma === '' ? min : most === '' ? Infinity : Number(most) };
  }

  #take(character: string): boolean {
    if (this.source[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }
}

/** Texts of many scripts would fill the memory; beyond this, a character is judged anew. */
const mostVerdicts = 4_096;

function judge(character: string, expression: RegExp, verdicts: Map<string, boolean>): boolean {
  let verdict = verdicts.get(character);
  if (verdict === undefined) {
    verdict = expression.test(character);
    if (verdicts.size < mostVerdicts) verdicts.set(character, verdict);
  }
  return verdict;
}
