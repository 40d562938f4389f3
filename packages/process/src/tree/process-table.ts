/** What runs on this machine, read from Linux `/proc`: enough to find every process of one run. Empty elsewhere. */
import { readFileSync, readdirSync } from 'node:fs';
import { MARKER_NAME } from '../environment.js';

export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  zombie: boolean;
}

export function listProcesses(): ProcessEntry[] {
  return processIds().flatMap((pid) => readEntry(pid) ?? []);
}

/** Ids of the processes whose environment holds exactly this marker, or one that starts with it when it ends in a dot. */
export function processesMarked(marker: string): number[] {
  const needle = Buffer.from(`${MARKER_NAME}=${marker}${marker.endsWith('.') ? '' : '\0'}`);
  return processIds().filter((pid) => pid !== process.pid && readProc(pid, 'environ')?.includes(needle));
}

function processIds(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number);
}

function readEntry(pid: number): ProcessEntry | undefined {
  const stat = readProc(pid, 'stat')?.toString('latin1');
  if (stat === undefined) return undefined;
  // The name stands in parentheses and may hold any character, also a parenthesis (proc(5)).
  const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { pid, parent: Number(parent), group: Number(group), zombie: state === 'Z' || state === 'X' };
}

/** undefined where the process is gone, or belongs to somebody else. */
function readProc(pid: number, file: 'stat' | 'environ'): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`);
  } catch {
    return undefined;
  }
}
