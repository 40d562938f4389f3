// bash with real commands: ends, floods, background jobs, sandbox.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ToolResult } from '@haft/core';
import { ToolBench } from '@haft/core/testing';
import { ProcessRunner, createBubblewrapSandbox } from '@haft/process';
import { BackgroundJobs } from './background-jobs.js';
import { BashKill, BashOutput } from './bash-jobs.js';
import { Bash } from './bash.js';
import type { CommandReport } from './command-report.js';
import { ShellOptions } from './shell-options.js';
import { Shell } from './shell.js';

let bench: ToolBench;
const runner = new ProcessRunner();
const jobs = new BackgroundJobs();
const shell = new Shell(runner, new ShellOptions());

beforeAll(async () => {
  bench = await ToolBench.open({ tools: [Bash, BashOutput, BashKill], services: [shell, jobs] });
  shell.sandbox = createBubblewrapSandbox({ root: bench.root });
  expect(await shell.sandbox.probe()).toMatchObject({ ok: true });
});
afterAll(async () => {
  await jobs.dispose();
  await runner.dispose();
  shell.sandbox?.dispose?.();
  bench.close();
});

const bash = (command: string, args: object = {}): Promise<ToolResult> => bench.call('bash', { command, ...args });
const report = (result: ToolResult): CommandReport => result.data as CommandReport;
const text = (result: ToolResult): string => (typeof result.content === 'string' ? result.content : JSON.stringify(result.content));

test('SH-03: a child that left the group and holds the pipe does not keep the call beyond its time limit', async () => {
  const started = performance.now();
  const result = await bash("setsid bash -c 'sleep 30' & sleep 30", { timeout_ms: 1_000 });
  expect(result).toMatchObject({ status: 'timeout', code: 'timeout' });
  expect(performance.now() - started).toBeLessThan(15_000);
  expect(text(await bash('echo begun; sleep 30', { timeout_ms: 500 }))).toMatch(/time limit of 500 ms[^]*begun/);
});

test.each(['in the sandbox', 'without a sandbox'])('SH-03: what left the group is stopped with the call, %s', async (where) => {
  const { sandbox } = shell;
  if (where !== 'in the sandbox') shell.sandbox = undefined;
  try {
    const result = await bash("setsid bash -c 'echo begun; sleep 3; touch SURVIVED' & sleep 30", { timeout_ms: 1_000 });
    expect(result).toMatchObject({ status: 'timeout' });
    expect(text(result)).toContain('begun');
  } finally {
    shell.sandbox = sandbox;
  }
  await sleep(3_000);
  expect(existsSync(join(bench.root, 'SURVIVED'))).toBe(false);
});

test('SH-05: an interactive rebase fails, is undone, and tells why', async () => {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: join(bench.root, 'repo'), encoding: 'utf8' }).trim();
  await bash('mkdir repo && cd repo && git init -q . && git config user.email a@b.c && git config user.name n && for i in 1 2; do echo $i>f$i; git add .; git commit -qm c$i; done; echo x>>f2; git add .; git commit -qm "fixup! c2"');
  const before = git('rev-parse', 'HEAD');
  const result = await bash('git rebase -i --autosquash HEAD~2', { cwd: 'repo' });
  expect(result).toMatchObject({ status: 'error', code: 'exit_status' });
  expect(text(result)).toMatch(/Hint: .*non-interactive/);
  expect(git('rev-parse', 'HEAD')).toBe(before);
  expect(git('rev-list', '--count', 'HEAD')).toBe('3');
  expect(existsSync(join(bench.root, 'repo/.git/rebase-merge'))).toBe(false);
  const own = await bash('GIT_SEQUENCE_EDITOR=true git rebase -i --autosquash HEAD~2', { cwd: 'repo' });
  expect(own).toMatchObject({ success: true });
  expect(git('rev-list', '--count', 'HEAD')).toBe('2');
});

test('SH-06: a flood of output is bounded while it runs; head, tail, exit code and stderr stay', async () => {
  const before = process.memoryUsage().rss;
  const endless = await bash('yes 0123456789abcdef', { timeout_ms: 2_000 });
  expect(endless.status).toBe('timeout');
  const long = await bash("head -c 400000000 /dev/zero | tr '\\0' z; echo TAIL-ERR >&2; exit 7");
  expect(report(long).exit_code).toBe(7);
  expect(text(long)).toMatch(/7[^]*zzz[^]*characters left out[^]*TAIL-ERR/);
  for (const result of [endless, long]) expect(text(result).length).toBeLessThanOrEqual(45_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
});

test('live output of a flood ends with a word; the result has both ends all the same', async () => {
  let live = '';
  const outcome = await shell.run({ command: 'seq 1000000', cwd: bench.root, onOutput: (chunk) => { live += chunk; } });
  expect(live.length).toBeLessThan(500_000);
  expect(live).toMatch(/^1\n2\n3\n[^]*\[more output is not shown live\]\n$/);
  expect(outcome.stdout.text).toMatch(/^1\n2\n[^]*\n1000000\n$/);
});

test('SH-07: whatever the size of the output, the model sees exit code and last error', async () => {
  shell.sandbox = undefined;
  try {
    for (let size = 1_000; size <= 120_000; size += 500) {
      const result = await bash(`head -c ${size} /dev/zero | tr '\\0' q; echo; echo FAILED-HERE >&2; exit 3`);
      expect(text(result)).toContain('FAILED-HERE');
      expect(text(result)).toMatch(/Exit code 3\b/);
      expect(text(result).length).toBeLessThanOrEqual(45_000);
    }
  } finally {
    shell.sandbox = createBubblewrapSandbox({ root: bench.root });
  }
});

test('SH-09: bad UTF-8, NUL, colours, titles and redraws come through as plain text', async () => {
  const results = [
    await bash("printf '\\xff\\xfe ok \\0 end\\n'"),
    await bash("printf '\\033[31mred\\033[0m \\033]0;title\\007 x\\n'"),
    await bash("for i in $(seq 1 2000); do printf '\\r%d%%' $i; done; echo; echo done"),
  ].map(text);
  expect(results[0]).toContain('end');
  expect(results[1]).toBe('red  x');
  expect(results[2]).toBe('2000%\ndone');
  for (const result of results) {
    expect(result).not.toMatch(/[\x00\x07\x1b]/);
    expect(JSON.parse(JSON.stringify(result))).toBe(result);
  }
});

describe('SH-10: exit code and signal are part of the result', () => {
  test.each([
    ['exit 3', 3, 'Exit code 3'],
    ['definitely-not-a-command-xyz', 127, 'Exit code 127 (command not found)'],
    ['false | true; exit 1', 1, 'Exit code 1'],
  ])('%s', async (command, exitCode, said) => {
    const result = await bash(command);
    expect(result).toMatchObject({ status: 'error', success: false, code: 'exit_status', data: { exit_code: exitCode } });
    expect(text(result)).toContain(said);
  });

  test.each(['SIGKILL', 'SIGSEGV'] as const)('%s, also from inside the sandbox', async (signal) => {
    const result = await bash(`kill -${signal.slice(3)} $$`);
    expect(result).toMatchObject({ success: false, data: { exit_code: 128 + constants.signals[signal], signal } });
    expect(text(result)).toContain(signal);
  });

  test('success, also of a pipe whose first part failed', async () => {
    expect(await bash('exit 0')).toMatchObject({ success: true, data: { exit_code: 0 } });
    expect(await bash('false | true')).toMatchObject({ success: true });
  });

  test('both streams are shown', async () => {
    expect(text(await bash('echo out; echo err >&2; exit 1'))).toMatch(/Exit code 1[^]*out[^]*\[stderr\]\nerr/);
    expect(text(await bash('echo out; echo err >&2'))).toBe('out\n[stderr]\nerr');
  });
});

test('SH-11: no output is said in words', async () => {
  expect(text(await bash('true'))).toBe('(no output, exit code 0)');
  expect(text(await bash('mkdir zz'))).toBe('(no output, exit code 0)');
  expect(text(await bash('exit 4'))).toContain('(no output)');
});

test('SH-12: no secret of our environment reaches a command, by env or by /proc', async () => {
  const secrets = { OPENAI_API_KEY: 'sk-test-1', ANTHROPIC_API_KEY: 'sk-ant-test', AWS_SECRET_ACCESS_KEY: 'zz-aws', GH_TOKEN: 't-gh-token', MY_PASSWORD: 'p-my-password', LANG: 'zh_CN.UTF-8' };
  const before = { ...process.env };
  Object.assign(process.env, secrets);
  try {
    const { LANG, ...hidden } = secrets;
    for (const command of ['env', "cat /proc/$PPID/environ | tr '\\0' '\\n'", "cat /proc/[0-9]*/environ | tr '\\0' '\\n'"]) {
      const result = await bash(command);
      expect(result.success).toBe(true);
      for (const secret of Object.values(hidden)) expect(text(result)).not.toContain(secret);
    }
    expect(text(await bash('echo $HOME $PATH $LANG'))).toMatch(new RegExp(`^/tmp .*/usr/bin.* ${LANG}$`));
  } finally {
    for (const name of Object.keys(secrets)) if (before[name] === undefined) delete process.env[name];
    Object.assign(process.env, before);
  }
});

test('SH-16: harmless commands that hold alarming letters run', async () => {
  bench.put('notes.txt', 'a\n');
  expect(text(await bash('rm -rf /tmp/none-$$ && echo ok 2>/dev/null'))).toBe('ok');
  expect(await bash("echo 'pseudo sudoku' && grep -rn sudo notes.txt; true")).toMatchObject({ success: true });
});

describe('SH-17: every call is a fresh bash in the workspace root, as the description says', () => {
  test('nothing lasts', async () => {
    await bash('mkdir -p sub; cd sub; export A=1; f(){ :; }');
    expect(text(await bash('pwd; echo A=[$A]; type f'))).toMatch(new RegExp(`Exit code 1[^]*${bench.root}\nA=\\[\\]\n`));
  });

  test('cwd is relative to the workspace, and stays in it', async () => {
    expect(text(await bash('pwd', { cwd: 'sub' }))).toBe(join(bench.root, 'sub'));
    expect(await bash('pwd', { cwd: '..' })).toMatchObject({ success: false });
    expect(await bash('pwd', { cwd: 'absent' })).toMatchObject({ success: false, code: 'not_found' });
  });

  test('it is bash', async () => {
    expect(text(await bash('shopt -s globstar && [[ a == a ]] && echo bashism; echo {1..3}'))).toBe('bashism\n1 2 3');
  });
});

test('SH-18: a cancelled command is stopped, with what it would have done later', async () => {
  const abort = new AbortController();
  const running = bench.call('bash', { command: 'echo begun; sleep 3; touch LATE' }, undefined, abort.signal);
  setTimeout(() => { abort.abort(); }, 300);
  const result = await running;
  expect(result).toMatchObject({ status: 'cancelled', success: false });
  expect(text(result)).toContain('begun');
  await sleep(3_500);
  expect(existsSync(join(bench.root, 'LATE'))).toBe(false);
});

describe('what a command can and cannot do', () => {
  test('write in the workspace, not outside', async () => {
    await bash(`echo x >made; touch ../escaped; touch ${bench.base}/escaped`);
    expect(readFileSync(join(bench.root, 'made'), 'utf8')).toBe('x\n');
    expect(existsSync(join(bench.base, 'escaped'))).toBe(false);
  });

  test.each(['vim notes.txt', 'less notes.txt', 'top', 'nano'])('%s is refused at once, with what to use instead', async (command) => {
    const result = await bash(command);
    expect(result).toMatchObject({ success: false, code: 'interactive_command' });
    expect(text(result)).toContain('wants a terminal');
  });

  test('a command that reads gets nothing, and ends', async () => {
    expect(text(await bash('read -r x; echo "[$x] $?"'))).toBe('[] 1');
  });

  test('what prints through /dev/stderr works', async () => {
    expect(text(await bash('echo via >/dev/stderr; echo out >/dev/stdout'))).toBe('out\n[stderr]\nvia');
  });

  test('a time limit above the configured one is refused', async () => {
    expect(await bash('true', { timeout_ms: 600_001 })).toMatchObject({ success: false, code: 'rule_violated' });
  });

  test('without a sandbox the result says so', async () => {
    const { sandbox } = shell;
    shell.sandbox = undefined;
    try {
      expect(text(await bash('echo hi'))).toBe('hi\n[ran without a sandbox]');
      expect(text(await bash('exit 2'))).toContain('[ran without a sandbox]');
    } finally {
      shell.sandbox = sandbox;
    }
  });
});

describe('background jobs', () => {
  test('start, read what is new, and end', async () => {
    const started = await bash('echo one; for i in $(seq 500); do [ -e go ] && break; sleep 0.02; done; echo two; sleep 60', { background: true });
    const { job_id } = started.data as { job_id: string };
    expect(text(started)).toContain(job_id);
    expect(await untilOutput(job_id, 'one')).toBe(`${job_id} is running.\none`);
    expect(text(await bench.call('bash_output', { job_id }))).toBe(`${job_id} is running.\n(no new output)`);
    bench.put('go', '');
    expect(await untilOutput(job_id, 'two')).toBe(`${job_id} is running.\ntwo`);
    expect(text(await bench.call('bash_kill', { job_id }))).toContain('ended by signal SIGKILL');
    expect(text(await bench.call('bash_kill', { job_id }))).toContain('ended by signal SIGKILL');
  });

  test('the end of a job can be waited for', async () => {
    const { job_id } = (await bash('sleep 0.2; echo done; exit 3', { background: true })).data as { job_id: string };
    expect(text(await bench.call('bash_output', { job_id, wait_ms: 30_000 }))).toBe(`${job_id} ended with exit code 3.\ndone`);
  });

  test('an unknown id lists those that there are', async () => {
    expect(await bench.call('bash_output', { job_id: 'job_99' })).toMatchObject({ code: 'unknown_job', error: expect.stringContaining('job_1') });
  });

  test('only so many run at once', async () => {
    shell.options.maxJobs = 0;
    try {
      expect(await bash('true', { background: true })).toMatchObject({ success: false, code: 'rule_violated' });
    } finally {
      shell.options.maxJobs = 8;
    }
  });
});

async function untilOutput(jobId: string, wanted: string): Promise<string> {
  for (let tries = 0; tries < 300; tries += 1) {
    const said = text(await bench.call('bash_output', { job_id: jobId }));
    if (said.includes(wanted)) return said;
    await sleep(50);
  }
  throw new Error(`never saw ${wanted}`);
}
