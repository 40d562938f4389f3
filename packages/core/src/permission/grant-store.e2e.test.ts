// Grants on disk, with real processes that are killed or write at once.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createGrantStore } from './grant-store.js';

// HAFT_LONG=1 runs the long form.
const wanted = process.env['HAFT_LONG'] === '1' ? 10_000 : 1000;
const script = fileURLToPath(new URL('./testdata/append-grants.mjs', import.meta.url));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'haft-grants-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function store(count: number, killAfter?: number): Promise<string[]> {
  const child = spawn(process.execPath, [script, folder, '/w', String(count)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    if (killAfter !== undefined && text.split('\n').length > killAfter) setTimeout(() => child.kill('SIGKILL'), Math.random() * 5);
  });
  await new Promise<void>((resolve, reject) => child.on('close', () => resolve()).on('error', reject));
  return text.split('\n').slice(0, -1);
}

function standing(): Set<string> {
  const grants = createGrantStore(folder, { root: '/w' });
  expect(grants.problem()).toBeUndefined();
  return new Set(grants.list().map(({ rule }) => rule));
}

/** What must stand: said to be stored and never begun to be revoked. What must be gone: said to be revoked. */
function compare(said: readonly string[]): { lost: string[]; back: string[] } {
  const revoked = said.filter((line) => line.startsWith('revoke ')).map((line) => line.slice(7));
  const added = said.filter((line) => line.startsWith('add ')).map((line) => line.slice(4));
  const now = standing();
  const begun = (rule: string): boolean => Number(/(\d+)\)$/.exec(rule)?.[1]) % 3 === 2;
  return { lost: added.filter((rule) => !begun(rule) && !now.has(rule)), back: revoked.filter((rule) => now.has(rule)) };
}

test(`kill -9 during ${wanted} grants and revocations: none that was acknowledged is lost, none that was revoked comes back`, async () => {
  const said: string[] = [];
  while (said.length < wanted) said.push(...(await store(100_000, 20 + Math.floor(Math.random() * 60))));
  expect(compare(said)).toEqual({ lost: [], back: [] });
}, 600_000);

test('processes at once lose nothing of each other', async () => {
  const said = (await Promise.all([store(40), store(40), store(40)])).flat();
  expect(said).toHaveLength(3 * (40 + 13));
  expect(compare(said)).toEqual({ lost: [], back: [] });
}, 120_000);
