// Child processes: what a command costs with the runner, in the sandbox, and when it floods.
import assert from 'node:assert/strict';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ProcessRunner, createBubblewrapSandbox } from '../../packages/process/dist/index.js';

const bash = ['/bin/bash', '--noprofile', '--norc', '-c'];

export async function spawnWorkload() {
  const runner = new ProcessRunner();
  const { execa } = await import('execa');
  const contestants = [
    { name: 'floor', run: () => plain([...bash, 'true']) },
    { name: 'execa', run: async () => (await execa(bash[0], [...bash.slice(1), 'true'], { cwd: '/tmp' })).exitCode },
    { name: 'haft', run: async () => (await runner.run({ argv: [...bash, 'true'], cwd: '/tmp' })).exitCode, close: () => runner.dispose() },
  ];
  return { name: 'spawn', what: 'bash -c true', unit: 'µs', rounds: 30, warm: 3, contestants, check };
}

/** What a fork copies is what Node does not keep out of it: V8's own heap is left out, buffers are not. */
export async function largeProcessWorkload({ quick }) {
  const mebibytes = quick ? 64 : 1024;
  const contestants = await Promise.all([
    inProcess('floor', 'none', mebibytes, 'plain'),
    inProcess('haft', 'objects', mebibytes, 'haft'),
    inProcess('spawn() there', 'objects', mebibytes, 'plain'),
    inProcess('haft, buffers', 'buffers', mebibytes, 'haft'),
  ]);
  const what = `bash -c true from a process that holds ${mebibytes} MiB of objects; the floor is one that holds none`;
  return { name: 'spawn from a large process', what, unit: 'µs', rounds: 30, warm: 3, contestants, check: ({ exitCode }, name) => check(exitCode, name) };
}

async function inProcess(name, kind, mebibytes, way) {
  const child = fork(fileURLToPath(new URL('../processes/large-process.mjs', import.meta.url)), [kind, String(mebibytes)], { execArgv: ['--max-old-space-size=2048'] });
  await once(child, 'message');
  const run = async () => {
    child.send(way);
    const [answer] = await once(child, 'message');
    return answer;
  };
  return { name, figure: 'ms', run, close: () => { child.disconnect(); } };
}

export async function sandboxWorkload() {
  const runner = new ProcessRunner();
  const root = mkdtempSync(join(tmpdir(), 'haft-bench-box-'));
  const sandbox = createBubblewrapSandbox({ root });
  const bare = ['/usr/bin/bwrap', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-all', '--die-with-parent'];
  const contestants = [
    { name: 'floor', run: () => plain([...bare, ...bash, 'true']) },
    { name: 'haft', run: async () => (await runner.run({ argv: [...bash, 'true'], cwd: root, sandbox })).exitCode, close: () => runner.dispose() },
  ];
  return { name: 'spawn in the sandbox', what: 'the same inside bubblewrap; the floor is bwrap with hardly any protection', unit: 'µs', rounds: 20, warm: 3, contestants, check };
}

export async function floodWorkload({ quick }) {
  const bytes = quick ? 5_000_000 : 200_000_000;
  const runner = new ProcessRunner();
  const command = `head -c ${bytes} /dev/zero | tr '\\0' 'x'`;
  const contestants = [
    { name: 'floor', run: () => drained([...bash, command]) },
    { name: 'haft', run: async () => (await runner.run({ argv: [...bash, command], cwd: '/tmp', maxOutputChars: 20_000 })).stdout.totalChars, close: () => runner.dispose() },
  ];
  return { name: 'output flood', what: `${bytes / 1e6} MB of output, head and tail kept; the floor counts bytes`, unit: 'µs', rounds: 5, warm: 1, contestants, check: (count, name) => assert.equal(count, bytes, name) };
}

function check(exitCode, name) {
  assert.equal(exitCode, 0, name);
}

function plain([program, ...args]) {
  return new Promise((resolve, reject) => spawn(program, args, { cwd: '/tmp', stdio: ['ignore', 'pipe', 'pipe'], env: {} }).on('error', reject).on('close', resolve));
}

function drained([program, ...args]) {
  return new Promise((resolve, reject) => {
    let count = 0;
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.on('data', (chunk) => { count += chunk.length; });
    child.on('error', reject).on('close', () => resolve(count));
  });
}
