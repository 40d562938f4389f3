/** Finds text in the messages of a session. */
import { wholeSlice } from '../context/whole-slice.js';
import type { Message } from '../messages.js';
import { messageText } from '../context/message-text.js';

export interface SearchHit {
  sessionId: string;
  /** Index in the conversation. */
  message: number;
  role: Message['role'];
  /** The place with some text around it, on one line. */
  snippet: string;
}

const AROUND = 60;

export function searchText(sessionId: string, messages: readonly Message[], wanted: string, limit: number): SearchHit[] {
  const hits: SearchHit[] = [];
  const needle = wanted.toLowerCase();
  if (needle === '') return hits;
  for (const [index, message] of messages.entries()) {
    if (hits.length >= limit) break;
    const text = messageText(message);
    const at = text.toLowerCase().indexOf(needle);
    if (at < 0) continue;
    hits.push({ sessionId, message: index, role: message.role, snippet: snippetOf(text, at, needle.length) });
  }
  return hits;
}

function snippetOf(text: string, at: number, length: number): string {
  const start = Math.max(0, at - AROUND);
  const end = Math.min(text.length, at + length + AROUND);
  const middle = wholeSlice(text, start, end).replace(/\s+/g, ' ');
  return `${start > 0 ? '…' : ''}${middle}${end < text.length ? '…' : ''}`;
}
