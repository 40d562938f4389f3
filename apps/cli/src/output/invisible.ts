// The characters that are not seen but act: controls, directions, zero width, tags. Shared by every sink that escapes them.

const ranges: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x1f], [0x7f, 0x9f], [0xad, 0xad], [0x61c, 0x61c], [0x115f, 0x1160], [0x17b4, 0x17b5], [0x180b, 0x180f], [0x200b, 0x200b], [0x200d, 0x200f],
  [0x2028, 0x202e], [0x2060, 0x206f], [0x3164, 0x3164], [0xfeff, 0xfeff], [0xffa0, 0xffa0], [0xfff9, 0xfffb], [0xe0000, 0xe0fff],
];

/** A new matcher for any of them, with the flag `g`. */
export function invisibleCharacters(): RegExp {
  const classes = ranges.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`);
  return new RegExp(`[${classes.join('')}]`, 'gu');
}
