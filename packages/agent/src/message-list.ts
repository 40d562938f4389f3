/** Changes a list of messages in place. Not by spreading: a long conversation has more messages than a call may have arguments. */
import type { Message } from './messages.js';

export function appendMessages(list: Message[], more: readonly Message[]): void {
  for (const message of more) list.push(message);
}

export function replaceMessages(list: Message[], by: readonly Message[]): void {
  list.length = 0;
  appendMessages(list, by);
}
