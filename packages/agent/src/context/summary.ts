/** What stands for the older part of a conversation: the user's own words, and what was done, in the model's words or, failing that, as a list. */
import type { Message, UserMessage } from '../messages.js';
import { shortenText } from './shorten.js';
import { messageText } from './message-text.js';

/** Characters kept of one thing the user said; longer pastes are shortened in the middle. */
const USER_CHARS = 8_000;
const RESULT_CHARS = 1_500;

const intro = 'The older part of this conversation was left out to save space. This stands for it.';
const said = '## What the user said, word by word';
const done = '## What was done and found out';

export const summarySystem =
  'You write the notes by which an assistant goes on with its work after its memory is cut. Be exact and complete about what matters: decisions, facts found, '
  + 'files and names touched, what failed and why, what is left to do. Leave out pleasantries and raw output. Answer with the notes only.';

/** The request for notes: the older part as one text, so that no call needs its pair and no tool can be called. */
export function summaryRequest(older: readonly Message[], maxChars: number): UserMessage {
  const transcript = shortenText(older.map(lineOf).join('\n\n'), maxChars, 'the rest is left out');
  return { role: 'user', content: [{ type: 'text', text: `Write the notes for this part of a conversation.\n\n<conversation>\n${transcript}\n</conversation>` }] };
}

/** `maxChars` bounds each of its parts: what earlier notes said, the user's words, the new notes. */
export function summaryMessage(older: readonly Message[], notes: string, maxChars: number): UserMessage {
  const bounded = (text: string): string => shortenText(text, maxChars, 'the rest is in the session file');
  const words = older.filter(isSpoken).map((message, index) => `${index + 1}. ${shortenText(messageText(message), USER_CHARS, 'the rest is in the session file')}`);
  const earlier = older.filter(isSummary).map((message) => bounded(withoutIntro(messageText(message))));
  const text = [intro, ...earlier, said, words.length > 0 ? bounded(words.join('\n')) : '(nothing new)', done, bounded(notes)].join('\n\n');
  return { role: 'user', content: [{ type: 'text', text }], origin: 'summary' };
}

/** When no model can be asked: each call with its outcome, one a line. */
export function plainNotes(older: readonly Message[]): string {
  const lines = older.flatMap((message) => {
    if (message.role === 'tool') return [`- ${message.tool}: ${message.status}${message.code === undefined ? '' : ` (${message.code})`}: ${oneLine(messageText(message))}`];
    return message.role === 'assistant' ? message.parts.flatMap((part) => (part.type === 'text' && part.text.trim() !== '' ? [`- said: ${oneLine(part.text)}`] : [])) : [];
  });
  return lines.join('\n') || '(nothing)';
}

/** Notes that are summarised again keep their user's words through `earlier`, so their text is not summarised a second time. */
function lineOf(message: Message): string {
  if (message.role === 'tool') return `[result of ${message.tool}: ${message.status}] ${shortenText(messageText(message), RESULT_CHARS, 'the rest is left out')}`;
  if (message.role === 'user') return isSummary(message) ? '[earlier notes are kept]' : `[user] ${shortenText(messageText(message), USER_CHARS, 'the rest is left out')}`;
  return `[assistant] ${shortenText(messageText(message), USER_CHARS, 'the rest is left out')}`;
}

function isSpoken(message: Message): boolean {
  return message.role === 'user' && (message.origin === undefined || message.origin === 'user' || message.origin === 'steering');
}

function isSummary(message: Message): boolean {
  return message.role === 'user' && message.origin === 'summary';
}

function withoutIntro(text: string): string {
  return text.startsWith(intro) ? text.slice(intro.length).trim() : text;
}

function oneLine(text: string): string {
  return shortenText(text.replace(/\s+/g, ' ').trim(), 300, 'the rest is left out').replace(/\n/g, ' ');
}
