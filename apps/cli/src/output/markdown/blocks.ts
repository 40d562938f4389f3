// Blocks of Markdown as terminal lines, no wider than the terminal.
import type { Token, Tokens } from 'marked';
import wrapAnsi from 'wrap-ansi';
import type { Colors } from '../colors.js';
import { Highlighter } from './highlight.js';
import { renderInline } from './inline.js';
import { renderTable } from './table.js';

/** Lines of the blocks, an empty one between them. */
export function renderBlocks(tokens: readonly Token[], colors: Colors, columns: number): string[] {
  const lines: string[] = [];
  for (const token of tokens) {
    const block = renderBlock(token, colors, columns);
    if (block.length === 0) continue;
    if (lines.length > 0 && token.type !== 'text') lines.push('');
    lines.push(...block);
  }
  return lines;
}

function renderBlock(token: Token, colors: Colors, columns: number): string[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading':
      return wrap(colors.bold(renderInline(token.tokens, colors)), columns);
    case 'code':
      return renderCode(token as Tokens.Code, colors);
    case 'blockquote':
      return renderBlocks(token.tokens ?? [], colors, columns - 2).map((line) => `${colors.dim('│')} ${line}`);
    case 'list':
      return renderList(token as Tokens.List, colors, columns);
    case 'table':
      return renderTable(token as Tokens.Table, colors, columns);
    case 'hr':
      return [colors.dim('─'.repeat(Math.min(columns, 40)))];
    default:
      return wrap('tokens' in token && token.tokens !== undefined ? renderInline(token.tokens, colors) : token.raw.trimEnd(), columns);
  }
}

function renderCode(token: Tokens.Code, colors: Colors): string[] {
  const highlighter = new Highlighter(token.lang ?? '', colors);
  return token.text.split('\n').map((line) => `  ${highlighter.line(line)}`);
}

function renderList(list: Tokens.List, colors: Colors, columns: number): string[] {
  return list.items.flatMap((item, index) => {
    const mark = list.ordered ? `${Number(list.start || 1) + index}. ` : '• ';
    const box = item.task ? `[${item.checked ? 'x' : ' '}] ` : '';
    const lines = renderBlocks(item.tokens.filter((token) => token.type !== 'checkbox'), colors, columns - mark.length);
    const body = lines.length === 0 ? [''] : lines;
    const gap = list.loose && index > 0 ? [''] : [];
    return [...gap, ...body.map((line, row) => (row === 0 ? `${colors.dim(mark)}${box}${line}` : `${' '.repeat(mark.length)}${line}`.trimEnd()))];
  });
}

/** Lines of at most `columns`; words that are longer are broken. */
function wrap(text: string, columns: number): string[] {
  return wrapAnsi(text, Math.max(8, columns), { hard: true }).split('\n');
}
