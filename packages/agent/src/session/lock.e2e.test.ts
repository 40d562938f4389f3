// Many processes want one session: one writes at a time, a killed one leaves nothing to clean up.
import { afterAll, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SessionStore } from '../index.js';

const folder = mkdtempSync(join(tmpdir(), 'haft-lock-'));
const children = new Set<ChildProcess>();
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Waits for the session, writes twenty messages one by one, lets it go. With `die` it is killed by itself after ten. */
const writer = (name: string, die: boolean) => `
  import { SessionStore } from '@haft/agent';
  const store = SessionStore.open(${JSON.stringify(folder)}, { durable: false });
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  let session;
  while (!session) {
    try { session = store.load('shared'); } catch (error) { if (error.code !== 'session_locked') throw error; await pause(Math.random() * 5); }
  }
  for (let n = 1; n <= 20; n += 1) {
    await session.adopt([{ role: 'user', content: [{ type: 'text', text: '${name} ' + n + ' ' + 'x'.repeat(5000) }] }]);
    if (${die} && n === 10) process.kill(process.pid, 'SIGKILL');
    await pause(0);
  }
  await session.close();
`;

function run(name: string, die: boolean): Promise<number | null> {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const child = spawn(process.execPath, ['--input-type=module', '-e', writer(name, die)], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  children.add(child);
  return new Promise((resolve) => child.on('close', (code) => {
    children.delete(child);
    resolve(code);
  }));
}

test('SESS-04: eight processes on one session, three killed while they write: no line interleaves, each block is whole', async () => {
  const store = SessionStore.open(folder);
  const session = store.create({ id: 'shared' });
  await session.adopt([{ role: 'user', content: [{ type: 'text', text: 'first' }] }]);
  await session.close();
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const dying = new Set(['b', 'd', 'g']);
  const codes = await Promise.all(names.map((name) => run(name, dying.has(name))));
  expect(codes).toEqual(names.map((name) => (dying.has(name) ? null : 0)));

  const { messages, problems } = store.read('shared');
  expect(problems).toEqual([]);
  const written = messages.slice(1).map((message) => (message.role === 'user' && message.content[0]?.type === 'text' ? message.content[0].text.slice(0, 5).trim().split(' ').slice(0, 2).join(' ') : ''));
  const order = [...new Set(written.map((text) => text.split(' ')[0] ?? ''))];
  expect([...order].sort()).toEqual(names);
  expect(written).toEqual(order.flatMap((name) => Array.from({ length: dying.has(name) ? 10 : 20 }, (_, index) => `${name} ${index + 1}`)));
  expect(readFileSync(join(folder, 'shared.jsonl'), 'utf8').endsWith('\n')).toBe(true);
  await store.load('shared').close();
  expect(readdirSync(folder)).toEqual(['shared.jsonl']);
}, 60_000);
