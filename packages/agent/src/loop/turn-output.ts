/** The room that the results of one turn may take together: many results that fit one by one can fill a context at once. */
import type { ContentPart } from '@haft/core';
import { contentChars, shortenContent } from '../context/shorten.js';
import type { ToolMessage } from '../messages.js';

export const defaultTurnChars = 200_000;

/** New content for the results that must be shortened, by call id: the largest first, down to an equal share; undefined when all fit. */
export function fitTurn(messages: readonly ToolMessage[], maxChars: number): Record<string, ContentPart[]> | undefined {
  const sizes = messages.map((message) => contentChars(message.content));
  if (sizes.reduce((total, size) => total + size, 0) <= maxChars) return undefined;
  const share = fairShare(sizes, maxChars);
  const shortened: Record<string, ContentPart[]> = {};
  for (const [index, message] of messages.entries()) {
    if ((sizes[index] as number) > share) shortened[message.callId] = shortenContent(message.content, share);
  }
  return shortened;
}

/** The size to which the larger ones are cut, so that all together fit. */
function fairShare(sizes: readonly number[], room: number): number {
  const ascending = [...sizes].sort((a, b) => a - b);
  let left = room;
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (size > share) return share;
    left -= size;
  }
  return room;
}
