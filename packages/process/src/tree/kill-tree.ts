/** Kills a run with everything that it started: its process group, its descendants, and what only its marker still tells. */
import { type ProcessEntry, listProcesses, processesMarked } from './process-table.js';

/** A fork that races with the kill is found in the next round; each round is a few milliseconds. */
const MAX_ROUNDS = 50;

/** Never throws. Resolves nothing: SIGKILL cannot be refused, what is left afterwards are zombies. */
export function killTree(pid: number, marker: string): void {
  const before = descendantsOf(pid, listProcesses());
  killGroup(pid);
  for (const descendant of before) kill(descendant);
  sweepMarked(marker);
}

/** Kills every process with this marker (a run's, or a runner's prefix that ends in a dot) until none is left. */
export function sweepMarked(marker: string): void {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const left = processesMarked(marker);
    if (left.length === 0) return;
    for (const pid of left) kill(pid);
  }
}

/** Whether anything was there to kill. */
export function killGroup(pid: number): boolean {
  return kill(-pid);
}

function kill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    // ESRCH: it is gone already. EPERM: it belongs to somebody else, so it is none of ours.
    return false;
  }
}

function descendantsOf(root: number, table: readonly ProcessEntry[]): number[] {
  const found = new Set([root]);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const entry of table) {
      if (found.has(entry.parent) || entry.group === root) found.add(entry.pid);
    }
  }
  found.delete(root);
  return [...found];
}
