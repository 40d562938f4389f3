/** A pattern in the syntax of Unicode mode, which JSON Schema and its validators read. */

/** The source as it is, or without the needless escapes that Unicode mode refuses (`\'`, `\-`); undefined where it says something else there. */
export function unicodePattern(source: string): string | undefined {
  if (isUnicode(source)) return source;
  const rewritten = source.replaceAll(/\\([!"#%&',:;<=>@_`~ -])/g, (_, character: string) => (character === '-' ? '\\x2d' : character));
  return isUnicode(rewritten) ? rewritten : undefined;
}

function isUnicode(source: string): boolean {
  try {
    return new RegExp(source, 'u').unicode;
  } catch {
    // Not valid there: that is the answer.
    return false;
  }
}
