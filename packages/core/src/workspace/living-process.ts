/**
 * Whether the process that left something behind (a lock, a half-written file) still lives. Its number alone does not tell: numbers are
 * used again, and mean something on one machine and in one pid namespace only.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessMark {
  pid: number;
  /** When it started, in clock ticks since boot; empty where the system does not say. */
  start: string;
  host: string;
  /** The pid namespace; empty where there are none. */
  namespace: string;
}

let own: ProcessMark | undefined;

/** What to write down, so that others can ask `isGone` later. */
export function ownMark(): ProcessMark {
  own ??= { pid: process.pid, start: startOf(process.pid) ?? '', host: hostname(), namespace: pidNamespace() };
  return own;
}

/** Whether a mark can be judged here: made on this machine and, where the mark says so, in this pid namespace. */
export function isFromHere({ host, namespace }: { host: string; namespace?: string }): boolean {
  const here = ownMark();
  return host === here.host && (namespace ?? here.namespace) === here.namespace;
}

/** For a process of this machine. Without `start`, a later process with its number counts as itself. */
export function isGone({ pid, start }: Pick<ProcessMark, 'pid' | 'start'>): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return true;
  }
  const now = start === '' ? undefined : startOf(pid);
  return now !== undefined && now !== start;
}

/** Undefined where there is no /proc; a zombie has no start any more. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'gone' : fields[19];
  } catch {
    return undefined;
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
