// The real command where its files are no files, its folders cannot be made and its output has no room: it ends at once and says which and why.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HaftHome, haftBin } from '../../test/haft-process.js';

const haft = new HaftHome();
afterAll(() => haft.remove());

function folder(name: string): string {
  const path = join(haft.folder, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'a.txt'), 'one\n');
  return path;
}

function pipe(path: string): void {
  expect(spawnSync('sh', ['-c', 'mkfifo "$1"', 'sh', path]).status).toBe(0);
}

describe('a state folder below /proc, where folders cannot be made', () => {
  test.each([
    ['a prompt', ['-p', 'read a.txt']],
    ['a call', ['tools', 'call', 'read_file', '{"path":"a.txt"}']],
    ['sessions', ['sessions', 'list']],
    ['permissions', ['permissions', 'list']],
    ['the audit log', ['audit', 'archive']],
    ['a trusted config', ['--config', 'agent.config.mjs', '-p', 'read a.txt']],
  ])('%s: ends with the folder and the remedy', async (_name, args) => {
    const cwd = folder('proc');
    writeFileSync(join(cwd, 'agent.config.mjs'), 'export default {};\n');
    const { code, stderr } = await haft.run(args, { cwd, env: { HAFT_HOME: '/proc/nope', HAFT_TRUST: '1' } });
    expect(stderr).toContain("'/proc/nope");
    expect(stderr).toContain('Haft must be able to write in /proc/nope; HAFT_HOME names another place');
    expect(code).toBe(1);
  });

  test('doctor says it', async () => {
    const { code, stdout } = await haft.run(['doctor'], { cwd: folder('proc-doctor'), env: { HAFT_HOME: '/proc/nope' } });
    expect(stdout).toMatch(/\/proc\/nope\/?\S* cannot be written/);
    expect(code).toBe(1);
  });
});

describe('what is no file in place of a file', () => {
  test.each([
    ['agent.config.ts', 'a link to /dev/zero', (path: string) => symlinkSync('/dev/zero', path), '/dev/zero is a device'],
    ['agent.config.ts', 'a pipe', pipe, 'agent.config.ts is a pipe'],
    ['agent.config.mjs', 'a pipe', pipe, 'agent.config.mjs is a pipe'],
    ['.env', 'a pipe', pipe, '.env is a pipe'],
    ['.env', 'a link to /dev/zero', (path: string) => symlinkSync('/dev/zero', path), '.env is a device'],
  ])('%s that is %s: exit 2, with the name and the remedy', async (name, what, make, said) => {
    const cwd = folder(`odd ${name} ${what.replaceAll('/', '-')}`);
    make(join(cwd, name));
    const { code, stderr } = await haft.run(['--trust', 'tools', 'call', 'read_file', '{"path":"a.txt"}'], { cwd });
    expect(stderr).toContain(said);
    expect(stderr).toContain('Put a file in its place, or take it away.');
    expect(code).toBe(2);
  });

  test.each(['.ts', '.mjs'])('a pipe that the config imports (%s)', async (ending) => {
    const cwd = folder(`imports${ending}`);
    pipe(join(cwd, `part${ending}`));
    writeFileSync(join(cwd, 'agent.config.ts'), `import './part${ending}';\nexport default {};\n`);
    const { code, stderr } = await haft.run(['--trust', 'config', 'show'], { cwd });
    expect(stderr).toContain(`part${ending} is a pipe`);
    expect(code).toBe(2);
  });

  test('a config with more bytes than a config has', async () => {
    const cwd = folder('large');
    writeFileSync(join(cwd, 'agent.config.ts'), `export default {};${' '.repeat(17 * 2 ** 20)}`);
    const { code, stderr } = await haft.run(['--trust', 'config', 'show'], { cwd });
    expect(stderr).toMatch(/agent\.config\.ts has \d+ bytes; more than \d+ are not read/);
    expect(code).toBe(2);
  });

  test('a folder .env, as Python makes one, is nothing to Haft', async () => {
    const cwd = folder('python');
    mkdirSync(join(cwd, '.env'));
    expect((await haft.run(['tools', 'call', 'read_file', '{"path":"a.txt"}'], { cwd })).stdout).toContain('one');
  });

  test.each(['-r', 'show', 'export'])('a session file that is a pipe (%s)', async (way) => {
    const cwd = folder('session');
    const sessions = join(haft.folder, 'state/sessions');
    mkdirSync(sessions, { recursive: true });
    pipe(join(sessions, `s-${way.replace('-', '')}.jsonl`));
    const id = `s-${way.replace('-', '')}`;
    const args = way === '-r' ? ['-r', id, '-p', 'read a.txt'] : ['sessions', way, id, ...(way === 'export' ? ['--format', 'jsonl'] : [])];
    const { code, stderr } = await haft.run(args, { cwd });
    expect(stderr).toContain(`${id}.jsonl cannot be read (it is a pipe, a device or a socket, and no file; move it away)`);
    expect(code).toBe(2);
  });
});

describe('a config that throws while it is read', () => {
  test.each([
    ['a getter', 'export default { get model() { throw new Error("boom"); } };', 'model cannot be read: boom'],
    ['a nested getter', 'export default { limits: { get maxTurns() { throw new Error("boom"); } } };', 'limits.maxTurns cannot be read: boom'],
    ['a proxy', 'export default new Proxy({}, { ownKeys() { throw new Error("boom"); } });', 'the config cannot be read: boom'],
    ['an element', 'const tools = ["a"]; Object.defineProperty(tools, 0, { get() { throw new Error("boom"); } }); export default { tools };', 'tools[0] cannot be read: boom'],
  ])('%s: exit 2 with the key', async (name, text, said) => {
    const cwd = folder(`throws ${name}`);
    writeFileSync(join(cwd, 'agent.config.mjs'), `${text}\n`);
    const { code, stderr } = await haft.run(['--trust', '-p', 'hello'], { cwd });
    expect(stderr).toContain(`agent.config.mjs: ${said}`);
    expect(stderr).not.toContain('unexpected error');
    expect(code).toBe(2);
  });

  test('a getter that gives another value every time is read once', async () => {
    const cwd = folder('once');
    writeFileSync(join(cwd, 'agent.config.mjs'), 'let turns = 0; export default { limits: { get maxTurns() { turns += 1; if (turns > 1) throw new Error("again"); return 7; } } };\n');
    const { code, stdout } = await haft.run(['--trust', 'config', 'show'], { cwd });
    expect(stdout).toMatch(/maxTurns\s+7/);
    expect(code).toBe(0);
  });
});

describe('no room', () => {
  test('--output-format json, when the run cannot begin: an object with the code all the same', async () => {
    const { code, stdout, stderr } = await haft.run(['--output-format', 'json', '-p', 'hello'], { cwd: folder('json'), env: { HAFT_HOME: '/proc/nope' } });
    expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', toolCalls: [], error: { code: 'ENOENT', message: expect.stringContaining('/proc/nope') } });
    expect(stderr).toContain('/proc/nope');
    expect(code).toBe(1);
  });

  test('stream-json: the last event; a usage error has its name as code', async () => {
    const { code, stdout } = await haft.run(['--output-format', 'stream-json', '-m', 'nobody:x', '-p', 'hello'], { cwd: folder('stream') });
    expect(JSON.parse(stdout)).toMatchObject({ type: 'run_finished', status: 'failed', error: { code: 'usage', message: expect.stringContaining('nobody') } });
    expect(code).toBe(2);
  });

  test.each(['text', 'json', 'stream-json'])('standard output on a full disk (%s): said on stderr, exit 1', (format) => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [haftBin, '--output-format', format, '-p', 'read a.txt'], { cwd: folder('full'), env: haft.env, stdio: ['ignore', full, 'pipe'], encoding: 'utf8', timeout: 60_000 });
    closeSync(full);
    expect(stderr).toMatch(/the answer could not be written: ENOSPC/);
    expect(stderr).not.toContain('unexpected error');
    expect(status).toBe(1);
  });
});

describe('a plugin that fails at its start', () => {
  const cwd = join(haft.folder, 'failing');
  beforeAll(() => {
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'agent.config.ts'), `import { appendFileSync } from 'node:fs';
import { defineConfig } from '@haft/cli';
import { definePlugin } from '@haft/core';
import { ProcessRunner } from '@haft/process';
const note = (text: string) => appendFileSync('log.txt', text + '\\n');
const first = definePlugin({ name: 'first', tools: [], setup: ({ services }) => { services.get(ProcessRunner).run({ argv: ['sleep', '61.4242'], cwd: process.cwd() }).then(() => note('child ended'), () => note('child ended')); }, dispose: () => note('first disposed') });
const second = definePlugin({ name: 'second', tools: [], setup: async () => { await new Promise((resolve) => setTimeout(resolve, 200)); throw new Error('boom'); } });
export default defineConfig({ model: 'offline', plugins: [first(), second()] });
`);
  });

  test('what was opened before is closed: the earlier plugin and the processes that it started', async () => {
    const { code, stderr } = await haft.run(['--trust', '-p', 'hello'], { cwd });
    expect(stderr).toMatch(/second.*boom/);
    expect(code).toBe(2);
    expect(readFileSync(join(cwd, 'log.txt'), 'utf8').trim().split('\n').sort()).toEqual(['child ended', 'first disposed']);
    expect(spawnSync('pgrep', ['-f', '61\\.4242']).status).toBe(1);
  });
});
