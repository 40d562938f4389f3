// The audit log with real processes that are killed or write at once.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createAuditLog } from './audit-log.js';
import { auditParts, auditPaths } from './audit-log-files.js';
import { verifyAuditLog } from './audit-log-reader.js';

// HAFT_LONG=1 runs the long form.
const appends = process.env['HAFT_LONG'] === '1' ? 20_000 : 1000;
const script = fileURLToPath(new URL('./testdata/append-audit.mjs', import.meta.url));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'haft-audit-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Appended {
  acknowledged: string[];
  failed: string[];
}

/** Runs the appending process; with `killAfter`, kills it with -9 a moment after that many acknowledgements. */
async function append(count: number, killAfter?: number, { wrap = [], maxFileBytes = 2 ** 24 }: { wrap?: string[]; maxFileBytes?: number } = {}): Promise<Appended> {
  const [program, ...args] = [...wrap, process.execPath, script, folder, String(count), String(maxFileBytes)];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    if (killAfter !== undefined && text.split('\n').length > killAfter) setTimeout(() => child.kill('SIGKILL'), Math.random() * 3);
  });
  await new Promise<void>((resolve, reject) => child.on('close', () => resolve()).on('error', reject));
  const lines = text.split('\n').slice(0, -1);
  return { acknowledged: lines.filter((line) => !line.startsWith('failed')), failed: lines.filter((line) => line.startsWith('failed')) };
}

function marks(): string[] {
  const files = [...auditParts(folder).map(({ path }) => path), auditPaths(folder).log].filter((path) => existsSync(path));
  return files.flatMap((path) => readFileSync(path, 'utf8').split('\n').slice(0, -1)).map((line) => (JSON.parse(line) as { mark: string }).mark);
}

test(`PERM-12: kill -9 during ${appends} appends loses no acknowledged record`, async () => {
  const acknowledged: string[] = [];
  let kills = 0;
  while (acknowledged.length < appends) {
    acknowledged.push(...(await append(100_000, 10 + Math.floor(Math.random() * 30))).acknowledged);
    kills++;
    expect(await verifyAuditLog(folder)).toMatchObject({ whole: true });
  }
  expect(kills).toBeGreaterThan(5);
  const log = createAuditLog(folder);
  await log.append({ event: 'approval', at: new Date().toISOString(), sessionId: 's', mark: 'last' });
  log.close();
  const kept = new Set(marks());
  expect(acknowledged.filter((mark) => !kept.has(mark))).toEqual([]);
  expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, tornBytes: 0 });
}, 600_000);

test(`PERM-12: kill -9 during ${appends} appends to files that are full after a few records loses none, and the chain spans them`, async () => {
  const acknowledged: string[] = [];
  while (acknowledged.length < appends) {
    acknowledged.push(...(await append(100_000, 10 + Math.floor(Math.random() * 30), { maxFileBytes: 600 })).acknowledged);
    expect(await verifyAuditLog(folder)).toMatchObject({ whole: true });
  }
  await append(1);
  expect(auditParts(folder).length).toBeGreaterThan(appends / 5);
  const kept = marks();
  expect(acknowledged.filter((mark) => !new Set(kept).has(mark))).toEqual([]);
  expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: kept.length, tornBytes: 0 });
}, 600_000);

test('PERM-12: processes that fill files at once keep one chain, which can be verified meanwhile', async () => {
  const all = Promise.all([append(150, undefined, { maxFileBytes: 500 }), append(150, undefined, { maxFileBytes: 500 })]);
  let done = false;
  void all.then(() => { done = true; });
  const found: string[] = [];
  while (!done) found.push(...(await verifyAuditLog(folder)).problems);
  expect(found).toEqual([]);
  expect((await all).flatMap(({ failed }) => failed)).toEqual([]);
  expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 300 });
}, 120_000);

test('PERM-12: three processes at once do not mix lines, and keep one chain', async () => {
  const all = await Promise.all([append(150), append(150), append(150)]);
  const acknowledged = all.flatMap((one) => one.acknowledged);
  expect(acknowledged).toHaveLength(450);
  expect(marks().toSorted()).toEqual(acknowledged.toSorted());
  expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 450 });
}, 120_000);

test('PERM-12: processes that are killed while others write leave the others going', async () => {
  const steady = append(300);
  const killed: string[] = [];
  for (let round = 0; round < 8; round++) killed.push(...(await append(100_000, 5)).acknowledged);
  const { acknowledged, failed } = await steady;
  expect(failed).toEqual([]);
  expect(acknowledged).toHaveLength(300);
  const kept = new Set(marks());
  expect([...killed, ...acknowledged].filter((mark) => !kept.has(mark))).toEqual([]);
  expect((await verifyAuditLog(folder)).whole).toBe(true);
}, 120_000);

test('PERM-12: a full disk refuses records, and leaves what is there whole', async () => {
  const limited = ['/bin/bash', '-c', 'trap "" XFSZ; ulimit -f 8; exec "$@"', 'limited'];
  const { acknowledged, failed } = await append(60, undefined, { wrap: limited });
  expect(acknowledged.length).toBeGreaterThan(5);
  expect(failed.length).toBeGreaterThan(5);
  expect(new Set(failed)).toEqual(new Set(['failed audit_unavailable']));
  const kept = marks();
  expect(acknowledged.filter((mark) => !kept.includes(mark))).toEqual([]);
  expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, tornBytes: 0 });
  expect((await append(3)).acknowledged).toHaveLength(3);
  expect((await verifyAuditLog(folder)).whole).toBe(true);
}, 60_000);
