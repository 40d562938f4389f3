// Finds open points in a text: TODO-like words with what follows them, and unticked boxes of Markdown.

export interface TodoItem {
  /** Line in the text, from 1. */
  line: number;
  kind: 'todo' | 'fixme' | 'action' | 'checkbox';
  text: string;
  /** `@name`, or the name in `TODO(name)`. */
  owner?: string;
  /** ISO date that the line names. */
  due?: string;
}

const marked = /\b(TODO|FIXME|ACTION)\b(?:\(([^)]*)\))?:?\s*(.*)/;
const unticked = /^\s*[-*+]\s+\[ \]\s+(.*)/;
const closing = /\s*(\*\/|-->)\s*$/;

export function todoItems(text: string): TodoItem[] {
  return text.split(/\r?\n/).flatMap((line, index): TodoItem[] => {
    const [, word = '', named, rest = ''] = marked.exec(line) ?? [];
    if (word !== '') return [itemOf(index + 1, word.toLowerCase() as TodoItem['kind'], rest, named)];
    const box = unticked.exec(line)?.[1];
    return box === undefined ? [] : [itemOf(index + 1, 'checkbox', box)];
  });
}

function itemOf(line: number, kind: TodoItem['kind'], rest: string, named?: string): TodoItem {
  const text = rest.replace(closing, '').trim();
  const owner = named ?? /(?:^|\s)@([\w-]+)/.exec(text)?.[1];
  const due = /\b\d{4}-\d{2}-\d{2}\b/.exec(text)?.[0];
  return { line, kind, text, ...(owner === undefined || owner === '' ? {} : { owner }), ...(due === undefined ? {} : { due }) };
}
