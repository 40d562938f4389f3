/** Keeps the head and the tail of a text that is too long, cut between characters, with a notice in the place of the middle. */

export interface CutText {
  text: string;
  truncated: boolean;
  /** UTF-16 code units of the whole. */
  totalChars: number;
  /** Of the whole, how many are shown. */
  shownChars: number;
}

/** What the notice says after the figures: how to get the rest. */
const narrow = 'Ask for less at once to see the rest';

/** `maxChars` counts UTF-16 code units, notice included; never less than 200. Three quarters go to the head. */
export function cutText(text: string, maxChars: number, howToGetTheRest: string = narrow): CutText {
  const totalChars = text.length;
  if (totalChars <= Math.max(maxChars, 200)) return { text, truncated: false, totalChars, shownChars: totalChars };
  const room = Math.max(maxChars, 200) - notice(totalChars, totalChars, howToGetTheRest).length;
  const headEnd = characterStart(text, Math.max(0, Math.floor(room * 0.75)));
  const tailStart = characterStart(text, totalChars - Math.max(0, Math.floor(room * 0.25)), 1);
  const shownChars = headEnd + totalChars - tailStart;
  const middle = notice(totalChars - shownChars, totalChars, howToGetTheRest);
  return { text: text.slice(0, headEnd) + middle + text.slice(tailStart), truncated: true, totalChars, shownChars };
}

function notice(left: number, total: number, howToGetTheRest: string): string {
  return `\n[… ${left} of ${total} characters left out. ${howToGetTheRest}. …]\n`;
}

/** Belongs to the character before it: an accent, a joiner, a variation selector, a skin tone. */
const joiners = /^(?:\p{M}|\u{200d}|\p{Emoji_Modifier})/u;

/** The nearest place at or before `index` (after it, with `step` 1) that splits no surrogate pair, accent or joined emoji. */
function characterStart(text: string, index: number, step: 1 | -1 = -1): number {
  let at = index;
  for (let moved = 0; moved < 32 && at > 0 && at < text.length; moved++) {
    if (!splits(text, at)) return at;
    at += step;
  }
  return at;
}

function splits(text: string, at: number): boolean {
  const next = text.charCodeAt(at);
  if (next >= 0xdc00 && next <= 0xdfff) return isHigh(text.charCodeAt(at - 1));
  if (next < 0x300) return next === 0x0a && text.charCodeAt(at - 1) === 0x0d;
  return text.charCodeAt(at - 1) === 0x200d || joiners.test(text.slice(at, at + 2));
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
