// What a person takes for one character, and how many columns it takes. Loads no package: the prompt is the first thing on the screen.

const ascii = /^[\x20-\x7e\n]*$/;
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const wide = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f|\p{Regional_Indicator}{2}/u;
let segmenter: Intl.Segmenter | undefined;

/** The text in graphemes. */
export function graphemesOf(text: string): string[] {
  if (ascii.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Columns of one grapheme. */
export function graphemeWidth(grapheme: string): number {
  if (ascii.test(grapheme)) return grapheme.length;
  if (zeroWidth.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}
