/** One text for one value: keys sorted, no blanks. What approvals are bound to is the hash of this text. */
import { hash } from 'node:crypto';

/** JSON with the keys of every object in code-unit order. `value` is JSON; members that are undefined are left out. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let text = '';
  for (const key of sortedKeys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** sha256 in hex over the canonical text. */
export function canonicalHash(value: unknown): string {
  return hash('sha256', canonicalJson(value));
}

/** Most objects are small: for those, insertion costs less than a sort. */
function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  if (keys.length > 16) return keys.sort((a, b) => (a < b ? -1 : 1));
  for (let at = 1; at < keys.length; at++) {
    const key = keys[at] as string;
    let place = at;
    for (; place > 0 && (keys[place - 1] as string) > key; place--) keys[place] = keys[place - 1] as string;
    keys[place] = key;
  }
  return keys;
}
