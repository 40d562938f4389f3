/** Shows that a sandbox confines, by trying what must not succeed; a profile that merely starts proves nothing. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessRunner } from '../process-runner.js';
import type { RunOutcome } from '../run-options.js';
import type { Sandbox, SandboxProbe } from './sandbox.js';

const LIMIT_MS = 15_000;

/** Each line prints the name of what succeeded though it must not; the last one shows that the script came to its end. */
function attempts(secret: string, hostPid: number): string {
  return `
(: >/proc/sys/kernel/core_pattern) 2>/dev/null && echo 'write to /proc/sys'
(: >/proc/sysrq-trigger) 2>/dev/null && echo 'write to /proc/sysrq-trigger'
kill -0 ${hostPid} 2>/dev/null && [ -e /proc/${hostPid}/exe ] && [ "$(cut -d' ' -f1 /proc/self/stat)" -gt ${hostPid} ] && echo 'signal a process outside'
(cat '${secret}') 2>/dev/null && echo 'read a file outside'
(: >/usr/haft-self-test) 2>/dev/null && echo 'write to /usr'
(: >/haft-self-test) 2>/dev/null && echo 'write to /'
[ -O /dev/null ] && chmod 666 /dev/null 2>/dev/null && echo 'change a device'
[ -O /proc/1/exe ] && chmod 755 /proc/1/exe 2>/dev/null && echo 'change the program of the sandbox'
[ -O /proc/self/fd/0 ] && chmod 666 /proc/self/fd/0 2>/dev/null && echo 'change a device by a descriptor'
(: </dev/tcp/127.0.0.1/9) 2>/dev/null && echo 'network'
[ -e /proc/self/status ] || { echo END; exit; }
grep -q '^CapEff:[[:space:]]*0*$' /proc/self/status || echo 'capabilities'
grep -q '^Seccomp:[[:space:]]*2$' /proc/self/status || echo 'no seccomp filter'
[ "$(ls /sys/class/net 2>/dev/null | wc -l)" -le 1 ] || echo 'network interfaces'
tr '\\0' '\\n' </proc/1/environ | grep -vE '^(HAFT_RUN|PWD|OLDPWD|SHLVL|_)=' | grep -q . && echo 'environment of process 1'
echo END`;
}

/** Runs inside `sandbox` and says what held. Never rejects. */
export async function selfTest(sandbox: Sandbox, workspace: string): Promise<SandboxProbe> {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'haft-self-test-')));
  const runner = new ProcessRunner();
  try {
    const secret = join(outside, 'secret');
    writeFileSync(secret, 'outside\n');
    const argv = ['/bin/bash', '--noprofile', '--norc', '-c', attempts(secret, process.pid)];
    return judge(await runner.run({ argv, cwd: workspace, sandbox, timeoutMs: LIMIT_MS }));
  } finally {
    await runner.dispose();
    rmSync(outside, { recursive: true, force: true });
  }
}

function judge(outcome: RunOutcome): SandboxProbe {
  const printed = outcome.stdout.text.trim().split('\n');
  const succeeded = printed.filter((line) => line !== 'END' && line !== '');
  if (printed.at(-1) !== 'END') return { ok: false, detail: '', ...startFailure(outcome) };
  if (succeeded.length > 0) {
    return { ok: false, detail: '', cause: `inside the sandbox this was possible: ${succeeded.join('; ')}`, remedy: 'this kernel or container does not confine; run Haft on another host' };
  }
  return { ok: true, detail: `self-test passed in ${outcome.durationMs} ms` };
}

function startFailure(outcome: RunOutcome): { cause: string; remedy: string } {
  const said = outcome.stderr.text.trim().split('\n').at(-1) ?? '';
  const cause = outcome.error ?? (said === '' ? `it ended with ${outcome.signal ?? outcome.exitCode ?? outcome.reason}` : said);
  return { cause, remedy: remedyFor(cause) };
}

function remedyFor(cause: string): string {
  if (/namespace|uid map|Operation not permitted|No permissions/i.test(cause)) {
    return 'user namespaces are switched off here (by a container\'s seccomp filter, AppArmor or sysctl): allow them, e.g. docker run --security-opt seccomp=unconfined, or sysctl kernel.unprivileged_userns_clone=1';
  }
  if (/Unknown option/i.test(cause)) return 'this bubblewrap is too old: version 0.8 or newer is needed';
  return 'see the cause; `haft doctor` runs the self-test again';
}
