/** The text of a pattern while it is read: looking ahead, taking, escapes, and errors that say where. */
import { ToolFailure } from '@haft/core';
import { type Range, complement, digits, spaces, unicodeProperty, wordCharacters } from './code-points.js';

const controls: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, f: 12, v: 11, a: 7, e: 27 };

export class PatternText {
  private at = 0;

  constructor(private readonly text: string) {}

  atEnd(): boolean {
    return this.at >= this.text.length;
  }

  peek(): string {
    return this.text[this.at] ?? '';
  }

  sees(expected: string): boolean {
    return this.text.startsWith(expected, this.at);
  }

  take(expected: string): boolean {
    if (!this.sees(expected)) return false;
    this.at += expected.length;
    return true;
  }

  /** `pattern` must begin with `^`. */
  takeMatch(pattern: RegExp): string | undefined {
    const found = pattern.exec(this.text.slice(this.at))?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  /** The next character, whole. */
  next(): string {
    const codePoint = this.text.codePointAt(this.at);
    if (codePoint === undefined) throw this.failure('an end where something should follow');
    const character = String.fromCodePoint(codePoint);
    this.at += character.length;
    return character;
  }

  /** `*`, `+`, `?`, `{n}`, `{n,}` or `{n,m}`, with a lazy mark or not: which text is found does not depend on it. A `{` of another form is itself. */
  takeRepeat(): { least: number; most: number } | undefined {
    const mark = this.takeMatch(/^(?:[*+?]|\{\d+(?:,\d*)?\})\??/);
    if (mark === undefined) return undefined;
    if (mark.startsWith('*')) return { least: 0, most: Number.POSITIVE_INFINITY };
    if (mark.startsWith('+')) return { least: 1, most: Number.POSITIVE_INFINITY };
    if (mark.startsWith('?')) return { least: 0, most: 1 };
    const [, least = '0', comma, most] = /^\{(\d+)(,?)(\d*)/.exec(mark) ?? [];
    return { least: Number(least), most: comma === '' ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most) };
  }

  /** What follows a backslash and stands for one character. */
  takeEscapedSet(): Range[] {
    const kind = this.next();
    if (kind === 'p' || kind === 'P') return this.property(kind === 'P');
    const shorthand = { d: digits, w: wordCharacters, s: spaces }[kind.toLowerCase()];
    if (shorthand !== undefined) return kind === kind.toLowerCase() ? [...shorthand] : complement(shorthand);
    const codePoint = this.escapedCode(kind);
    return [[codePoint, codePoint]];
  }

  private escapedCode(kind: string): number {
    const control = controls[kind];
    if (control !== undefined) return control;
    if (kind === '0') return 0;
    if (kind === 'x' || kind === 'u') {
      const hex = this.takeMatch(/^\{[0-9A-Fa-f]{1,6}\}/)?.slice(1, -1) ?? this.takeMatch(kind === 'x' ? /^[0-9A-Fa-f]{2}/ : /^[0-9A-Fa-f]{4}/);
      const value = Number.parseInt(hex ?? '', 16);
      if (Number.isNaN(value) || value > 0x10ffff) throw this.failure(`\\${kind} without its hexadecimal digits`);
      return value;
    }
    if (/[A-Za-z0-9]/.test(kind)) throw this.failure(`\\${kind}, which means nothing here`);
    return kind.codePointAt(0) ?? 0;
  }

  private property(negated: boolean): Range[] {
    const name = this.takeMatch(/^\{[\w=]+\}/)?.slice(1, -1) ?? this.takeMatch(/^[A-Za-z]/) ?? '';
    const ranges = unicodeProperty(name) ?? unicodeProperty(`Script=${name}`);
    if (ranges === undefined) throw this.failure(`the unknown Unicode property ${JSON.stringify(name)}`);
    return negated ? complement(ranges) : [...ranges];
  }

  failure(what: string): ToolFailure {
    return new ToolFailure('invalid_pattern', `The regular expression has ${what} (at character ${this.at + 1} of ${JSON.stringify(this.text.slice(0, 200))}). To search for plain text, set literal.`);
  }
}
