// One-shot runs of the real command with the offline model: streams, formats, exit status, signals.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HaftHome, haftBin } from '../../test/haft-process.js';

const haft = new HaftHome();
const project = join(haft.folder, 'project');

beforeAll(() => {
  mkdirSync(join(project, 'src'), { recursive: true });
  writeFileSync(join(project, 'a.txt'), 'one\ntwo\nthree\n');
  writeFileSync(join(project, 'src/x.ts'), '// TODO: something\n');
});
afterAll(() => haft.remove());

test('the answer is on stdout alone; tool lines, the note on the model and the footer are on stderr', async () => {
  const { code, stdout, stderr } = await haft.run(['read a.txt'], { cwd: project });
  expect(stdout).toContain('two');
  expect(stdout).not.toMatch(/✓|offline ·/);
  expect(stderr).toMatch(/offline stand-in/);
  expect(stderr).toMatch(/✓ read_file a\.txt/);
  expect(stderr).toMatch(/offline:rules · \d+ turns? · /);
  expect(code).toBe(0);
});

test('--quiet leaves the answer alone', async () => {
  const { stdout, stderr } = await haft.run(['-q', 'read a.txt'], { cwd: project });
  expect(stdout).toContain('two');
  expect(stderr).toBe('');
});

test('a pipe into -p, and a prompt with piped text', async () => {
  expect((await haft.run(['-p'], { cwd: project, input: 'read a.txt' })).stdout).toContain('two');
  expect((await haft.run(['read a.txt'], { cwd: project, input: '' })).stdout).toContain('two');
});

describe('formats for programs', () => {
  test('json: one object with text, status, turns, usage, calls and the session', async () => {
    const { stdout, code } = await haft.run(['--output-format', 'json', 'read a.txt'], { cwd: project });
    const object = JSON.parse(stdout) as Record<string, unknown>;
    expect(object).toMatchObject({
      status: 'completed',
      text: expect.stringContaining('two'),
      turns: expect.any(Number),
      usage: { input: expect.any(Number), output: expect.any(Number) },
      toolCalls: [{ call: { name: 'read_file', arguments: expect.any(String) }, result: { status: 'success' } }],
      sessionId: expect.stringMatching(/^s/),
    });
    expect(code).toBe(0);
  });

  test('stream-json: one event a line, from run_started to run_finished', async () => {
    const { stdout } = await haft.run(['--output-format', 'stream-json', 'read a.txt'], { cwd: project });
    const types = stdout.trimEnd().split('\n').map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types[0]).toBe('run_started');
    expect(types.at(-1)).toBe('run_finished');
    expect(types).toEqual(expect.arrayContaining(['turn_started', 'tool_call_started', 'tool_call_finished', 'turn_finished']));
  });
});

describe('a tool of the project that returns what JSON cannot say', () => {
  const folder = join(haft.folder, 'odd-data');
  beforeAll(() => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'agent.config.ts'), `import { defineConfig } from '@haft/cli';
import { definePlugin, tool } from '@haft/core';
const count = tool({ name: 'count_rows', description: 'Counts the rows.', scopes: ['read'] }, () => ({ rows: 3n }));
export default defineConfig({ model: 'offline', plugins: [definePlugin({ name: 'db', tools: [count] })()] });
`);
  });

  test.each([
    ['tools call', ['tools', 'call', 'count_rows', '{}', '--json']],
    ['json', ['--output-format', 'json', '-p', 'count_rows {}']],
    ['stream-json', ['--output-format', 'stream-json', '-p', 'count_rows {}']],
  ])('%s: whole JSON, exit status 0', async (_name, args) => {
    const { stdout, stderr, code } = await haft.run(['--trust', ...args], { cwd: folder });
    expect(stderr).not.toContain('unexpected error');
    for (const line of stdout.trimEnd().split('\n')) JSON.parse(line);
    expect(stdout).toContain('"data":{"rows":"3"}');
    expect(code).toBe(0);
  });
});

describe('PERM-04: a run whose model wants what has to be asked', () => {
  const args = ['write_file {"path":"made.txt","content":"x"}'];
  test.each([
    ['</dev/null', {}],
    ['an open pipe that never ends', { input: { open: true } as const }],
    ['"y" on stdin', { input: 'y\n'.repeat(1_000) }],
    ['CI=1', { env: { CI: '1' } }],
  ])('%s: refused at once, the model is told, exit status 5, and what would allow it', async (_name, options) => {
    const { code, stderr } = await haft.run(args, { cwd: project, ...options });
    expect(stderr).toMatch(/approval_unavailable/);
    expect(stderr).toMatch(/--allow "RULE".*--yes/);
    expect(code).toBe(5);
    expect(() => readFileSync(join(project, 'made.txt'))).toThrow();
  });

  test('json says which calls were refused, and why the exit status is 5', async () => {
    const { code, stdout } = await haft.run(['--output-format', 'json', ...args], { cwd: project });
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'completed',
      denials: [{ callId: expect.any(String), tool: 'write_file', code: 'approval_unavailable', message: expect.any(String) }],
      error: { code: 'approval_unavailable', message: expect.stringContaining('--yes') },
    });
    const denied = await haft.run(['--output-format', 'json', '--deny', 'write_file', ...args], { cwd: project });
    expect(denied.code).toBe(0);
    expect(JSON.parse(denied.stdout)).toMatchObject({ denials: [{ code: 'permission_denied' }] });
    expect(JSON.parse(denied.stdout)).not.toHaveProperty('error');
    expect((JSON.parse((await haft.run(['--output-format', 'json', 'read a.txt'], { cwd: project })).stdout) as { denials: unknown }).denials).toEqual([]);
  });

  test('--yes lets it run', async () => {
    expect((await haft.run(['--yes', ...args], { cwd: project })).code).toBe(0);
    expect(readFileSync(join(project, 'made.txt'), 'utf8')).toBe('x');
  });
});

test('a limit of turns: exit status 6', async () => {
  const { code } = await haft.run(['--max-turns', '1', 'read a.txt'], { cwd: project });
  expect(code).toBe(6);
});

describe('sessions', () => {
  test('SESS-02: a session with a bad line goes on, and the line is named on stderr', async () => {
    const { sessionId } = JSON.parse((await haft.run(['--output-format', 'json', 'read a.txt'], { cwd: project })).stdout) as { sessionId: string };
    const [file] = readdirSync(haft.folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(`${sessionId}.jsonl`));
    const path = join(haft.folder, file ?? '');
    writeFileSync(path, readFileSync(path, 'utf8').split('\n').with(2, '\0'.repeat(300)).join('\n'));
    const { code, stderr, stdout } = await haft.run(['--resume', sessionId, 'read a.txt'], { cwd: project });
    expect(code).toBe(0);
    expect(stdout).not.toBe('');
    expect(stderr).toMatch(/line 3: not JSON/);
  });

  test('a run is stored, listed, shown, gone on with, exported and removed; --no-session stores nothing', async () => {
    const here = join(haft.folder, 'sessions-project');
    mkdirSync(here);
    writeFileSync(join(here, 'a.txt'), 'first file\n');
    const run = async (...args: string[]): Promise<string> => (await haft.run(args, { cwd: here })).stdout;
    await run('--no-session', 'read a.txt');
    expect(JSON.parse(await run('sessions', 'list', '--json'))).toEqual([]);
    const first = JSON.parse(await run('--output-format', 'json', 'read a.txt')) as { sessionId: string };
    const second = JSON.parse(await run('--continue', '--output-format', 'json', 'list files')) as { sessionId: string };
    expect(second.sessionId).toBe(first.sessionId);
    const third = JSON.parse(await run('--resume', first.sessionId, '--output-format', 'json', 'read a.txt')) as { sessionId: string };
    expect(third.sessionId).toBe(first.sessionId);
    expect(await run('sessions', 'list')).toContain(first.sessionId);
    const shown = await run('sessions', 'show', first.sessionId);
    expect(shown.match(/## User/g)).toHaveLength(3);
    expect(shown).toContain('first file');
    expect(JSON.parse(await run('sessions', 'export', first.sessionId))).toMatchObject({ id: first.sessionId });
    await run('sessions', 'rm', first.sessionId);
    expect(JSON.parse(await run('sessions', 'list', '--json'))).toEqual([]);
  });

  test('--continue with --resume is a plain error, and piped text is no title', async () => {
    expect(await haft.run(['-c', '-r', 'x', 'hi'], { cwd: project })).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be combined') });
    await haft.run(['read a.txt'], { cwd: project, input: 'piped' });
    expect((await haft.run(['sessions', 'list'], { cwd: project })).stdout).toMatch(/read a\.txt \(and piped text\)/);
  });

  test('an unknown session is a plain error', async () => {
    const outcome = await haft.run(['--resume', 'snothere', 'hi'], { cwd: project });
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no session snothere') });
  });
});

test('audit: calls are on record, and the log is whole until somebody changes it', async () => {
  await haft.run(['tools', 'call', 'read_file', '{"path":"a.txt"}'], { cwd: project });
  expect((await haft.run(['audit', 'show'], { cwd: project })).stdout).toMatch(/call_finished.*read_file/);
  const verified = await haft.run(['audit', 'verify'], { cwd: project });
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringMatching(/^whole: \d+ records/) });
  // Asking how a call would be decided is no call.
  await haft.run(['permissions', 'explain', 'read_file', '{"path":"../x"}'], { cwd: project });
  expect((await haft.run(['audit', 'verify'], { cwd: project })).stdout).toBe(verified.stdout);
  const path = join(haft.folder, 'state', 'audit.jsonl');
  writeFileSync(path, readFileSync(path, 'utf8').replace('a.txt', 'b.txt'));
  expect(await haft.run(['audit', 'verify'], { cwd: project })).toMatchObject({ code: 1, stdout: expect.stringMatching(/^NOT whole/) });
});

test('audit: what was never set aside is said to be missing, with what there is', async () => {
  expect(await haft.run(['audit', 'verify', 'nosuch'], { cwd: project })).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('There is no archive nosuch.') });
  await haft.run(['audit', 'archive'], { cwd: project });
  const { stderr } = await haft.run(['audit', 'verify', 'nosuch'], { cwd: project });
  const [, archive = ''] = /Archives: (\S+)\./.exec(stderr) ?? [];
  expect(await haft.run(['audit', 'verify', archive], { cwd: project })).toMatchObject({ stdout: expect.stringMatching(/whole: \d+ records/i) });
});

test('permissions: which rule decides a call, from which source', async () => {
  const flags = ['--deny', 'read_file(**/*.txt)'];
  const { stdout } = await haft.run([...flags, 'permissions', 'explain', 'read_file', '{"path":"a.txt"}'], { cwd: project });
  expect(stdout).toMatch(/^deny\n.*read_file\(\*\*\/\*\.txt\).*flag/s);
  expect((await haft.run(['permissions', 'explain', 'read_file', '{"path":"a.txt"}'], { cwd: project })).stdout).toMatch(/^allow\n/);
  expect((await haft.run([...flags, 'permissions', 'list'], { cwd: project })).stdout).toMatch(/deny +read_file\(\*\*\/\*\.txt\)/);
});

/** The command lines of all processes. */
function commandLines(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    } catch {
      return ''; // It ended meanwhile.
    }
  });
}

describe('signals', () => {
  const sleeping = async (signal: NodeJS.Signals): Promise<{ code: number | null; ms: number }> => {
    const child = spawn(process.execPath, [haftBin, '--yes', '--output-format', 'stream-json', 'run `sleep 31.7`'], { cwd: project, env: haft.env, stdio: ['ignore', 'pipe', 'pipe'] });
    let seen = '';
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk) => {
        seen += String(chunk);
        if (seen.includes('tool_call_started')) resolve();
      });
    });
    const started = performance.now();
    child.kill(signal);
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    return { code, ms: performance.now() - started };
  };

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('CLI-03: %s during a tool ends the run with exit status %d, long before the tool would', async (signal, code) => {
    const outcome = await sleeping(signal);
    expect(outcome.code).toBe(code);
    expect(outcome.ms).toBeLessThan(10_000);
    expect(commandLines().filter((line) => line.includes('sleep 31.7'))).toEqual([]);
  });
});

test('a reader that leaves early is no error', async () => {
  const child = spawn('/bin/sh', ['-c', `"${process.execPath}" "${haftBin}" tools list --format json | head -c 10`], { cwd: project, env: haft.env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  expect(await new Promise<number | null>((resolve) => child.once('exit', resolve))).toBe(0);
  expect(stderr).not.toMatch(/EPIPE/);
});
