/**
 * What runs before bubblewrap: it joins the control group, sets limits and, as root, enters a mount namespace that closes what
 * bubblewrap leaves open to root. Inside, root still owns files of the real root, and three of them can be reached on writable
 * mounts: the device nodes, bubblewrap's own program (`/proc/1/exe`) and the standard input. There, they are read-only.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import type { SandboxLimits } from './bubblewrap-options.js';

const READ_ONLY = 'mount -o bind,ro /dev /dev && mount -o bind,ro /usr/bin/bwrap /usr/bin/bwrap';

/** Descriptors that Haft itself was started with, say of its caller's files, are nothing for a command: all are closed but bubblewrap's own. */
const CLOSE_INHERITED = 'for fd in /proc/self/fd/*; do fd="${fd##*/}"; case "$fd" in [0-5]) ;; *) eval "exec $fd<&-" ;; esac; done';

/** The first descriptor after those. */
export const FIRST_FILE = 6;

/**
 * Makes the namespace once, for every command: a descriptor that keeps it alive until it is closed.
 * What is mounted outside later shows inside too. Rejects with what was said where it cannot be made.
 */
export async function openRootNamespace(): Promise<number> {
  const script = `${READ_ONLY} && echo ready && read -r _`;
  const holder = spawn('/usr/bin/unshare', ['--mount', '--propagation', 'slave', '--', '/bin/sh', '-c', script], { stdio: 'pipe', env: { PATH: '/usr/bin:/bin' }, cwd: '/' });
  holder.stdin.on('error', () => undefined);
  try {
    await ready(holder);
    return openSync(`/proc/${String(holder.pid)}/ns/mnt`, 'r');
  } finally {
    holder.stdin.end();
  }
}

function ready(holder: ChildProcess): Promise<void> {
  let said = '';
  holder.stderr?.on('data', (chunk: Buffer) => { said += chunk.toString(); });
  return new Promise((resolve, reject) => {
    holder.stdout?.once('data', () => { resolve(); });
    holder.once('error', reject);
    holder.once('close', () => { reject(new Error(`root's own namespace could not be made: ${said.trim() === '' ? 'no cause given' : said.trim()}`)); });
  });
}

export interface Guard {
  limits: SandboxLimits;
  /** Of the control group; may be none. */
  joinFiles: readonly string[];
  /** To be opened for bubblewrap at the descriptors from `FIRST_FILE` on. */
  files: readonly string[];
  /** Number that the namespace's descriptor has in the command; absent for one who is not root. */
  namespace?: number;
}

/** `argv` of bubblewrap with what goes before it. */
export function guarded(argv: readonly string[], guard: Guard): string[] {
  const { namespace } = guard;
  const script = [
    'while [ "$1" != -- ]; do echo 0 >"$1" || exit 125; shift; done; shift',
    ...limitCommands(guard.limits),
    // A shell adds variables of its own, and these would be read from inside as the environment of process 1.
    'unset PWD OLDPWD SHLVL',
    CLOSE_INHERITED,
    ...guard.files.map((path, index) => `exec ${FIRST_FILE + index}<${path} || exit 125`),
    'exec "$@" </dev/null',
  ].join('; ');
  const command = ['/bin/bash', '--noprofile', '--norc', '-c', script, 'haft-sandbox', ...guard.joinFiles, '--', ...argv];
  return namespace === undefined ? command : ['/usr/bin/nsenter', `--mount=/proc/self/fd/${namespace}`, '--', ...command];
}

/** In the units of bash: kibibytes, seconds. */
function limitCommands(limits: SandboxLimits): string[] {
  const flags = [`-c 0`, `-f ${Math.ceil(limits.fileBytes / 1024)}`, `-n ${limits.openFiles}`, `-d ${Math.ceil(limits.memoryBytes / 1024)}`, `-t ${limits.cpuSeconds}`];
  return flags.map((flag) => `ulimit ${flag} || exit 125`);
}
