// After a time-out, an abort or our own death by kill -9, nothing that a command started is left, whatever it did to get away.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ProcessRunner } from '../process-runner.js';
import { createBubblewrapSandbox } from '../sandbox/bubblewrap.js';
import type { Sandbox } from '../sandbox/sandbox.js';

const ROUNDS = 50;

/** TAG is a number of seconds that no other process sleeps. Each prints `up` once everything is started. */
const payloads: Record<string, string> = {
  'a child in the background': 'sleep TAG & sleep TAG & echo up; wait',
  'a child that left the process group and closed its output': 'setsid nohup sleep TAG >/dev/null 2>&1 & sleep 0.1; echo up; sleep TAG',
  'a daemon, forked twice': '(setsid sh -c "setsid sleep TAG & sleep TAG" >/dev/null 2>&1 &); sleep 0.1; echo up; sleep TAG',
  'a shell that ignores every signal it can': `setsid bash -c "trap '' TERM INT HUP QUIT; while :; do sleep TAG; done" & trap '' TERM INT HUP QUIT; sleep 0.1; echo up; while :; do sleep TAG; done`,
};

let folder = '';
let sandbox: Sandbox;
let tag = 500_000;
const runner = new ProcessRunner();

beforeAll(() => {
  folder = realpathSync(mkdtempSync('/var/tmp/haft-survivors-'));
  sandbox = createBubblewrapSandbox({ root: folder });
});
afterAll(async () => {
  sandbox.dispose?.();
  await runner.dispose();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(['plain', 'sandboxed'])('%s', (how) => {
  const confined = (): { sandbox?: Sandbox } => (how === 'sandboxed' ? { sandbox } : {});

  test.each(Object.entries(payloads))('time-out and abort: %s', async (_, payload) => {
    const own = nextTag();
    for (const half of [ROUNDS / 2, ROUNDS / 2]) {
      const aborted = Array.from({ length: half }, async () => {
        const abort = new AbortController();
        const outcome = await runner.run({ argv: command(payload, own), cwd: folder, ...confined(), signal: abort.signal, onOutput: () => { abort.abort(); } });
        expect(outcome).toMatchObject({ reason: 'aborted', stdout: { text: 'up\n' } });
      });
      const timedOut = Array.from({ length: half }, async () => {
        const outcome = await runner.run({ argv: command(payload, own), cwd: folder, ...confined(), timeoutMs: 1_500 });
        expect(outcome.reason).toBe('timeout');
        return outcome.stdout.text;
      });
      await Promise.all(aborted);
      expect(await Promise.all(timedOut)).toContain('up\n');
      expect(await survivors(own)).toEqual([]);
    }
  }, 120_000);

  test('our own death by kill -9', async () => {
    const own = nextTag();
    const perPayload = ROUNDS / 5;
    for (let round = 0; round < 5; round += 1) {
      const parent = startParent({ how, folder, commands: Object.values(payloads).flatMap((payload) => Array.from({ length: perPayload }, () => command(payload, own))) });
      await allUp(parent);
      expect(processesSleeping(own).length).toBeGreaterThanOrEqual(4 * perPayload);
      const pipes = pipeFoldersOf(parent);
      expect(pipes.length).toBeGreaterThan(0);
      parent.kill('SIGKILL');
      expect(await survivors(own)).toEqual([]);
      for (let waited = 0; waited < 5_000 && pipes.some((path) => existsSync(path)); waited += 20) await sleep(20);
      expect(pipes.filter((path) => existsSync(path))).toEqual([]);
    }
  }, 120_000);
});

function nextTag(): number {
  tag += 1;
  return tag + process.pid * 1_000_000;
}

function command(payload: string, own: number): string[] {
  return ['/bin/bash', '--noprofile', '--norc', '-c', payload.replaceAll('TAG', String(own))];
}

/** A process of its own that starts the commands, says when all are up, and then only waits. */
function startParent(plan: { how: string; folder: string; commands: string[][] }): ChildProcess {
  const script = join(plan.folder, 'parent.mjs');
  writeFileSync(script, `
import { ProcessRunner, createBubblewrapSandbox } from ${JSON.stringify(fileURLToPath(new URL('../../dist/index.js', import.meta.url)))};
const { how, folder, commands } = ${JSON.stringify(plan)};
const runner = new ProcessRunner();
const sandbox = how === 'sandboxed' ? { sandbox: createBubblewrapSandbox({ root: folder }) } : {};
let up = 0;
for (const argv of commands) await runner.start({ argv, cwd: folder, ...sandbox, onOutput: () => { if ((up += 1) === commands.length) console.log('all up'); } });
setInterval(() => undefined, 1000);
`);
  return spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function allUp(parent: ChildProcess): Promise<void> {
  for await (const chunk of parent.stdout ?? []) if (String(chunk).includes('all up')) return;
  throw new Error('the parent ended before its commands were up');
}

/** What is still there a second after the end; returns at once when nothing is. */
async function survivors(own: number): Promise<string[]> {
  for (let waited = 0; waited < 1_000; waited += 20) {
    if (processesSleeping(own).length === 0) return [];
    await sleep(20);
  }
  return processesSleeping(own);
}

function processesSleeping(own: number): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
      return line.includes(String(own)) && !line.includes('parent.mjs') ? [`${pid} ${line}`] : [];
    } catch {
      return [];
    }
  });
}

/** The folders of named pipes that a process has open ends in. */
function pipeFoldersOf(parent: ChildProcess): string[] {
  const open = readdirSync(`/proc/${String(parent.pid)}/fd`).flatMap((name) => {
    try {
      return [readlinkSync(`/proc/${String(parent.pid)}/fd/${name}`)];
    } catch {
      return [];
    }
  });
  return [...new Set(open.filter((path) => path.includes('/haft-pipes-')).map((path) => dirname(path)))];
}
