// Markdown while it comes. What is finished is given once and stays: code line by line, any other block when it ends. The block that is being
// written is given again and again, as the lines that the terminal shows below and draws over.
import { lexer } from 'marked';
import type { Colors } from '../colors.js';
import { renderBlocks } from './blocks.js';
import { closeInline } from './close-inline.js';
import { Highlighter } from './highlight.js';

const fenceStart = /^(\s*)(`{3,}|~{3,})([^`]*)$/;
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
/** The beginning of a fence: shown as text it would only flicker. */
const unclear = /^\s*(?:`{1,2}|`{3,}[^`]*|~{1,2}|~{3,}.*)$/;
/** Of a long block only the end is drawn while it grows. */
const liveChars = 4_000;

interface Fence {
  mark: string;
  indent: string;
  highlighter: Highlighter;
}

/** An answer on its way to the screen. */
export interface AnswerStream {
  /** What is finished with this piece of text. */
  push(text: string): string;
  /** Lines of what is not finished yet; some may be wider than the terminal. */
  live(): readonly string[];
  /** What is left at the end of the text. */
  end(): string;
}

export class MarkdownStream implements AnswerStream {
  #pending = '';
  #block: string[] = [];
  #fence: Fence | undefined;
  #shown = false;

  constructor(
    private readonly colors: Colors,
    private readonly columns: () => number,
  ) {}

  push(text: string): string {
    const lines = (this.#pending + text).split('\n');
    this.#pending = lines.pop() ?? '';
    return lines.map((line) => this.#line(line)).join('');
  }

  live(): readonly string[] {
    const columns = this.columns();
    if (this.#fence !== undefined) return this.#liveCode(this.#fence);
    const source = this.#liveSource();
    if (source.trim() === '') return [];
    const gap = this.#shown ? [''] : [];
    if (isTable(source)) return [...gap, this.colors.dim(announceTable(this.#block.length - 2))];
    return [...gap, ...renderBlocks(lexer(closeInline(source)), this.colors, columns)];
  }

  end(): string {
    const last = this.#pending === '' ? '' : this.#line(this.#pending);
    this.#pending = '';
    this.#fence = undefined;
    return last + this.#flush();
  }

  #liveCode({ indent, mark }: Fence): string[] {
    const line = this.#pending.trim();
    if (line === '' || mark.startsWith(line)) return [];
    return [`${indent}  ${withoutIndent(this.#pending, indent)}`];
  }

  #liveSource(): string {
    const source = [...this.#block, ...(unclear.test(this.#pending) ? [] : [this.#pending])].join('\n');
    if (source.length <= liveChars) return source;
    const tail = source.slice(-liveChars);
    const cut = tail.search(isList(this.#block) ? /\n(?=\s*(?:[-*+]|\d{1,9}[.)])\s)/ : /\s/);
    return tail.slice(Math.max(0, cut)).trimStart();
  }

  #line(line: string): string {
    if (this.#fence !== undefined) return this.#codeLine(line, this.#fence);
    const [, indent = '', mark, language = ''] = fenceStart.exec(line) ?? [];
    if (mark !== undefined && (indent.length <= 3 || isList(this.#block))) {
      const before = this.#flush();
      this.#fence = { mark, indent, highlighter: new Highlighter(language, this.colors) };
      return before + this.#gap();
    }
    if (line.trim() === '') return this.#emptyLine();
    const before = this.#block.at(-1) === '' && !/^\s{2}/.test(line) && !listItem.test(line) ? this.#flush() : '';
    this.#block.push(line);
    return before;
  }

  /** It ends a block, but for a list: what follows may belong to an item. */
  #emptyLine(): string {
    if (!isList(this.#block)) return this.#flush();
    this.#block.push('');
    return '';
  }

  #codeLine(line: string, { mark, indent, highlighter }: Fence): string {
    const closes = line.trim().length >= mark.length && line.trim() === (mark[0] ?? '').repeat(line.trim().length);
    if (!closes) return `${indent}  ${highlighter.line(withoutIndent(line, indent))}\n`;
    this.#fence = undefined;
    return '';
  }

  #flush(): string {
    if (this.#block.length === 0) return '';
    const lines = renderBlocks(lexer(this.#block.join('\n')), this.colors, this.columns());
    this.#block = [];
    return lines.length === 0 ? '' : `${this.#gap()}${lines.join('\n')}\n`;
  }

  /** An empty line between blocks. */
  #gap(): string {
    const gap = this.#shown ? '\n' : '';
    this.#shown = true;
    return gap;
  }
}

/** A line of code in an item, without the item's indentation. */
function withoutIndent(line: string, indent: string): string {
  return line.startsWith(indent) ? line.slice(indent.length) : line.trimStart();
}

function isList([first]: readonly string[]): boolean {
  return first !== undefined && listItem.test(first);
}

/** Its columns are as wide as their widest cell, so it is shown when all of it is there. */
function isTable(source: string): boolean {
  return /^\s*\||^[^\n]*\|[^\n]*\n\s*:?-+:?\s*\|/.test(source);
}

function announceTable(rows: number): string {
  return rows < 1 ? '… a table' : `… a table, ${rows} ${rows === 1 ? 'row' : 'rows'} so far`;
}
