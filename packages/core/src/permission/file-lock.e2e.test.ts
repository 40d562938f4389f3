// The lock between processes, with owners that are killed.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { withFileLock } from './file-lock.js';

const dist = fileURLToPath(new URL('../../build/permission/file-lock.js', import.meta.url));

let folder = '';
let lock = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'haft-lock-'));
  lock = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that dies with -9 while it holds the lock. */
async function dieHolding(path: string): Promise<void> {
  const code = `import { withFileLock } from ${JSON.stringify(dist)}; await withFileLock(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL') && Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
  await new Promise((resolve, reject) => child.on('exit', resolve).on('error', reject));
  expect(readdirSync(folder).length).toBeGreaterThan(0);
}

test('a lock is free again after the work, also after work that throws', async () => {
  expect(await withFileLock(lock, () => existsSync(folder) && readdirSync(folder))).toEqual(['lock']);
  await expect(withFileLock(lock, () => { throw new Error('no'); })).rejects.toThrow('no');
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock whose owner was killed is taken over', async () => {
  await dieHolding(lock);
  expect(await withFileLock(lock, () => 'mine')).toBe('mine');
  expect(readdirSync(folder)).toEqual([]);
});

test('so is one whose breaker was killed too', async () => {
  await dieHolding(lock);
  const { createHash } = await import('node:crypto');
  const { readlinkSync } = await import('node:fs');
  await dieHolding(`${lock}.${createHash('sha256').update(readlinkSync(lock)).digest('hex').slice(0, 16)}`);
  expect(readdirSync(folder)).toHaveLength(2);
  expect(await withFileLock(lock, () => 'mine')).toBe('mine');
  expect(readdirSync(folder)).toEqual([]);
});

test('many at once, after a death, get it one after another', async () => {
  await dieHolding(lock);
  let holders = 0;
  let most = 0;
  const one = (): Promise<void> =>
    withFileLock(lock, () => {
      most = Math.max(most, ++holders);
      holders--;
    });
  await Promise.all(Array.from({ length: 20 }, one));
  expect(most).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock of another machine is not taken over while it is young', async () => {
  symlinkSync('1.2.elsewhere.x', lock);
  await expect(withFileLock(lock, () => 'mine', 200)).rejects.toThrow('is held by process 1');
});
