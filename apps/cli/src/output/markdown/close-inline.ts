// Emphasis and code that are being written: closed for the moment, so that the text does not jump when their end comes.

/** The text with an end for the last `**` or backtick that is open in its last paragraph. */
export function closeInline(text: string): string {
  const at = text.lastIndexOf('\n\n') + 1;
  const last = text.slice(at);
  const body = last.replace(/(?:\*+|`+)$/, '');
  const code = body.match(/`+/g) ?? [];
  const openTick = code.length % 2 === 1 ? code.at(-1) : undefined;
  if (openTick !== undefined) return `${text.slice(0, at)}${body}${openTick}`;
  const marks = body.replace(/`[^`]*`/g, '').match(/\*\*/g) ?? [];
  if (marks.length % 2 === 0) return text.slice(0, at) + (endsClosed(last, body) ? last : body);
  return `${text.slice(0, at)}${body.trimEnd()}**`;
}

/** Marks at the end that close what is open are kept. */
function endsClosed(last: string, body: string): boolean {
  const mark = last.slice(body.length);
  return mark === '' || (body.split(mark).length - 1) % 2 === 1;
}
