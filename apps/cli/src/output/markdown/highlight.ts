// Colours for code in a terminal: comments, strings, numbers and keywords, by the family that a language belongs to. Line by line, so that it streams.
import type { Colors } from '../colors.js';

interface Family {
  /** What begins a comment to the end of the line. */
  line: readonly string[];
  block?: readonly [open: string, close: string];
  keywords: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const cLike: Family = {
  line: ['//'],
  block: ['/*', '*/'],
  keywords: words(
    'abstract as async await bool boolean break case catch char class const continue default defer delete do double else enum export extends false finally float fn for from func function go if impl implements import in instanceof int interface let long match mod mut namespace new nil null number of package private protected pub public readonly return self static string struct super switch this throw trait true try type typeof undefined union unsigned use using var void while yield',
  ),
};
const hashed: Family = {
  line: ['#'],
  keywords: words(
    'and as assert async await break case class continue def del do done elif else end esac except export false False fi finally for from function global if import in is lambda local module None nonlocal not or pass raise return self then true True try until while with yield',
  ),
};
const sql: Family = {
  line: ['--'],
  block: ['/*', '*/'],
  keywords: words(
    'select from where group by order having join left right inner outer on as and or not null is in insert into values update set delete create table index view primary key limit distinct union all case when then else end like between exists',
  ),
};
const plain: Family = { line: [], keywords: new Set() };

const families: Readonly<Record<string, Family>> = {
  ...Object.fromEntries(['ts', 'typescript', 'tsx', 'js', 'javascript', 'jsx', 'json', 'json5', 'java', 'c', 'cpp', 'c++', 'cs', 'csharp', 'go', 'rust', 'rs', 'swift', 'kotlin', 'php', 'css', 'scss', 'dart'].map((name) => [name, cLike])),
  ...Object.fromEntries(['py', 'python', 'sh', 'bash', 'shell', 'zsh', 'rb', 'ruby', 'yaml', 'yml', 'toml', 'ini', 'dockerfile', 'make', 'makefile', 'perl', 'r'].map((name) => [name, hashed])),
  sql,
};

/** One highlighter for one block of code. */
export class Highlighter {
  readonly #family: Family;
  readonly #isDiff: boolean;
  #inComment = false;

  constructor(
    language: string,
    private readonly colors: Colors,
  ) {
    const name = language.trim().split(/[\s{]/)[0]?.toLowerCase() ?? '';
    this.#family = families[name] ?? plain;
    this.#isDiff = name === 'diff' || name === 'patch';
  }

  /** One line with colours; its text is unchanged. */
  line(text: string): string {
    if (this.#isDiff) return text.startsWith('+') ? this.colors.green(text) : text.startsWith('-') ? this.colors.red(text) : text;
    let out = '';
    for (let at = 0; at < text.length; ) {
      const [length, painted] = this.#token(text, at);
      out += painted;
      at += length;
    }
    return out;
  }

  #token(text: string, at: number): [length: number, painted: string] {
    const { line, block, keywords } = this.#family;
    const rest = text.slice(at);
    const as = (piece: string, paint: (text: string) => string): [number, string] => [piece.length, paint(piece)];
    if (this.#inComment || (block !== undefined && rest.startsWith(block[0]))) return as(this.#comment(rest, block?.[1] ?? ''), this.colors.dim);
    if (line.some((start) => rest.startsWith(start)) && (at === 0 || /[\s;{}()]$/.test(text.slice(0, at)))) return as(rest, this.colors.dim);
    const piece = /^(?:"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|`(?:\\.|[^`\\])*`?|\d[\w.]*|[\p{L}_$][\p{L}\p{N}_$]*|\s+|.)/u.exec(rest)?.[0] ?? rest;
    if (this.#family === plain) return [piece.length, piece];
    if (/^["'`]/.test(piece)) return as(piece, this.colors.green);
    if (/^\d/.test(piece)) return as(piece, this.colors.yellow);
    const isKeyword = keywords.has(piece) || (this.#family === sql && keywords.has(piece.toLowerCase()));
    return isKeyword ? as(piece, this.colors.magenta) : [piece.length, piece];
  }

  /** A comment up to its end or the end of the line. */
  #comment(rest: string, close: string): string {
    const end = rest.indexOf(close, this.#inComment ? 0 : close.length);
    this.#inComment = end < 0;
    return end < 0 ? rest : rest.slice(0, end + close.length);
  }
}
