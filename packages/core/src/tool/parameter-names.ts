/** The names of a method's parameters, read from its source text: decorators do not learn them. */

export interface ParameterText {
  /** Undefined for a destructured parameter. */
  name?: string;
  hasDefault: boolean;
  isRest: boolean;
}

/** One entry per declared parameter; undefined for code whose text cannot be read (native or bound functions). */
export function parametersOf(method: (...values: never[]) => unknown): ParameterText[] | undefined {
  const text = Function.prototype.toString.call(method);
  if (text.includes('[native code]')) return undefined;
  const start = text.indexOf('(');
  const parts = start === -1 ? undefined : splitParameters(text, start + 1);
  return parts?.map((part) => part.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '').trim()).filter((part) => part !== '').map(describeParameter);
}

function describeParameter(part: string): ParameterText {
  const isRest = part.startsWith('...');
  const name = /^[\p{ID_Start}$_][\p{ID_Continue}$]*/u.exec(isRest ? part.slice(3).trim() : part)?.[0];
  return { ...(name !== undefined && { name }), hasDefault: name !== undefined && part.slice(name.length).trimStart().startsWith('='), isRest };
}

/** Splits at top-level commas up to the closing parenthesis; texts and nested brackets are skipped. */
function splitParameters(text: string, from: number): string[] | undefined {
  const parts: string[] = [];
  let depth = 0;
  let start = from;
  for (let index = from; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (text.startsWith('/*', index)) index = text.indexOf('*/', index) + 1;
    else if (text.startsWith('//', index)) index = text.indexOf('\n', index);
    else if (character === '"' || character === "'" || character === '`') index = endOfText(text, index);
    else if ('([{'.includes(character)) depth += 1;
    else if (character === ')' && depth === 0) return [...parts, text.slice(start, index)];
    else if (')]}'.includes(character)) depth -= 1;
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return undefined;
}

function endOfText(text: string, from: number): number {
  let index = from + 1;
  while (index < text.length && text[index] !== text[from]) index += text[index] === '\\' ? 2 : 1;
  return index;
}
