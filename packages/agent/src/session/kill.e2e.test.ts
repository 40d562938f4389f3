// kill -9 at random moments while many sessions run: nothing acknowledged is lost, nothing that changes something is started twice.
// HAFT_KILL_SESSIONS (default 1,000) sets the number of sessions, HAFT_KILL_DURABLE=1 adds an fdatasync to every acknowledged step.
import { afterAll, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tick, toolMessages } from '../../test/kit.js';
import { SessionStore, repairHistory } from '../index.js';

const sessions = Number(process.env.HAFT_KILL_SESSIONS ?? 1_000);
const worker = fileURLToPath(new URL('../../test/kill-worker.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'haft-kill-'));
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface Round {
  killed: boolean;
  errors: string;
}

/** One process: killed a random time after it began to work, or ended by itself with everything done. */
async function round(killAfterMs: number | undefined): Promise<Round> {
  const child = spawn(process.execPath, [worker, folder, String(sessions), '25'], { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
  if (killAfterMs !== undefined) child.stdout.once('data', () => void tick(killAfterMs).then(() => child.kill('SIGKILL')));
  const { code, signal } = await ended;
  running.delete(child);
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`the worker failed: ${errors}`);
  return { killed: signal === 'SIGKILL', errors };
}

const lines = (name: string) => readFileSync(join(folder, name), 'utf8').split('\n').filter((line) => line !== '');

test(`${sessions} sessions under kill -9: each ends, no effect is started twice, every conversation is whole`, async () => {
  let kills = 0;
  for (let more = true; more && kills < 30; ) {
    const { killed } = await round(Math.random() * 200);
    if (killed) kills += 1;
    else more = false;
  }
  await round(undefined);
  expect(kills).toBeGreaterThan(5);

  const effects = lines('effects.log');
  const started = new Set(effects);
  expect(effects.length - started.size).toBe(0);
  const acknowledged = lines('acknowledged.log').map((line) => line.split(' '));
  expect(new Set(acknowledged.map(([id]) => id)).size).toBe(sessions);
  expect(acknowledged.filter(([, status]) => status !== 'completed')).toEqual([]);

  const store = SessionStore.open(join(folder, 'sessions'));
  let unknown = 0;
  for (const [id = ''] of acknowledged) {
    const { messages, unfinished } = store.read(id);
    expect(unfinished).toBe(false);
    expect(repairHistory([...messages]).repairs).toEqual([]);
    const results = toolMessages(messages);
    expect(results).toHaveLength(9);
    unknown += results.filter(({ status }) => status === 'unknown').length;
    for (const { callId, tool, status } of results) {
      // A success was acknowledged, so its effect is there; an unknown one may have happened.
      if (tool === 'write' && status === 'success') expect(started.has(`${id} ${callId}`)).toBe(true);
    }
  }
  process.stderr.write(`kill -9: ${kills} kills, ${effects.length} effects, ${unknown} calls reported unknown\n`);
}, 170_000);
