/** One writer a session: a lock file that names its process, so that the lock of a dead one is recognised and taken over. */
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { type ProcessMark, isFromHere, isGone, ownMark } from '@haft/core/living-process';
import { readRegular } from './read-regular.js';
import { SessionError } from './session-error.js';

interface LockOwner extends ProcessMark {
  token: string;
}

export class SessionLock {
  private constructor(
    private readonly path: string,
    private readonly content: string,
  ) {}

  /** Throws a SessionError `session_locked` when a living process has it. */
  static acquire(path: string, sessionId: string): SessionLock {
    const owner: LockOwner = { ...ownMark(), token: crypto.randomUUID() };
    const content = JSON.stringify(owner);
    // More than one round only when others take over stale locks at the same time.
    for (let round = 0; round < 100; round += 1) {
      if (create(path, content)) return new SessionLock(path, content);
      const present = read(path);
      if (present !== undefined && isAlive(present)) throw lockedError(sessionId, parse(present));
      if (present !== undefined && !takeAway(path, present, content)) briefly();
    }
    throw new SessionError('session_locked', `Session ${sessionId}: its lock ${path} could not be taken; other processes keep taking it.`);
  }

  /** Whether a living process has the lock. */
  static isHeld(path: string): boolean {
    const present = read(path);
    return present !== undefined && isAlive(present);
  }

  release(): void {
    if (read(this.path) === this.content) rmSync(this.path, { force: true });
  }
}

/** The lock appears with its content or not at all: a link to a file that is written before. False when there is one. */
function create(path: string, content: string): boolean {
  const own = `${path}.${crypto.randomUUID()}`;
  writeFileSync(own, content, { mode: 0o600 });
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code !== undefined && noLinks.has(code)) return createInPlace(path, content);
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** What file systems without hard links answer. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Nearly as good: a crash between the two steps of this leaves an empty lock, which counts as stale. */
function createInPlace(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a stale lock, one process at a time, so that nobody removes the living lock of who was faster. False when another is at it. */
function takeAway(path: string, stale: string, content: string): boolean {
  const guard = `${path}.takeover`;
  if (!create(guard, content)) {
    const other = read(guard);
    // It died between two lines of this function.
    if (other !== undefined && !isAlive(other)) rmSync(guard, { force: true });
    return false;
  }
  try {
    if (read(path) === stale) rmSync(path, { force: true });
    return true;
  } finally {
    rmSync(guard, { force: true });
  }
}

/** Waits a moment without giving way to other work: taking a lock is one step. */
function briefly(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
}

function read(path: string): string | undefined {
  try {
    return readRegular(path).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parse(content: string): LockOwner | undefined {
  try {
    const owner = JSON.parse(content) as LockOwner;
    return typeof owner.pid === 'number' ? owner : undefined;
  } catch {
    return undefined;
  }
}

/** A lock of another machine (a shared home folder) cannot be checked and counts as alive; one that cannot be read was torn by a crash. */
function isAlive(content: string): boolean {
  const owner = parse(content);
  return owner !== undefined && (!isFromHere(owner) || !isGone(owner));
}

function lockedError(sessionId: string, owner: LockOwner | undefined): SessionError {
  const who = owner === undefined ? 'another process' : `process ${owner.pid} on ${owner.host}`;
  return new SessionError('session_locked', `Session ${sessionId} is in use by ${who}. Wait for it to end, or fork the session.`);
}
