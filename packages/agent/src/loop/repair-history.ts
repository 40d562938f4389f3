/**
 * The pairing check that runs before every request: each tool call is followed by exactly one result, in call order, right
 * after its assistant message, and ids are unique. Providers refuse a whole conversation for one unpaired call.
 */
import type { AssistantMessage, Message, ToolCallPart, ToolMessage } from '../messages.js';

export interface Repair {
  messages: Message[];
  /** One sentence a change; empty when the history was whole, and then `messages` is the given array itself. */
  repairs: string[];
}

/** Checks `messages` from index `from` (everything before was checked earlier and ends between turns). */
export function repairHistory(messages: Message[], from = 0): Repair {
  if (isWhole(messages, from)) return { messages, repairs: [] };
  const repairs: string[] = [];
  const seen = new Set<string>();
  const repaired: Message[] = [];
  for (let index = 0; index < messages.length; ) {
    const message = messages[index] as Message;
    if (message.role !== 'assistant') {
      index += 1;
      if (message.role === 'user') repaired.push(message);
      else repairs.push(`dropped a result of ${message.tool} (${message.callId}) that belongs to no call`);
      continue;
    }
    const results = resultsAfter(messages, index);
    index += 1 + results.length;
    if (message.parts.length === 0) repairs.push('dropped an empty answer');
    else repaired.push(...pairTurn(message, results, seen, repairs));
  }
  return { messages: repaired, repairs };
}

/** Whether every turn from `from` on is paired; ids are compared inside their turn only, for `seen` needs the whole history. */
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

function resultsAfter(messages: readonly Message[], index: number): ToolMessage[] {
  const results: ToolMessage[] = [];
  for (let next = messages[index + 1]; next?.role === 'tool'; next = messages[index + 1 + results.length]) results.push(next);
  return results;
}

/** One assistant message with a result for each of its calls. Results are matched inside the turn, first come first matched. */
function pairTurn(message: AssistantMessage, results: ToolMessage[], seen: Set<string>, repairs: string[]): Message[] {
  const left = [...results];
  const paired: ToolMessage[] = [];
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool_call') return part;
    const at = left.findIndex((result) => result.callId === part.id);
    const result = at < 0 ? missingResult(part, repairs) : (left.splice(at, 1)[0] as ToolMessage);
    const id = uniqueId(part.id, seen, repairs);
    paired.push(id === result.callId ? result : { ...result, callId: id });
    return id === part.id ? part : { ...part, id };
  });
  for (const extra of left) repairs.push(`dropped a second result of ${extra.tool} (${extra.callId})`);
  if (left.length === 0 && paired.some((result, index) => results[index] !== undefined && results[index]?.callId !== result.callId)) {
    repairs.push('put results into the order of their calls');
  }
  return [{ ...message, parts }, ...paired];
}

function missingResult(part: ToolCallPart, repairs: string[]): ToolMessage {
  repairs.push(`gave the interrupted call of ${part.name} (${part.id}) an explicit result`);
  const text = 'This call was interrupted; it has no result, and whether it took effect is unknown. Look at the state before you repeat it.';
  return { role: 'tool', callId: part.id, tool: part.name, status: 'unknown', code: 'interrupted', content: [{ type: 'text', text }] };
}

function uniqueId(id: string, seen: Set<string>, repairs: string[]): string {
  let unique = id === '' ? 'call' : id;
  for (let n = 2; seen.has(unique); n += 1) unique = `${id}-${n}`;
  seen.add(unique);
  if (unique !== id) repairs.push(`renamed the repeated call id ${id} to ${unique}`);
  return unique;
}
