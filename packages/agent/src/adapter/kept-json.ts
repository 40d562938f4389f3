/** JSON of a request whose parts are kept objects: each part is written once, and a long history is joined, not written again at each turn. */

const kept = new WeakMap<object, string>();

/** A large part (an image) is not held twice. */
const MAX_KEPT = 256 * 1024;

/** The JSON text of an object that will not change any more. */
export function keptJson(value: object): string {
  const known = kept.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  if (text.length <= MAX_KEPT) kept.set(value, text);
  return text;
}

export function keptJsonList(values: readonly object[]): string {
  let text = '';
  for (const value of values) text += text === '' ? keptJson(value) : `,${keptJson(value)}`;
  return `[${text}]`;
}

/** An object of `fields`, which are written now, and of `parts`, which are JSON text already. Fields that are undefined are left out. */
export function joinJson(fields: Readonly<Record<string, unknown>>, parts: Readonly<Record<string, string>>): string {
  const written = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${JSON.stringify(name)}:${JSON.stringify(value)}`]));
  return `{${[...written, ...Object.entries(parts).map(([name, text]) => `${JSON.stringify(name)}:${text}`)].join(',')}}`;
}

/** The options by which an SDK sends such a text as it is. */
export const jsonHeaders = { 'content-type': 'application/json' };
