// Lines that are JSON still, and no longer what was written: a bit that flipped, a hand that edited. Nothing throws, the next request is valid.
import { afterAll, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { collect, handMade } from '../../test/kit.js';
import { type ModelRequest, SessionStore, createAgent, repairHistory } from '../index.js';
import { scriptedModel } from '../testing/scripted-model.js';

const folder = mkdtempSync(join(tmpdir(), 'haft-damaged-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const echo = { run: ({ text }: Record<string, unknown>) => text };

/** Every place in a value, as a path. */
function placesOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: (string | number)[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string | number, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

test('any value of any record replaced by any other: the session opens, exports and goes on', async () => {
  const store = SessionStore.open(folder, { durable: false });
  const session = store.create({ id: 'whole' });
  const turns = [{ text: 'first', calls: [{ name: 'echo', arguments: { text: 'a' } }, { name: 'nope' }] }, { text: 'done' }, { text: 'again' }];
  const agent = createAgent({ ...handMade(scriptedModel(turns), { echo }), session });
  await collect(agent.run('go'));
  await collect(agent.run('more'));
  await agent.dispose();
  const path = join(folder, 'whole.jsonl');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const places = lines.flatMap((line, index) => placesOf(JSON.parse(line)).map((place) => [index, place] as const));

  const oddities = fc.oneof(fc.constantFrom<unknown>(null, true, 0, -1, 1e300, '', 'user', 'assistant', 'tool_call', [], {}, [null], [[]]), fc.jsonValue({ maxDepth: 2 }));
  await fc.assert(fc.asyncProperty(fc.nat(places.length - 1), oddities, async (which, odd) => {
    const [index, place] = places[which]!;
    const damaged = lines.map((line, at) => (at === index ? JSON.stringify(replaced(JSON.parse(line), place, odd)) : line));
    writeFileSync(path, `${damaged.join('\n')}\n`);
    let reopened;
    try {
      reopened = store.load('whole');
    } catch (error) {
      expect(error).toMatchObject({ code: 'session_unreadable' });
      return;
    }
    store.export('whole', 'markdown');
    store.search('first');
    store.list();
    const model = scriptedModel([{ text: 'fine' }]);
    const next = createAgent({ ...handMade(model, { echo }), session: reopened });
    const { result } = await collect(next.run('still there?'));
    await next.dispose();
    expect(result).toMatchObject({ status: 'completed', text: 'fine' });
    expect(repairHistory([...(model.requests[0] as ModelRequest).messages]).repairs).toEqual([]);
  }), { numRuns: 300 });
});
