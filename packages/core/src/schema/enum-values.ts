/** The values of a TypeScript enum, a const object or a list, without the key names that a numeric enum also maps back to. */

/** Distinct, in the order of the text. */
export function enumValues(source: object): (string | number)[] {
  if (Array.isArray(source)) return [...new Set(source as (string | number)[])];
  const entries = Object.entries(source) as [string, string | number][];
  const members = entries.filter(([key, value]) => !isReverseMapping(source as Record<string, unknown>, key, value));
  return [...new Set(members.map(([, value]) => value))];
}

/** `enum E { Low = 1 }` is `{ 1: 'Low', Low: 1 }` at run time. */
function isReverseMapping(source: Record<string, unknown>, key: string, value: unknown): boolean {
  return typeof value === 'string' && String(Number(key)) === key && source[value] === Number(key);
}
