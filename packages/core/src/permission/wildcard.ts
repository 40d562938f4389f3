/** One string against one pattern of literal characters, `?`, `*` and classes: what globs, tool names, hosts and argv words share. */
export type WildcardElement =
  | '*'
  | '?'
  | { char: string }
  | { negated: boolean; ranges: readonly (readonly [string, string])[] };

/** `*` spans any characters, none included; at most pattern × text steps. */
export function matchWildcard(pattern: readonly WildcardElement[], text: string): boolean {
  let at = 0;
  let star = -1;
  let starText = 0;
  for (let index = 0; index < text.length; ) {
    const element = pattern[at];
    if (element === '*') {
      star = at++;
      starText = index;
    } else if (element !== undefined && matchesOne(element, text.charAt(index))) {
      at++;
      index++;
    } else if (star !== -1) {
      at = star + 1;
      index = ++starText;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}

function matchesOne(element: Exclude<WildcardElement, '*'>, char: string): boolean {
  if (element === '?') return true;
  if ('char' in element) return element.char === char;
  return element.ranges.some(([low, high]) => low <= char && char <= high) !== element.negated;
}

/** A pattern where only `*` and `?` are special. */
export function parseWildcard(text: string): WildcardElement[] {
  return text.split('').map((char) => (char === '*' || char === '?' ? char : { char }));
}
