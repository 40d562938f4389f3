/** One writer a session: a lock file that names its process, so that the lock of a dead one is recognised and taken over. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { SessionError } from './session-error.js';

interface LockOwner {
  pid: number;
  /** When the process started, by the system's clock ticks: tells a reused pid. Empty where the system does not say. */
  start: string;
  host: string;
  token: string;
}

export class SessionLock {
  private constructor(
    private readonly path: string,
    private readonly content: string,
  ) {}

  /** Throws a SessionError `session_locked` when a living process has it. */
  static acquire(path: string, sessionId: string): SessionLock {
    const owner: LockOwner = { pid: process.pid, start: startOf(process.pid) ?? '', host: hostname(), token: crypto.randomUUID() };
    const lock = new SessionLock(path, JSON.stringify(owner));
    // More than one round only when others take stale locks at the same time.
    for (let round = 0; round < 20; round += 1) {
      if (lock.tryCreate()) return lock;
      const present = read(path);
      if (present !== undefined && isAlive(present)) throw lockedError(sessionId, parse(present));
      if (present !== undefined) takeAway(path, present);
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

  /** The lock appears with its content or not at all: a link to a file that is written before. */
  private tryCreate(): boolean {
    const own = `${this.path}.${crypto.randomUUID()}`;
    writeFileSync(own, this.content, { mode: 0o600 });
    try {
      linkSync(own, this.path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    } finally {
      rmSync(own, { force: true });
    }
  }
}

/** Removes a stale lock. If another process was faster and its living lock was moved away, it is put back. */
function takeAway(path: string, stale: string): void {
  const aside = `${path}.${crypto.randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (read(aside) !== stale) linkSync(aside, path);
  rmSync(aside, { force: true });
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
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
  if (owner === undefined) return false;
  if (owner.host !== hostname()) return true;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const start = startOf(owner.pid);
  return start === undefined || owner.start === '' || start === owner.start;
}

/** The start time of a process on Linux; a zombie counts as gone. Undefined where it cannot be told. */
function startOf(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? 'gone' : fields[19];
}

function lockedError(sessionId: string, owner: LockOwner | undefined): SessionError {
  const who = owner === undefined ? 'another process' : `process ${owner.pid} on ${owner.host}`;
  return new SessionError('session_locked', `Session ${sessionId} is in use by ${who}. Wait for it to end, or fork the session.`);
}
