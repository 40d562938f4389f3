/** Changes a list of messages in place. Not by spreading: a long conversation has more messages than a call may have arguments. */
import type { Message, UserMessage } from './messages.js';

export function appendMessages(list: Message[], more: readonly Message[]): void {
  for (const message of more) list.push(message);
}

export function replaceMessages(list: Message[], by: readonly Message[]): void {
  list.length = 0;
  appendMessages(list, by);
}

/** Begins a run: a prompt that got no answer and is sent again word by word is the same prompt, not a second one. */
export function appendPrompt(list: Message[], prompt: UserMessage): void {
  const last = list.at(-1);
  if (last?.role === 'user' && JSON.stringify(last) === JSON.stringify(prompt)) list.pop();
  list.push(prompt);
}
