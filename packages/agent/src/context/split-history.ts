/** Where a history may be cut: between turns, never between a call and its result. */
import type { Message } from '../messages.js';
import { messageTokens } from './estimate-tokens.js';

export interface SplitHistory {
  older: Message[];
  /** Begins with a user's message or an answer, never with a result. */
  recent: Message[];
}

/** Keeps as many of the last turns as fit into `keepTokens`, at least the last one. */
export function splitHistory(messages: readonly Message[], keepTokens: number): SplitHistory {
  let cut = messages.length;
  let kept = 0;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    kept += messageTokens(messages[index] as Message);
    if (messages[index]?.role === 'tool') continue;
    if (kept > keepTokens && cut < messages.length) break;
    cut = index;
  }
  return { older: messages.slice(0, cut), recent: messages.slice(cut) };
}
