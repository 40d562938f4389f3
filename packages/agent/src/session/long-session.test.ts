// A conversation of a size that nobody plans for.
import { expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collect, handMade } from '../../test/kit.js';
import { type Message, SessionStore, createAgent, memorySession } from '../index.js';
import { scriptedModel } from '../testing/scripted-model.js';

const long: Message[] = Array.from({ length: 130_000 }, (_, index) => (index % 2 === 0 ? { role: 'user', content: [{ type: 'text', text: 'q' }] } : { role: 'assistant', parts: [{ type: 'text', text: 'a' }] }));

test('130,000 messages are stored, read, repaired and made shorter without running out of anything', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'haft-long-'));
  try {
    const store = SessionStore.open(folder, { durable: false });
    const session = store.create();
    await session.adopt(long);
    await session.close();
    const again = store.load(session.id);
    expect(again.messages).toHaveLength(long.length);
    await again.close();
    const broken: Message[] = [...long, { role: 'assistant', parts: [{ type: 'tool_call', id: 'x', name: 'y', arguments: '{}' }] }];
    const { events } = await collect(createAgent({ ...handMade(scriptedModel([{ text: 'notes' }, { text: 'done' }]), {}), session: memorySession({ messages: broken }), limits: { contextTokens: 50_000 } }).run('go'));
    expect(events.map((event) => event.type)).toEqual(expect.arrayContaining(['history_repaired', 'context_compacted']));
    expect(events.find((event) => event.type === 'context_compacted')?.after).toBeLessThan(50_000);
    expect(events.at(-1)).toMatchObject({ status: 'completed' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
