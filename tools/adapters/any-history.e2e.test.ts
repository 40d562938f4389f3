// A law: whatever the history, the request made from it is one that the service accepts, in each format, and nothing that was said is lost.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AssistantPart, Message } from '../../packages/agent/dist/index.js';
import { type ModelServer, collectTurn, startModelServer } from '../../packages/agent/dist/testing/index.js';
import type { ContentPart, Json } from '../../packages/core/dist/index.js';
import { type Way, adapter, ways } from './kit.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(() => ({ text: 'ok' }));
});
afterAll(() => server.close());

const word = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('', ' ', '\n', '好', '<b>', '{"a":1}', '\ud83d', 'x\udc4d'));
const id = fc.oneof(fc.constantFrom('a', 'b', 'run:t1.1', 'x y', ''), fc.string({ maxLength: 70 }));
const image: ContentPart = { type: 'image', mediaType: 'image/png', data: 'aGk=' };
const content: fc.Arbitrary<ContentPart[]> = fc.array(fc.oneof({ weight: 5, arbitrary: word.map((text): ContentPart => ({ type: 'text', text })) }, { weight: 1, arbitrary: fc.constant(image) }), { maxLength: 3 });

const foreign = fc.constantFrom<{ provider: string; data: Json }>({ provider: 'elsewhere', data: { secret: 'from elsewhere' } }, { provider: 'deepseek', data: { reasoning_details: [{ type: 'x' }] } });
const part: fc.Arbitrary<AssistantPart> = fc.oneof(
  word.map((text): AssistantPart => ({ type: 'text', text })),
  fc.record({ type: fc.constant('reasoning' as const), text: word, opaque: foreign }),
  fc.record({ type: fc.constant('tool_call' as const), id, name: fc.oneof(word, fc.constantFrom('note', 'fs.read', '__proto__')), arguments: fc.oneof(word, fc.constantFrom('{}', '{"text":"x"}', '{"te', '[1]', 'null')) }),
);

const message: fc.Arbitrary<Message> = fc.oneof(
  content.map((parts): Message => ({ role: 'user', content: parts })),
  fc.record({ role: fc.constant('assistant' as const), parts: fc.array(part, { maxLength: 4 }), finish: fc.constantFrom('stop' as const, 'tool_calls' as const, 'length' as const, 'pause' as const) }),
  fc.record({ role: fc.constant('tool' as const), callId: id, tool: fc.constant('note'), status: fc.constantFrom('success' as const, 'error' as const, 'unknown' as const), content }),
);

/** Histories in which results mostly follow their calls, as real ones do, and some in any order. */
const answered = fc.array(message, { maxLength: 8 }).map((messages) => messages.flatMap((one): Message[] => {
  if (one.role !== 'assistant') return [one];
  return [one, ...one.parts.flatMap((made): Message[] => (made.type === 'tool_call' ? [{ role: 'tool', callId: made.id, tool: made.name, status: 'success', content: [{ type: 'text', text: 'result' }] }] : []))];
}));
const history = fc.oneof(answered, fc.array(message, { maxLength: 10 }));

describe.each(ways.filter((way) => way.stream))('$api', (way: Way) => {
  test('any history makes a request that is accepted, the same one each time, without what is another provider\'s own', async () => {
    await fc.assert(fc.asyncProperty(history, async (messages) => {
      const all: Message[] = [...messages, { role: 'user', content: [{ type: 'text', text: 'the last word' }] }];
      const before = JSON.stringify(all);
      const bodies: string[] = [];
      for (let time = 0; time < 2; time += 1) {
        await collectTurn(adapter(way, server.url), { messages: time === 0 ? all : (structuredClone(all) as Message[]) });
        const request = server.requests.pop();
        expect(request?.refused).toBeUndefined();
        bodies.push(JSON.stringify(request?.body));
      }
      expect(bodies[1]).toBe(bodies[0]);
      expect(JSON.stringify(all)).toBe(before);
      expect(bodies[0]).toContain('the last word');
      expect(bodies[0]).not.toMatch(/from elsewhere|reasoning_details/);
      for (const text of saidIn(messages)) expect(bodies[0]).toContain(JSON.stringify(text).slice(1, -1));
    }), { numRuns: 80 });
  }, 120_000);
});

/** What user and tools said: it must be in the request, whatever else was wrong. */
function saidIn(messages: Message[]): string[] {
  return messages.flatMap((one) => (one.role === 'assistant' ? [] : one.content.flatMap((made) => (made.type === 'text' && made.text.trim() !== '' ? [made.text.replaceAll(/[\ud800-\udfff]/g, '\ufffd')] : []))));
}
