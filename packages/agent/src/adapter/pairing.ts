/** The pairing check at the wire: services refuse a history in which a call has no result, or a result no call. Stored history is never changed. */
import type { AssistantMessage, Message, ToolCallPart, ToolMessage, UserMessage } from '../messages.js';

export type PairedItem =
  | { kind: 'user'; message: UserMessage }
  /** `results`: exactly one for each call of the message, in call order. */
  | { kind: 'assistant'; message: AssistantMessage; calls: ToolCallPart[]; results: ToolMessage[] };

export interface PairedHistory {
  items: PairedItem[];
  /** One sentence for each thing that had to be mended; empty for a sound history. */
  repairs: string[];
}

const noCalls: ToolCallPart[] = [];
const noResults: ToolMessage[] = [];

/**
 * Orders a history as providers demand it. A result stands right after its assistant message, however late it was stored; a call
 * without one gets an explicit "interrupted" result; a result without a call is kept as a user's note, so that nothing known is lost.
 */
export function pairHistory(messages: readonly Message[]): PairedHistory {
  const items: PairedItem[] = [];
  const repairs: string[] = [];
  const waiting: { item: PairedItem & { kind: 'assistant' }; slots: (ToolMessage | undefined)[] }[] = [];
  for (const message of messages) {
    if (message.role === 'user') items.push({ kind: 'user', message });
    else if (message.role === 'assistant') open(message);
    else place(message);
  }
  for (const { item, slots } of waiting) item.results = slots.map((slot, index) => slot ?? interrupted(item.calls[index]));
  return { items, repairs };

  function open(message: AssistantMessage): void {
    const calls = message.parts.filter((part) => part.type === 'tool_call');
    const item = { kind: 'assistant' as const, message, calls: calls.length > 0 ? calls : noCalls, results: noResults };
    items.push(item);
    if (calls.length > 0) waiting.push({ item, slots: calls.map(() => undefined) });
  }

  /** The newest open call of this id takes it: providers reuse ids from turn to turn, and even within one. */
  function place(result: ToolMessage): void {
    for (let at = waiting.length - 1; at >= 0; at -= 1) {
      const { item, slots } = waiting[at] as (typeof waiting)[number];
      const index = item.calls.findIndex((call, slot) => call.id === result.callId && slots[slot] === undefined);
      if (index < 0) continue;
      slots[index] = result;
      if (items.at(-1) !== item) repairs.push(`The result of ${result.tool} (${result.callId}) was moved to its call.`);
      return;
    }
    repairs.push(`The result of ${result.tool} (${result.callId}) has no call; it was kept as a note.`);
    items.push({ kind: 'user', message: strayNote(result) });
  }

  function interrupted(call: ToolCallPart | undefined): ToolMessage {
    const { id = '', name = '' } = call ?? {};
    repairs.push(`The call of ${name} (${id}) had no result; it was reported as interrupted.`);
    return { role: 'tool', callId: id, tool: name, status: 'unknown', code: 'interrupted', content: [{ type: 'text', text: INTERRUPTED }] };
  }
}

const INTERRUPTED = 'Interrupted: this call has no recorded result. It may or may not have run, so its effects are unknown. Look at the state before calling again.';

function strayNote(result: ToolMessage): UserMessage {
  const title = { type: 'text' as const, text: `Result of an earlier call of ${result.tool}:` };
  return { role: 'user', origin: 'note', content: [title, ...result.content] };
}
