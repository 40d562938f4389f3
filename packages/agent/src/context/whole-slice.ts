/** A part of a text in UTF-16 units that does not begin or end inside a character. */
export function wholeSlice(text: string, start: number, end: number): string {
  const from = isLow(text, start) ? start + 1 : start;
  return text.slice(from, isLow(text, end) ? end - 1 : end);
}

function isLow(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < 0xdc00 || unit > 0xdfff || index === 0) return false;
  const before = text.charCodeAt(index - 1);
  return before >= 0xd800 && before <= 0xdbff;
}
