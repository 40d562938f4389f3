// Markdown while it comes: a block is shown when it is complete, code line by line. Nothing that was shown is ever taken back.
import { lexer } from 'marked';
import type { Colors } from '../colors.js';
import { renderBlocks } from './blocks.js';
import { Highlighter } from './highlight.js';

const fenceStart = /^( {0,3})(`{3,}|~{3,})([^`]*)$/;

interface Fence {
  mark: string;
  highlighter: Highlighter;
}

export class MarkdownStream {
  #pending = '';
  #block: string[] = [];
  #fence: Fence | undefined;
  #shown = false;

  constructor(
    private readonly colors: Colors,
    private readonly columns: () => number,
  ) {}

  /** What can be shown after this piece of text. */
  push(text: string): string {
    const lines = (this.#pending + text).split('\n');
    this.#pending = lines.pop() ?? '';
    return lines.map((line) => this.#line(line)).join('');
  }

  /** The text that waits for the rest of its block. */
  get pending(): string {
    return [...this.#block, this.#pending].join(' ');
  }

  /** What is left at the end of the text. */
  end(): string {
    const last = this.#pending === '' ? '' : this.#line(this.#pending);
    this.#pending = '';
    this.#fence = undefined;
    return last + this.#flush();
  }

  #line(line: string): string {
    if (this.#fence !== undefined) return this.#codeLine(line, this.#fence);
    const [, , mark, language = ''] = fenceStart.exec(line) ?? [];
    if (mark !== undefined) {
      const before = this.#flush();
      this.#fence = { mark, highlighter: new Highlighter(language, this.colors) };
      return before + this.#gap();
    }
    if (line.trim() === '') return this.#flush();
    this.#block.push(line);
    return '';
  }

  #codeLine(line: string, { mark, highlighter }: Fence): string {
    const closes = line.trim().length >= mark.length && line.trim() === (mark[0] ?? '').repeat(line.trim().length);
    if (!closes) return `  ${highlighter.line(line)}\n`;
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
