/**
 * The pairing check that runs before every request: each tool call is followed by exactly one result, in call order, right
 * after its assistant message, and ids are unique. Providers refuse a whole conversation for one unpaired call.
 */
import { pairHistory } from '../adapter/pairing.js';
import type { AssistantMessage, Message, ToolMessage } from '../messages.js';

export interface Repair {
  messages: Message[];
  /** One sentence a change; empty when the history was whole, and then `messages` is the given array itself. */
  repairs: string[];
}

/** Checks `messages` from index `from` (everything before was checked earlier and ends between turns). */
export function repairHistory(messages: Message[], from = 0): Repair {
  if (isWhole(messages, from)) return { messages, repairs: [] };
  const { items, repairs } = pairHistory(messages);
  const seen = new Set<string>();
  const repaired: Message[] = [];
  for (const item of items) {
    if (item.kind === 'user') repaired.push(item.message);
    else if (item.message.parts.length === 0) repairs.push('An empty answer was dropped.');
    else repaired.push(...withUniqueIds(item.message, item.results, seen, repairs));
  }
  return { messages: repaired, repairs };
}

/** Whether every turn from `from` on is paired. */
function isWhole(messages: readonly Message[], from: number): boolean {
  const ids = new Set<string>();
  for (let index = from; index < messages.length; index += 1) {
    const message = messages[index] as Message;
    if (message.role === 'tool') return false;
    if (message.role === 'user') continue;
    if (message.parts.length === 0) return false;
    for (const part of message.parts) {
      if (part.type !== 'tool_call') continue;
      if (ids.has(part.id)) return false;
      ids.add(part.id);
      index += 1;
      const result = messages[index];
      if (result?.role !== 'tool' || result.callId !== part.id) return false;
    }
  }
  return true;
}

/** One turn whose call ids no other turn has; a turn that needs no change is given back as it is. */
function withUniqueIds(message: AssistantMessage, results: readonly ToolMessage[], seen: Set<string>, repairs: string[]): Message[] {
  const ids: string[] = [];
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool_call') return part;
    const id = uniqueId(part.id, seen, repairs);
    ids.push(id);
    return id === part.id ? part : { ...part, id };
  });
  const renamed = results.map((result, index) => (ids[index] === result.callId ? result : { ...result, callId: ids[index] ?? result.callId }));
  return parts.every((part, index) => part === message.parts[index]) ? [message, ...renamed] : [{ ...message, parts }, ...renamed];
}

function uniqueId(id: string, seen: Set<string>, repairs: string[]): string {
  let unique = id === '' ? 'call' : id;
  for (let n = 2; seen.has(unique); n += 1) unique = `${id}-${n}`;
  seen.add(unique);
  if (unique !== id) repairs.push(`The repeated call id ${id} was changed to ${unique}.`);
  return unique;
}
