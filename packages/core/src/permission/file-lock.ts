/**
 * A lock between processes that a `kill -9` cannot leave behind for good. The lock is a symbolic link whose text names its owner:
 * made, read and removed by one system call each, so nobody sees it half written.
 */
import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

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
  if (owner === undefined || !isGone(owner, path)) return;
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

/** `pid.start.place.nonce`: the start time tells a process from a later one with its number. */
function self(): string {
  ownText ??= [process.pid, startOf(process.pid) ?? '', placeOf(), randomBytes(6).toString('hex')].join('.');
  return ownText;
}

function isGone(owner: string, path: string): boolean {
  const [pid = '', start, place] = owner.split('.');
  if (place !== placeOf()) return ageOf(path) > foreignLimitMs;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  return start !== '' && startOf(Number(pid)) !== start;
}

function ageOf(path: string): number {
  try {
    return Date.now() - lstatSync(path).mtimeMs;
  } catch {
    return 0; // It was released meanwhile.
  }
}

/** In clock ticks since boot; undefined where there is no /proc or no such process. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined; // Then the process number alone has to tell.
  }
}

let ownPlace: string | undefined;

/** Process numbers mean something on one machine, in one pid namespace. */
function placeOf(): string {
  ownPlace ??= createHash('sha256').update(`${hostname()} ${pidNamespace()}`).digest('hex').slice(0, 12);
  return ownPlace;
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
