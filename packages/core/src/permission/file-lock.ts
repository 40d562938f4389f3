/**
 * A lock between processes that a `kill -9` cannot leave behind for good. The lock is a symbolic link whose text names its owner:
 * made, read and removed by one system call each, so nobody sees it half written.
 */
import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isGone, ownMark } from '../workspace/living-process.js';

/** After this, a lock of another machine or pid namespace, whose owner cannot be looked up, counts as left behind. */
const foreignLimitMs = 30_000;

/**
 * Runs `work` while holding the lock. `work` is synchronous, so one process never waits for itself.
 * @throws Error when the lock is not free within `waitMs` milliseconds, and whatever `work` throws.
 */
export async function withFileLock<T>(path: string, work: () => T, waitMs = 10_000): Promise<T> {
  const deadline = Date.now() + waitMs;
  while (!tryLock(path)) {
    if (Date.now() > deadline) throw new Error(`${path} is held by process ${readOwner(path)?.split('.')[0] ?? 'unknown'}`);
    breakIfLeft(path);
    await sleep(1 + Math.random() * 4);
  }
  try {
    return work();
  } finally {
    // After a long sleep of the machine it may be another's.
    if (readOwner(path) === self()) unlinkSync(path);
  }
}

function tryLock(path: string): boolean {
  try {
    symlinkSync(self(), path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a dead owner's lock. Only the holder of the lock named after that owner may do so, and a dead owner cannot lock again,
 * so what is removed is what was seen. The breaker's own lock is broken the same way if it dies.
 */
function breakIfLeft(path: string): void {
  const owner = readOwner(path);
  if (owner === undefined || !isLeft(owner, path)) return;
  const breaker = `${path}.${createHash('sha256').update(owner).digest('hex').slice(0, 16)}`;
  if (!tryLock(breaker)) return breakIfLeft(breaker);
  try {
    if (readOwner(path) === owner) unlinkSync(path);
  } finally {
    unlinkSync(breaker);
  }
}

function readOwner(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

let ownText: string | undefined;

/** `pid.start.place.nonce`. */
function self(): string {
  const { pid, start } = ownMark();
  ownText ??= [pid, start, ownPlace(), randomBytes(6).toString('hex')].join('.');
  return ownText;
}

/** Of another place nothing but the age can be told. */
function isLeft(owner: string, path: string): boolean {
  const [pid = '', start = '', place] = owner.split('.');
  return place === ownPlace() ? isGone({ pid: Number(pid), start }) : ageOf(path) > foreignLimitMs;
}

function ageOf(path: string): number {
  try {
    return Date.now() - lstatSync(path).mtimeMs;
  } catch {
    return 0; // It was released meanwhile.
  }
}

function ownPlace(): string {
  const { host, namespace } = ownMark();
  return createHash('sha256').update(`${host} ${namespace}`).digest('hex').slice(0, 12);
}
