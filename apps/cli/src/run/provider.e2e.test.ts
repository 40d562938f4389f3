// One-shot runs against a server that speaks a provider's format: exit status by what went wrong, what is sent, and going on after a crash.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type ModelServer, type Script, startModelServer } from '@haft/agent/testing';
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HaftHome, type HaftOptions, type HaftOutcome, haftBin } from '../../test/haft-process.js';

const haft = new HaftHome();
const project = join(haft.folder, 'project');
const servers: ModelServer[] = [];

beforeAll(() => {
  mkdirSync(project);
  writeFileSync(join(project, 'a.txt'), 'one\n');
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
afterAll(() => haft.remove());

async function serve(script: Script): Promise<{ server: ModelServer; env: Record<string, string> }> {
  const server = await startModelServer(script);
  servers.push(server);
  return { server, env: { BASE_URL: server.openaiBaseURL, MODEL: 'openai:scripted', MODEL_API_KEY: 'sk-not-to-be-shown' } };
}

async function run(script: Script, args: readonly string[], options: HaftOptions = {}): Promise<HaftOutcome & { server: ModelServer }> {
  const { server, env } = await serve(script);
  return { server, ...(await haft.run(args, { cwd: project, env, ...options })) };
}

describe('exit status by what the provider does', () => {
  test.each([
    ['refuses the key', { kind: 'status', status: 401 }, 3],
    ['does not know the model', { kind: 'status', status: 404 }, 4],
    ['refuses the request', { kind: 'status', status: 400 }, 4],
    ['sends a web page', { kind: 'html' }, 4],
  ] as const)('%s', async (_name, fault, code) => {
    const outcome = await run(Array.from({ length: 4 }, () => ({ fault })), ['hello']);
    expect(outcome.code).toBe(code);
    expect(outcome.stdout).toBe('');
    expect(outcome.stderr).toMatch(/haft: /);
    expect(outcome.stderr).not.toMatch(/\n\s+at |sk-not-to-be-shown|<html/i);
  });

  test('a temporary failure is tried again, and said', async () => {
    const { code, stdout, stderr } = await run([{ fault: { kind: 'status', status: 503, headers: { 'retry-after': '0' } } }, { text: 'Here.' }], ['hello']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Here.\n' });
    expect(stderr).toMatch(/trying again/);
  });
});

test('with json, a failed run is one object with its error', async () => {
  const { code, stdout } = await run([{ fault: { kind: 'status', status: 401 } }], ['--output-format', 'json', 'hello']);
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', error: { code: 'invalid_credentials', message: expect.any(String) }, toolCalls: [] });
});

test('what is piped in follows the prompt as a block; the model is told where it is; only the last turn is the answer', async () => {
  const { server, stdout, stderr } = await run([{ text: 'Looking.', calls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] }, { text: 'It says **one**.' }], ['review this'], { input: 'line 1\nline 2\n' });
  const messages = server.requests[0]?.body.messages as { role: string; content: unknown }[];
  expect(JSON.stringify(messages)).toContain('review this\\n\\n<stdin>\\nline 1\\nline 2\\n</stdin>');
  expect(JSON.stringify(messages[0])).toContain(`Working directory: ${project}`);
  expect(stdout).toBe('It says **one**.\n');
  expect(stderr).toMatch(/✓ read_file a\.txt/);
});

test('text in files cannot control a terminal that shows the output, also when it is piped', async () => {
  const { stdout } = await run([{ text: 'a\x1b[2Jb\u202ec' }], ['hello']);
  expect(stdout).toBe('a^[[2Jb\\u{202e}c\n');
  const { stdout: json } = await run([{ text: 'a\x1b[2Jb\u202ec' }], ['--output-format', 'json', 'hello']);
  expect(json).not.toMatch(/[\x1b\u202e]/);
  expect((JSON.parse(json) as { text: string }).text).toBe('a\x1b[2Jb\u202ec');
});

test('a run whose process was killed goes on with --continue: what may have happened is reported, not repeated', async () => {
  const first = await serve([{ calls: [{ name: 'bash', arguments: { command: 'sleep 25' } }] }]);
  const child = spawn(process.execPath, [haftBin, '--yes', '--output-format', 'stream-json', 'work'], { cwd: project, env: { ...haft.env, ...first.env }, stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise<void>((resolve) => {
    let seen = '';
    child.stdout.on('data', (chunk) => {
      seen += String(chunk);
      if (seen.includes('tool_call_started')) setTimeout(resolve, 1_000);
    });
  });
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  const { server, code, stdout } = await run([{ text: 'Going on.' }], ['--continue', '--yes']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Going on.\n' });
  expect(server.requests.map(({ refused }) => refused)).toEqual([undefined]);
  expect(JSON.stringify(server.requests[0]?.body)).toMatch(/unknown|not known|interrupted/);
});
