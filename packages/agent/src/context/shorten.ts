/** Makes texts shorter, in the middle, and says so with both numbers. */
import type { ContentPart } from '@haft/core';
import { wholeSlice } from './whole-slice.js';

/** The beginning and the end of a text that is longer than `maxChars` (UTF-16 units), with a notice between; never cut inside a character. */
export function shortenText(text: string, maxChars: number, rest = 'call again for a part of it'): string {
  if (text.length <= maxChars) return text;
  const notice = `\n[… shortened: ${maxChars} of ${text.length} characters are shown; ${rest} …]\n`;
  const room = Math.max(0, maxChars - notice.length);
  const head = Math.ceil(room * 0.6);
  return wholeSlice(text, 0, head) + notice + wholeSlice(text, text.length - (room - head), text.length);
}

export function shortenContent(content: readonly ContentPart[], maxChars: number): ContentPart[] {
  let room = maxChars;
  return content.map((part) => {
    if (part.type !== 'text') return part;
    const text = shortenText(part.text, Math.max(room, 200));
    room -= text.length;
    return text === part.text ? part : { ...part, text };
  });
}

export function contentChars(content: readonly ContentPart[]): number {
  let chars = 0;
  for (const part of content) if (part.type === 'text') chars += part.text.length;
  return chars;
}
