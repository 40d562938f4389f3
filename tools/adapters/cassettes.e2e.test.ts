// Recording and replaying as a user does it: a conversation through the recorder, frozen, then played without the provider.
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Message, ModelAdapter } from '../../packages/agent/dist/index.js';
import { type CollectedTurn, type ScriptedTurn, collectTurn, loadCassette, startModelServer, startRecorder, startReplay } from '../../packages/agent/dist/testing/index.js';
import type { ToolDefinition } from '../../packages/core/dist/index.js';
import { KEY, type Way, adapter, ways } from './kit.js';

const tools = [{ name: 'note', description: 'Notes.', parameters: { type: 'object', properties: {} } } as unknown as ToolDefinition];
const script: ScriptedTurn[] = [{ text: `I saw ${KEY} and hunter2! 你好`, reasoning: 'so', calls: [{ name: 'note', arguments: { text: 'A' } }] }, { text: 'done' }];

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** Closed when the test ends, however it ends. */
async function started<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const one = await starting;
  open.push(one);
  return one;
}

async function converse(model: ModelAdapter, prompt = 'Say hunter2.'): Promise<CollectedTurn[]> {
  const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: prompt }] }];
  const first = await collectTurn(model, { messages, tools });
  const results = first.message.parts.flatMap((part): Message[] => (part.type === 'tool_call' ? [{ role: 'tool', callId: part.id, tool: part.name, status: 'success', content: [{ type: 'text', text: 'ok' }] }] : []));
  return [first, await collectTurn(model, { messages: [...messages, first.message, ...results], tools })];
}

async function record(way: Way): Promise<{ file: string; turns: CollectedTurn[] }> {
  const server = await started(startModelServer(script));
  const recorder = await started(startRecorder({ target: server.url, secrets: ['hunter2'] }));
  const turns = await converse(adapter(way, recorder.url));
  const file = join(await mkdtemp(join(tmpdir(), 'haft-cassette-')), 'conversation.json');
  await recorder.save(file);
  return { file, turns };
}

describe.each(ways)('$api, stream: $stream', (way) => {
  test('a recorded conversation plays without the provider, whole and in pieces, and holds no secret', async () => {
    const { file, turns } = await record(way);
    const text = await readFile(file, 'utf8');
    expect(text).not.toContain(KEY);
    expect(text).not.toContain('hunter2');
    for (const chunkBytes of [undefined, 11]) {
      const replay = await started(startReplay(file, chunkBytes === undefined ? {} : { chunkBytes }));
      const [first, second] = await converse(adapter(way, replay.url), 'Say [removed].');
      expect(first?.message.parts.at(-1)).toEqual(turns[0]?.message.parts.at(-1));
      expect(first?.shownText).toBe('I saw [removed] and [removed]! 你好');
      expect(second).toEqual(turns[1]);
      expect(replay.differences).toEqual([]);
      expect(replay.left()).toBe(0);
    }
  });

  test('a conversation that is no longer the recorded one is noted, or refused when strict', async () => {
    const { file } = await record(way);
    const loose = await started(startReplay(file));
    await converse(adapter(way, loose.url), 'Something else.');
    expect(loose.differences).toHaveLength(2);
    expect(loose.differences[0]).toMatch(/^request 1: "(messages|input)" is not what was recorded$/);
    await expect(converse(adapter(way, loose.url))).rejects.toMatchObject({ code: 'invalid_request' });
    const strict = await started(startReplay(await loadCassette(file), { strict: true }));
    await expect(converse(adapter(way, strict.url), 'Something else.')).rejects.toThrow(/not what was recorded/);
    expect(strict.left()).toBe(2);
  });
});

test('a file that is no cassette is refused with its name', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'haft-cassette-')), 'x.json');
  await writeFile(file, '{"version":2}');
  await expect(loadCassette(file)).rejects.toThrow(/x\.json is no cassette of version 1/);
  await writeFile(file, 'not json');
  await expect(loadCassette(file)).rejects.toThrow(/x\.json is no cassette: it is not JSON/);
});
