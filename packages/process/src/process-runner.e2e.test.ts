// Real child processes: how they end, what they get, what they leave.
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ProcessRunner } from './process-runner.js';
import type { RunOptions } from './run-options.js';
import { processesMarked } from './tree/process-table.js';

let folder = '';
const runner = new ProcessRunner();

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'haft-runner-')));
});
afterAll(async () => {
  await runner.dispose();
  rmSync(folder, { recursive: true, force: true });
});

function bash(command: string, options: Partial<RunOptions> = {}) {
  return runner.run({ argv: ['bash', '--noprofile', '--norc', '-c', command], cwd: folder, ...options });
}

describe('how a command ended is always visible', () => {
  test('exit code and both streams', async () => {
    const outcome = await bash('echo out; echo err >&2; exit 3');
    expect(outcome).toMatchObject({ reason: 'exit', exitCode: 3, signal: null, stdout: { text: 'out\n' }, stderr: { text: 'err\n' } });
  });

  test('a signal', async () => {
    expect(await bash('kill -SEGV $$')).toMatchObject({ reason: 'signal', exitCode: null, signal: 'SIGSEGV' });
  });

  test('a program that is not there, and a folder that is not there, are told apart', async () => {
    expect(await runner.run({ argv: ['no-such-program-xyz'], cwd: folder })).toMatchObject({ reason: 'spawn_failed', error: 'No such program: no-such-program-xyz' });
    expect(await bash('true', { cwd: '/no/such/folder' })).toMatchObject({ reason: 'spawn_failed', error: 'The working directory does not exist: /no/such/folder' });
  });

  test('arguments that the system cannot take', async () => {
    expect(await bash('echo \0')).toMatchObject({ reason: 'spawn_failed' });
    expect(await bash(`: ${'x'.repeat(200_000)}`)).toMatchObject({ reason: 'spawn_failed', error: expect.stringContaining('too long') });
  });
});

describe('what a command gets', () => {
  test('no stdin: a command that reads ends at once', async () => {
    expect(await bash('read -r line; echo "status $?"; cat', { timeoutMs: 10_000 })).toMatchObject({ exitCode: 0, stdout: { text: 'status 1\n' } });
  });

  test('an environment without our secrets, in which editors and prompts fail', async () => {
    process.env['SOME_API_KEY'] = 'sk-planted';
    process.env['LC_ALL'] = 'C.UTF-8';
    try {
      const { stdout } = await bash('env; cat /proc/self/environ', { env: { EXTRA: 'given' } });
      expect(stdout.text).not.toContain('sk-planted');
      expect(stdout.text).toContain('EXTRA=given\n');
      expect(stdout.text).toContain('LC_ALL=C.UTF-8\n');
      expect(stdout.text).toMatch(/^GIT_TERMINAL_PROMPT=0$/m);
    } finally {
      delete process.env['SOME_API_KEY'];
      delete process.env['LC_ALL'];
    }
  });

  test('no start-up file of the user is read', async () => {
    const { stdout } = await bash('echo "$MARK"', { env: { HOME: folder } });
    expect(stdout.text).toBe('\n');
  });

  test('no terminal', async () => {
    expect(await bash('exec 5<>/dev/tty')).toMatchObject({ exitCode: 1 });
  });
});

describe('output', () => {
  test('arrives live and in order', async () => {
    const seen: string[] = [];
    await bash('echo one; sleep 0.1; echo two >&2; sleep 0.1; echo three', { onOutput: (chunk, stream) => seen.push(`${stream}:${chunk}`) });
    expect(seen).toEqual(['stdout:one\n', 'stderr:two\n', 'stdout:three\n']);
  });

  test('a flood is kept as head and tail, in bounded memory', async () => {
    const before = process.memoryUsage().rss;
    const outcome = await bash("echo HEAD; head -c 300000000 /dev/zero | tr '\\0' z; echo; echo TAIL; exit 7", { maxOutputChars: 10_000 });
    expect(outcome.exitCode).toBe(7);
    expect(outcome.stdout.totalChars).toBe(300_000_011);
    expect(outcome.stdout.text.length).toBeLessThan(10_100);
    expect(outcome.stdout.text).toMatch(/^HEAD\nzzz[^]*characters left out[^]*zzz\nTAIL\n$/);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
  });

  test('can be opened by name: /dev/stdout and /dev/stderr', async () => {
    expect(await bash('echo out >/dev/stdout; echo err >/dev/stderr; echo both | tee /dev/stderr')).toMatchObject({ exitCode: 0, stdout: { text: 'out\nboth\n' }, stderr: { text: 'err\nboth\n' } });
  });

  test('many at once keep their own', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, index) => bash(`echo ${index}; echo e${index} >&2`)));
    expect(outcomes.map(({ stdout, stderr }) => stdout.text + stderr.text)).toEqual(outcomes.map((_, index) => `${index}\ne${index}\n`));
  });

  test('more than the byte limit ends the command', async () => {
    expect(await bash('yes', { maxOutputBytes: 1_000_000, timeoutMs: 30_000 })).toMatchObject({ reason: 'output_limit' });
  });
});

describe('end', () => {
  test('a background child that holds the pipe does not keep the call, and is ended', async () => {
    const started = performance.now();
    const outcome = await bash('sleep 30 & echo $!');
    expect(outcome).toMatchObject({ reason: 'exit', exitCode: 0 });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(await endsSoon(Number(outcome.stdout.text))).toBe(true);
  });

  test('nor does one that left the process group', async () => {
    const outcome = await bash("setsid sh -c 'echo $$; exec sleep 30' & sleep 0.3");
    expect(outcome).toMatchObject({ reason: 'exit', exitCode: 0 });
    expect(await endsSoon(Number(outcome.stdout.text))).toBe(true);
  });

  test('what was printed last is not lost', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { stdout } = await bash('head -c 200000 /dev/zero | tr "\\0" q; echo END');
      expect(stdout.totalChars).toBe(200_004);
    }
  });

  test('time-out keeps the output so far', async () => {
    expect(await bash('echo begun; sleep 30', { timeoutMs: 300 })).toMatchObject({ reason: 'timeout', stdout: { text: 'begun\n' } });
  });

  test('abort, before the start and in the middle', async () => {
    expect(await bash('touch never', { signal: AbortSignal.abort() })).toMatchObject({ reason: 'aborted', exitCode: null });
    const abort = new AbortController();
    setTimeout(() => { abort.abort(); }, 200);
    expect(await bash('echo begun; sleep 30; touch never', { signal: abort.signal })).toMatchObject({ reason: 'aborted', stdout: { text: 'begun\n' } });
    expect(() => readFileSync(join(folder, 'never'))).toThrow();
  });

  test('a job that has ended is not killed again: its id may be somebody else’s', async () => {
    const job = await runner.start({ argv: ['true'], cwd: folder });
    await job.outcome;
    job.kill();
    expect(await job.outcome).toMatchObject({ reason: 'exit', exitCode: 0 });
  });

  test('no descriptor is left open, however it ended', async () => {
    const open = (): number => readdirSync('/proc/self/fd').length;
    await bash('true');
    const before = open();
    for (let round = 0; round < 20; round += 1) {
      await bash('true');
      await bash('true', { signal: AbortSignal.abort() });
      await bash('true', { cwd: '/no/such/folder' });
      await bash('sleep 30', { timeoutMs: 10 });
    }
    await sleep(100);
    expect(open()).toBeLessThanOrEqual(before + 2);
  });

  test('dispose ends background jobs and what they started', async () => {
    const own = new ProcessRunner();
    const job = await own.start({ argv: ['bash', '-c', 'setsid sleep 30 & echo ready; sleep 30'], cwd: folder });
    while (job.output().stdout.text !== 'ready\n') await sleep(10);
    const marker = markerOf(job.pid ?? 0);
    expect(processesMarked(marker).length).toBeGreaterThan(1);
    await own.dispose();
    expect(await job.outcome).toMatchObject({ reason: 'aborted' });
    for (let waited = 0; waited < 1_000 && processesMarked(marker).length > 0; waited += 10) await sleep(10);
    expect(processesMarked(marker)).toEqual([]);
  });
});

/** A killed process takes a moment to be gone. */
async function endsSoon(pid: number): Promise<boolean> {
  for (let waited = 0; waited < 1_000 && isAlive(pid); waited += 10) await sleep(10);
  return !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function markerOf(pid: number): string {
  return /HAFT_RUN=([^\0]+)/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8'))?.[1] ?? '';
}
