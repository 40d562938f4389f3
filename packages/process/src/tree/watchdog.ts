/**
 * Outlives us: a small shell that waits for our end, however it comes (kill -9 too), and then kills every process with
 * our marker. It holds nothing but the reading end of a pipe, whose writing end only we hold.
 */
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** Sweeps until nothing was found three times in a row: a fork that races with the kill shows in the next round. */
const SWEEP = `read -r _
empty=0; round=0
while [ "$empty" -lt 3 ] && [ "$round" -lt 50 ]; do
  empty=$((empty + 1)); round=$((round + 1))
  for file in $(grep -ls "$1" /proc/[0-9]*/environ); do
    pid="\${file#/proc/}"; kill -9 "\${pid%/environ}" 2>/dev/null && empty=0
  done
  sleep 0.02
done
[ -z "$2" ] || rm -rf -- "$2"`;

export interface Watchdog {
  /** Ends it. What it guards must be gone already. */
  stop(): void;
}

/** `pattern` is a basic regular expression that matches the marker in an environment; `folder` is removed at our end, too. */
export function startWatchdog(pattern: string, folder: string): Watchdog {
  if (process.platform !== 'linux') return { stop() {} };
  const child = spawn('/bin/sh', ['-c', SWEEP, 'haft-watchdog', pattern, folder], {
    cwd: '/',
    detached: true,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell there is no watchdog; what it guards against is our own death, which must not come from here.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as Socket).unref();
  return { stop: () => { child.kill('SIGKILL'); } };
}
