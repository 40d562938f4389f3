/** A control group for what runs in one sandbox: the only limit on processes that binds root, and the only one on memory in all. */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SandboxLimits } from './bubblewrap-options.js';

export interface ControlGroup {
  /** Files that a process of one thread writes `0` to, to move itself in. */
  joinFiles: readonly string[];
  /** What is limited: `pids`, `memory`. */
  limited: readonly string[];
  remove(): void;
}

interface Limit {
  controller: 'pids' | 'memory';
  /** The folder that the new group is made in. */
  parent: string;
  file: string;
  value: number;
}

let count = 0;

/** undefined where no group can be made: no cgroup file system, not mounted writable, not delegated to this user. */
export function createControlGroup(limits: SandboxLimits): ControlGroup | undefined {
  const made = new Map<string, string[]>();
  const name = `haft-${process.pid}-${count += 1}`;
  for (const limit of possibleLimits(limits)) {
    const folder = join(limit.parent, name);
    if (apply(folder, limit)) made.set(folder, [...(made.get(folder) ?? []), limit.controller]);
  }
  if (made.size === 0) return undefined;
  return {
    joinFiles: [...made.keys()].map(joinFile),
    limited: [...made.values()].flat(),
    remove: () => { for (const folder of made.keys()) removeSoon(folder); },
  };
}

/** Version 1 has `tasks`: for a thread that moves itself the kernel takes no global lock there, which costs milliseconds otherwise. */
function joinFile(folder: string): string {
  const tasks = join(folder, 'tasks');
  return existsSync(tasks) ? tasks : join(folder, 'cgroup.procs');
}

function apply(folder: string, limit: Limit): boolean {
  removeStale(limit.parent);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, limit.file), String(limit.value));
    return true;
  } catch {
    // Not ours to make, or this controller is not handed down here: the caller says which limits hold.
    removeEmpty(folder);
    return false;
  }
}

/** Version 1 has one tree per controller, version 2 one for all (cgroups(7)). */
function possibleLimits(limits: SandboxLimits): Limit[] {
  const own = parse('/proc/self/cgroup', ':');
  return parse('/proc/self/mounts', ' ').flatMap(([, mount = '', type, options = '']) => {
    if (type === 'cgroup2') return unifiedLimits(mount, own.find(([id]) => id === '0')?.[2], limits);
    if (type !== 'cgroup') return [];
    const controller = (['pids', 'memory'] as const).find((name) => options.split(',').includes(name));
    const path = own.find(([, names = '']) => controller !== undefined && names.split(',').includes(controller))?.[2];
    if (controller === undefined || path === undefined) return [];
    const parent = join(mount, path);
    return [controller === 'pids' ? { controller, parent, file: 'pids.max', value: limits.processes } : { controller, parent, file: 'memory.limit_in_bytes', value: limits.memoryBytes }];
  });
}

/** A group that holds processes cannot hand controllers down, so the new one is made beside our own. */
function unifiedLimits(mount: string, path: string | undefined, limits: SandboxLimits): Limit[] {
  if (path === undefined || path === '/') return [];
  const parent = join(mount, dirname(path));
  return [
    { controller: 'pids', parent, file: 'pids.max', value: limits.processes },
    { controller: 'memory', parent, file: 'memory.max', value: limits.memoryBytes },
  ];
}

function parse(file: string, separator: string): string[][] {
  try {
    return readFileSync(file, 'utf8').split('\n').map((line) => line.split(separator));
  } catch {
    return [];
  }
}

/** Groups of a Haft that was killed. One that still holds processes cannot be removed. */
function removeStale(parent: string): void {
  let names: string[] = [];
  try {
    names = readdirSync(parent);
  } catch {
    return;
  }
  for (const name of names) {
    const [, pid] = /^haft-(\d+)-\d+$/.exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) removeEmpty(join(parent, name));
  }
}

/** The kernel takes a moment to bury the last process of a group. */
function removeSoon(folder: string, waitMs = 20): void {
  if (removeEmpty(folder) || waitMs > 2_000) return;
  setTimeout(() => { removeSoon(folder, waitMs * 3); }, waitMs).unref();
}

function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    // Busy, or not there: a later start removes it.
    return !existsSync(folder);
  }
}
