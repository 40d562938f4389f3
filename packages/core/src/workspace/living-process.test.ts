// Marks of processes that live, have died, were replaced by a later one, or live elsewhere.
import { expect, test } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { isFromHere, isGone, ownMark } from './living-process.js';

test('this process is here and not gone; one with its number that began at another time is', () => {
  const mark = ownMark();
  expect(isFromHere(mark)).toBe(true);
  expect(isGone(mark)).toBe(false);
  expect(isGone({ pid: mark.pid, start: '' })).toBe(false);
  if (mark.start !== '') expect(isGone({ pid: mark.pid, start: '1' })).toBe(true);
});

test('a process that has ended is gone, with and without its start', () => {
  const { pid } = spawnSync('true');
  expect(isGone({ pid, start: '' })).toBe(true);
  expect(isGone({ pid, start: '123' })).toBe(true);
});

test('a child that lives is not gone', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  expect(isGone({ pid: child.pid!, start: '' })).toBe(false);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  expect(isGone({ pid: child.pid!, start: '' })).toBe(true);
});

test('a mark of another machine or another pid namespace cannot be judged; one without a namespace is judged by its machine', () => {
  const { host, namespace } = ownMark();
  expect(isFromHere({ host: 'elsewhere', namespace })).toBe(false);
  expect(isFromHere({ host, namespace: 'pid:[1]' })).toBe(false);
  expect(isFromHere({ host })).toBe(true);
});
