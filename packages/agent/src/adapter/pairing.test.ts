// The pairing check: whatever history it gets, what it gives is legal, and nothing known is lost.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Message } from '../messages.js';
import { pairHistory } from './pairing.js';
import { WireIds, anyId, hashText, wireNames } from './wire-names.js';

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const calling = (...ids: string[]): Message => ({ role: 'assistant', parts: ids.map((id) => ({ type: 'tool_call', id, name: 'f', arguments: '{}' })) });
const result = (callId: string, text: string): Message => ({ role: 'tool', callId, tool: 'f', status: 'success', content: [{ type: 'text', text }] });

const resultsIn = (messages: Message[]) => pairHistory(messages).items.map((item) => (item.kind === 'user' ? 'user' : item.results.map((made) => (made.code === 'interrupted' ? '?' : made.content.map((part) => (part.type === 'text' ? part.text : '')).join('')))));

describe('pairHistory', () => {
  test('a sound history needs no repair', () => {
    expect(pairHistory([user('a'), calling('1', '2'), result('1', 'A'), result('2', 'B'), user('b')]).repairs).toEqual([]);
  });

  test.each<[string, Message[], unknown[], number]>([
    ['results in another order', [calling('1', '2'), result('2', 'B'), result('1', 'A')], [['A', 'B']], 0],
    ['a missing result', [calling('1', '2'), result('2', 'B')], [['?', 'B']], 1],
    ['a result after the user spoke', [calling('1'), user('hm'), result('1', 'A')], [['A'], 'user'], 1],
    ['a result without a call', [user('x'), result('9', 'lost')], ['user', 'user'], 1],
    ['two results for one call', [calling('1'), result('1', 'A'), result('1', 'again')], [['A'], 'user'], 1],
    ['an id used in two turns', [calling('1'), result('1', 'A'), calling('1'), result('1', 'B')], [['A'], ['B']], 0],
    ['an id used twice in one turn', [calling('1', '1'), result('1', 'A'), result('1', 'B')], [['A', 'B']], 0],
  ])('%s', (_, messages, expected, repairs) => {
    expect(resultsIn(messages)).toEqual(expected);
    expect(pairHistory(messages).repairs).toHaveLength(repairs);
  });

  test('any history: one result per call, every result kept, the input unchanged', () => {
    const id = fc.constantFrom('1', '2', '3', '4');
    const message = fc.oneof(fc.constant(user('u')), fc.array(id, { maxLength: 3 }).map((ids) => calling(...ids)), id.map((one) => result(one, 'text')));
    fc.assert(fc.property(fc.array(message, { maxLength: 14 }), (messages) => {
      const before = JSON.stringify(messages);
      const { items } = pairHistory(messages);
      expect(JSON.stringify(messages)).toBe(before);
      for (const item of items) if (item.kind === 'assistant') expect(item.results.map((made) => made.callId)).toEqual(item.calls.map((call) => call.id));
      const kept = JSON.stringify(items).split('"text":"text"').length;
      expect(kept).toBe(before.split('"text":"text"').length);
    }), { numRuns: 400 });
  });
});

describe('ids and names on the wire', () => {
  test('ids of one request are legal and unique, and depend only on what stands before', () => {
    const part = fc.record({ id: fc.string({ maxLength: 60 }), providerId: fc.option(fc.constantFrom('a', 'b', '', 'x y', 'ü'), { nil: undefined }) });
    fc.assert(fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const calls = parts.map(({ id, providerId }) => ({ type: 'tool_call' as const, id, name: 'f', arguments: '', ...(providerId === undefined ? {} : { providerId }) }));
      const assign = () => {
        const ids = new WireIds(anyId);
        return calls.map((call) => ids.assign(call));
      };
      const ids = assign();
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.every((one) => anyId.pattern.test(one))).toBe(true);
      expect(assign()).toEqual(ids);
    }));
  });

  test('names map one to one; what was never registered comes back as it was written', () => {
    const names = wireNames([]);
    fc.assert(fc.property(fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 90 }), { minLength: 2, maxLength: 8 }), (all) => {
      const wire = all.map((name) => names.toWire(name));
      expect(wire.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true);
      expect(new Set(wire).size).toBe(all.length);
    }));
    expect(names.fromWire('whatever it wrote')).toBe('whatever it wrote');
    expect(hashText('a')).toMatch(/^[a-z0-9]{13}$/);
  });
});
