// The pairing check, as laws over broken histories.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AssistantMessage, Message, ToolMessage } from '../messages.js';
import { repairHistory } from './repair-history.js';

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const calls = (...ids: string[]): AssistantMessage => ({ role: 'assistant', parts: ids.map((id) => ({ type: 'tool_call', id, name: 'echo', arguments: '{}' })) });
const result = (callId: string, text = callId): ToolMessage => ({ role: 'tool', callId, tool: 'echo', status: 'success', content: [{ type: 'text', text }] });

/** What providers demand: after each assistant message exactly its results, in its order; ids unique; no stray result. */
function isSound(messages: readonly Message[]): boolean {
  const ids = new Set<string>();
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index]!;
    if (message.role === 'tool') return false;
    if (message.role === 'user') continue;
    if (message.parts.length === 0) return false;
    for (const part of message.parts) {
      if (part.type !== 'tool_call') continue;
      const next = messages[(index += 1)];
      if (ids.has(part.id) || next?.role !== 'tool' || next.callId !== part.id) return false;
      ids.add(part.id);
    }
  }
  return true;
}

const id = fc.constantFrom('a', 'b', 'c', 'd', '');
const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.constant(user('u')),
  fc.array(id, { maxLength: 3 }).map((ids) => calls(...ids)),
  fc.tuple(id, fc.string({ minLength: 1 })).map(([callId, text]) => result(callId, text)),
);

test('PROT-07: whatever is missing, doubled or out of order, the repaired history is sound', () => {
  fc.assert(fc.property(fc.array(anyMessage, { maxLength: 14 }), (messages) => {
    const copy = structuredClone(messages);
    const { messages: repaired, repairs } = repairHistory(messages);
    expect(messages).toEqual(copy);
    expect(isSound(repaired)).toBe(true);
    expect(repairs.length === 0).toBe(repaired === messages);
    // Nothing that a tool or a user said is lost.
    const text = JSON.stringify(repaired);
    for (const message of messages) if (message.role === 'tool') expect(text).toContain(JSON.stringify(message.content[0]).slice(1, -1));
    expect(repaired.filter((message) => message.role === 'user').length).toBeGreaterThanOrEqual(messages.filter((message) => message.role === 'user').length);
    expect(repairHistory(repaired).messages).toBe(repaired);
  }), { numRuns: 500 });
});

test('a sound history is given back itself, and only what is new is looked at', () => {
  const messages = [user('1'), calls('a', 'b'), result('a'), result('b'), user('2')];
  expect(repairHistory(messages).messages).toBe(messages);
  const broken = [calls('x'), ...messages];
  expect(repairHistory(broken, 1).messages).toBe(broken);
  expect(repairHistory(broken, 0).repairs).toHaveLength(1);
});

test('PROT-06: one id in two turns and twice in one turn becomes unique, with its results in order', () => {
  const { messages } = repairHistory([calls('call_0'), result('call_0', '1'), calls('call_0'), result('call_0', '2'), calls('d', 'd'), result('d', '3'), result('d', '4')]);
  expect(isSound(messages)).toBe(true);
  expect(messages.filter((message) => message.role === 'tool').map((message) => JSON.stringify(message.content).match(/"text":"(\d)"/)?.[1])).toEqual(['1', '2', '3', '4']);
});
