/** Text that a file can hold: a half of a surrogate pair has no bytes in any encoding, and would become U+FFFD unasked. */

/** What is wrong with a text that no file can hold; `name` is the argument's. */
export function whyNoText(text: string, name: string): string | undefined {
  const at = text.search(/\p{Surrogate}/u);
  if (at === -1) return undefined;
  const half = text.charCodeAt(at).toString(16).toUpperCase();
  return `${name} holds U+${half} at character ${at + 1}: half of a surrogate pair, which stands for no character and cannot be written. Give the whole character.`;
}
