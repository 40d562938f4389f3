// A context that gets full: older turns become notes, and nothing breaks.
import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { collect, contentText, handMade, toolMessages } from '../../test/kit.js';
import { messageTokens } from '../context/estimate-tokens.js';
import { shortenText } from '../context/shorten.js';
import { splitHistory } from '../context/split-history.js';
import { type Message, ModelError, type ModelRequest, SessionStore, createAgent, memorySession, repairHistory } from '../index.js';
import type { ScriptedTurn } from '../testing/script.js';
import { type ScriptedModel, scriptedModel } from '../testing/scripted-model.js';

const big = { run: ({ n }: Record<string, unknown>) => `${String(n)} ${'lorem ipsum '.repeat(400)}` };
const isSummary = (request: ModelRequest) => request.tools.length === 0 && (request.system ?? '').includes('notes');

/** Reads something large `reads` times, then answers; writes notes when it is asked for them. Counts tokens as a provider would. */
function reader(reads: number, contextWindow?: number): ScriptedModel {
  let turn = 0;
  return scriptedModel(({ body }): ScriptedTurn => {
    const request = body as ModelRequest;
    const usage = { input: request.messages.reduce((total, message) => total + messageTokens(message), 50), output: 20 };
    if (isSummary(request)) return { text: 'NOTES: read some things', usage };
    turn += 1;
    return turn > reads ? { text: 'done', usage } : { calls: [{ name: 'big', arguments: { n: turn } }], usage };
  }, contextWindow === undefined ? {} : { contextWindow });
}

test('a window that gets full is made shorter: the user\'s words stay, pairs stay whole, the run ends well', async () => {
  const model = reader(12, 8_000);
  const { events, result } = await collect(createAgent(handMade(model, { big })).run('Remember the word PINEAPPLE.'));
  expect(result.status).toBe('completed');
  const compacted = events.filter((event) => event.type === 'context_compacted');
  expect(compacted.length).toBeGreaterThan(0);
  for (const { before, after } of compacted) expect(after).toBeLessThan(before * 0.7);
  for (const request of model.requests) {
    expect(request.messages.reduce((total, message) => total + messageTokens(message), 0)).toBeLessThan(8_000);
    expect(repairHistory([...request.messages]).repairs).toEqual([]);
    if (!isSummary(request)) expect(JSON.stringify(request.messages)).toContain('PINEAPPLE');
  }
  expect(JSON.stringify(result.messages)).toContain('NOTES: read some things');
  // Between two compactions the beginning of the request does not change, so that the provider's cache holds.
  const firsts = model.requests.filter((request) => !isSummary(request)).map((request) => request.messages[0]);
  expect(new Set(firsts).size).toBe(compacted.length + 1);
});

test('on request older turns become notes before the first request, also where there is room; a short conversation stays', async () => {
  const past: Message[] = Array.from({ length: 20 }, (_, index) => [
    { role: 'user' as const, content: [{ type: 'text' as const, text: `question ${index}` }] },
    { role: 'assistant' as const, parts: [{ type: 'text' as const, text: 'long answer '.repeat(400) }] },
  ]).flat();
  const model = reader(0, 200_000);
  const agent = createAgent({ ...handMade(model, {}), session: memorySession({ messages: past }) });
  const { events } = await collect(agent.run('and now?', { compact: true }));
  expect(events.filter((event) => event.type === 'context_compacted')).toHaveLength(1);
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toMatch(/NOTES: read some things.*and now\?/s);
  const again = await collect(agent.run('and?'));
  expect(again.events.filter((event) => event.type === 'context_compacted')).toHaveLength(0);
  const short = await collect(createAgent(handMade(reader(0), {})).run('hi', { compact: true }));
  expect(short.events.filter((event) => event.type === 'context_compacted')).toHaveLength(0);
});

describe('SESS-07: the provider says that the conversation is too long', () => {
  /** Throws context_too_long for the first `times` real requests. */
  function limited(times: number): ScriptedModel {
    let left = times;
    const inner = reader(0);
    return { ...inner, async *stream(request, signal) {
      if (!isSummary(request) && (left -= 1) >= 0) {
        inner.requests.push({ ...request, messages: [...request.messages] });
        throw new ModelError('context_too_long', 'The conversation is too long for this model.', { provider: 'scripted', retryable: false });
      }
      yield* inner.stream(request, signal);
    } };
  }
  const past: Message[] = Array.from({ length: 10 }, (_, index) => [
    { role: 'user' as const, content: [{ type: 'text' as const, text: `question ${index}` }] },
    { role: 'assistant' as const, parts: [{ type: 'text' as const, text: 'long answer '.repeat(200) }] },
  ]).flat();

  test('it is made shorter once and asked once more; the file keeps everything', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'haft-compact-'));
    const store = SessionStore.open(folder);
    const session = store.create();
    await session.adopt(past);
    const model = limited(1);
    const { events, result } = await collect(createAgent({ ...handMade(model, {}), session }).run('and now?'));
    await session.close();
    expect(result).toMatchObject({ status: 'completed', text: 'done' });
    expect(model.requests).toHaveLength(3);
    expect(events.map((event) => event.type)).toContain('context_compacted');
    const stored = store.read(session.id).messages;
    expect(stored).toHaveLength(past.length + 2);
    for (let index = 0; index < 10; index += 1) expect(JSON.stringify(stored)).toContain(`question ${index}`);
    const again = store.load(session.id);
    expect(again.messages).toEqual(result.messages);
    await again.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('too long again: a plain failure, no endless loop', async () => {
    const model = limited(99);
    const agent = createAgent({ ...handMade(model, {}), session: memorySession({ messages: [...past] }) });
    const { result } = await collect(agent.run('and now?'));
    expect(result).toMatchObject({ status: 'failed', error: { code: 'context_too_long' } });
    expect(model.requests).toHaveLength(3);
  });
});

test('notes on notes do not grow without end', async () => {
  const model = reader(120, 8_000);
  const { result } = await collect(createAgent({ ...handMade(model, { big }), limits: { maxTurns: 200 } }).run('Remember the word PINEAPPLE.'));
  expect(result.status).toBe('completed');
  for (const request of model.requests) expect(request.messages.reduce((total, message) => total + messageTokens(message), 0)).toBeLessThan(8_000);
  expect(JSON.stringify(result.messages)).toContain('PINEAPPLE');
});

test('notes that the model cannot write are replaced by a plain list', async () => {
  const inner = reader(12, 8_000);
  const model: ScriptedModel = { ...inner, async *stream(request, signal) {
    if (isSummary(request)) throw new ModelError('overloaded', 'busy', { provider: 'scripted', retryable: true });
    yield* inner.stream(request, signal);
  } };
  const { result } = await collect(createAgent(handMade(model, { big })).run('Remember the word PINEAPPLE.'));
  expect(result.status).toBe('completed');
  expect(JSON.stringify(result.messages)).toMatch(/- big: success: 1 lorem/);
});

test('a history is only ever cut between turns', () => {
  const turn = fc.array(fc.nat(3), { maxLength: 3 }).map((results) => results.length === 0
    ? [{ role: 'user', content: [{ type: 'text', text: 'u'.repeat(50) }] }]
    : [
        { role: 'assistant', parts: results.map((_, index) => ({ type: 'tool_call', id: String(index), name: 't', arguments: '{}' })) },
        ...results.map((size, index) => ({ role: 'tool', callId: String(index), tool: 't', status: 'success', content: [{ type: 'text', text: 'r'.repeat(size * 100) }] })),
      ]);
  fc.assert(fc.property(fc.array(turn, { minLength: 1, maxLength: 8 }), fc.nat(400), (turns, keep) => {
    const messages = turns.flat() as Message[];
    const { older, recent } = splitHistory(messages, keep);
    expect([...older, ...recent]).toEqual(messages);
    expect(recent[0]?.role).not.toBe('tool');
    expect(recent.length).toBeGreaterThan(0);
  }));
});

test('SESS-06: five huge results in one turn are cut to their share, with both numbers, never inside a character', async () => {
  const sizes = [5_000_000, 200, 1_000_000, 400_000, 90_000];
  const huge = { run: ({ n }: Record<string, unknown>) => '\u{1F600}'.repeat(sizes[Number(n)]! / 2) };
  const model = scriptedModel([{ calls: sizes.map((_, n) => ({ name: 'huge', arguments: { n } })) }, { text: 'done' }]);
  const folder = mkdtempSync(join(tmpdir(), 'haft-huge-'));
  const session = SessionStore.open(folder).create();
  const { result } = await collect(createAgent({ ...handMade(model, { huge }), session }).run('go'));
  await session.close();
  const sent = toolMessages(model.requests[1]!.messages).map(contentText);
  expect(sent.reduce((total, text) => total + text.length, 0)).toBeLessThanOrEqual(200_000);
  expect(sent[1]).toHaveLength(200);
  expect(sent[0]).toMatch(/shortened: \d+ of 5000000 characters/);
  expect(/[\ud800-\udbff](?![\udc00-\udfff])/.test(sent.join(''))).toBe(false);
  const again = SessionStore.open(folder).load(session.id);
  expect(again.messages).toEqual(result.messages);
  await again.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a shortened text is never longer than asked and never ends inside a character', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.integer({ min: 150, max: 300 }), (text, max) => {
    const short = shortenText(text, max);
    expect(short.length).toBeLessThanOrEqual(Math.max(max, 150));
    expect(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(short)).toBe(false);
  }));
});
