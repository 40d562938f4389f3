// The command line itself: help, mistakes, configuration and where settings come from.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configShape, keysOf } from '../config/config-shape.js';
import { HaftHome } from '../../test/haft-process.js';

const haft = new HaftHome();
const project = join(haft.folder, 'project');
beforeAll(() => mkdirSync(project));
afterAll(() => haft.remove());

describe('mistakes on the command line: exit status 2, one or two plain lines', () => {
  test.each([
    [['--modle', 'x', 'hi'], /unknown option '--modle'\n\(Did you mean --model\?\)/],
    [['tols', 'list'], /unknown command "tols". Did you mean "haft tools"\?\n {2}To send it as a prompt: haft -p "tols list"/],
    [['tools', 'lst'], /unknown command 'lst'\n\(Did you mean list\?\)/],
    [['--output-format', 'xml', 'hi'], /Allowed choices are text, json, stream-json/],
    [['--permission-mode', 'Ask', 'hi'], /Allowed choices are read-only, ask, auto-edit, unattended\. Did you mean "ask"\?/],
    [['completion', 'bsh'], /Did you mean "bash"\?/],
    [['--max-turns', '0', 'hi'], /whole number above 0/],
    [['--cwd', '/nowhere/at/all', 'hi'], /--cwd: \/nowhere\/at\/all is not a folder/],
    [['-m', 'opnai:x', 'hi'], /no provider "opnai".*--model.*Did you mean "openai"/],
    [['--allow', 'read_file(', 'hi'], /read_file\(/],
    [[], /There is no prompt/],
  ])('%j', async (args, message) => {
    const outcome = await haft.run(args, { cwd: project });
    expect(outcome.stderr).toMatch(message);
    expect(outcome.stderr).not.toMatch(/\n\s+at /);
    expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('a model without its key: exit status 3', async () => {
    expect(await haft.run(['-m', 'anthropic:claude-x', 'hi'], { cwd: project })).toMatchObject({ code: 3, stderr: expect.stringContaining('ANTHROPIC_API_KEY') });
  });
});

test('help tells of the command that is named, and is a prompt otherwise', async () => {
  expect(await haft.run(['help'], { cwd: project })).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: haft \[options\]/) });
  expect(await haft.run(['help', 'tools', 'call'], { cwd: project })).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: haft tools call/) });
  expect(await haft.run(['help', 'me', 'read', 'nothing'], { cwd: project })).toMatchObject({ stdout: expect.not.stringMatching(/Usage/) });
});

test('--help shows examples, --version the version', async () => {
  expect(await haft.run(['--help'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/Examples:\n {2}haft /) });
  expect(await haft.run(['--version'])).toMatchObject({ code: 0, stdout: `${(JSON.parse(readFileSync('apps/cli/package.json', 'utf8')) as { version: string }).version}\n` });
});

describe('the project config', () => {
  const write = (text: string): void => writeFileSync(join(project, 'agent.config.ts'), text);
  const good = `import { defineConfig } from '@haft/cli';\nexport default defineConfig({ model: 'offline', limits: { maxTurns: 7 } });\n`;

  test('is not loaded without trust where nobody can be asked: exit status 5, and what to do', async () => {
    write(good);
    const outcome = await haft.run(['config', 'show'], { cwd: project });
    expect(outcome.code).toBe(5);
    expect(outcome.stderr).toMatch(/agent\.config\.ts is code that runs with your rights.*\n.*--trust/);
  });

  test('a wrong key is named with the file and the nearest right one', async () => {
    write(`export default { limits: { maxTurn: 7 }, permisions: {} };`);
    const outcome = await haft.run(['--trust', 'config', 'show'], { cwd: project });
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toMatch(/agent\.config\.ts: limits\.maxTurn is not a setting\. Did you mean "maxTurns"\?/);
    expect(outcome.stderr).toMatch(/agent\.config\.ts: permisions is not a setting\. Did you mean "permissions"\?/);
  });

  test('an error in it shows place and remedy, no stack', async () => {
    write(`const a: number = 1;\nthrow new Error('broken ' + a);`);
    const outcome = await haft.run(['--trust', 'config', 'show'], { cwd: project });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(/Cannot load .*agent\.config\.ts: broken 1 \(.*agent\.config\.ts:2:7\)/);
    expect(outcome.stderr.trimEnd().split('\n').length).toBeLessThan(3);
  });

  test('settings and their origins: flag, environment, .env, project, user, default; keys are never shown', async () => {
    write(good);
    writeFileSync(join(project, '.env'), 'MODEL_API_KEY=sk-from-the-file\nHAFT_PERMISSION_MODE=unattended\nHAFT_MAX_COST=3\n');
    mkdirSync(join(haft.folder, 'state'), { recursive: true });
    writeFileSync(join(haft.folder, 'state/config.json'), '{ "name": "mine", "limits": { "maxTurns": 3, "maxParallelCalls": 2 } }');
    const { stdout, code } = await haft.run(['--trust', '--max-cost', '2', 'config', 'show', '--json'], { cwd: project, env: { HAFT_TOOL_TIMEOUT_MS: '5000' } });
    expect(code).toBe(0);
    const shown = JSON.parse(stdout) as Record<string, { value: unknown; origin: { kind: string; where: string } }>;
    expect(shown).toMatchObject({
      'limits.maxCost': { value: 2, origin: { kind: 'flag', where: '--max-cost' } },
      'limits.toolTimeoutMs': { value: 5000, origin: { kind: 'environment', where: 'HAFT_TOOL_TIMEOUT_MS' } },
      apiKey: { value: '(set)', origin: { kind: 'env file' } },
      'limits.maxTurns': { value: 7, origin: { kind: 'project', where: join(project, 'agent.config.ts') } },
      'limits.maxParallelCalls': { value: 2, origin: { kind: 'user' } },
      'permissions.mode': { value: 'ask', origin: { kind: 'default' } },
    });
    expect(stdout).not.toContain('sk-from-the-file');
    expect(Object.keys(shown).sort()).toEqual([...keysOf(configShape, ''), 'apiKey'].sort());
    const table = await haft.run(['--trust', 'config', 'show', '--origin'], { cwd: project });
    expect(table.stdout).toMatch(/limits\.maxTurns +project +.*agent\.config\.ts +7/);
  });
});

test('a .env that would send prompts to a server elsewhere counts only when it is trusted; one on this machine counts at once', async () => {
  const cloned = join(haft.folder, 'cloned');
  mkdirSync(cloned);
  const env = (address: string): void => writeFileSync(join(cloned, '.env'), `MODEL=openai:x\nMODEL_API_KEY=k\nBASE_URL=${address}\n`);
  env('https://elsewhere.test/v1');
  expect(await haft.run(['config', 'show'], { cwd: cloned })).toMatchObject({ code: 5, stderr: expect.stringMatching(/\.env names the server that your prompts and files would be sent to \(BASE_URL=https:\/\/elsewhere\.test\/v1\)/) });
  expect((await haft.run(['--trust', 'config', 'show'], { cwd: cloned })).stdout).toContain('https://elsewhere.test/v1');
  env('http://127.0.0.1:9/v1');
  expect((await haft.run(['config', 'show'], { cwd: cloned })).stdout).toContain('http://127.0.0.1:9/v1');
});

test('the state folder is private', async () => {
  await haft.run(['sessions', 'list'], { cwd: project });
  expect(statSync(join(haft.folder, 'state', 'sessions')).mode & 0o777).toBe(0o700);
});
