// `haft tools …` as a user types it: codes, fields, rules and received values, exit status, and no stack.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HaftHome, type HaftOutcome } from '../../test/haft-process.js';

const haft = new HaftHome();
const project = join(haft.folder, 'project');

beforeAll(() => {
  mkdirSync(join(project, 'src'), { recursive: true });
  writeFileSync(join(project, 'a.txt'), 'one\ntwo\nthree\n');
  writeFileSync(join(haft.folder, 'outside.txt'), 'secret');
  symlinkSync(haft.folder, join(project, 'link'));
});
afterAll(() => haft.remove());

interface Result {
  status: string;
  success: boolean;
  code?: string;
  error?: string;
  content: string;
  details?: { path: string; rule: string; received?: string; message: string }[];
}

async function call(name: string, args: string, ...flags: string[]): Promise<HaftOutcome & { result: Result }> {
  const outcome = await haft.run(['tools', 'call', name, args, '--json', ...flags], { cwd: project });
  return { ...outcome, result: JSON.parse(outcome.stdout) as Result };
}

test('a call that succeeds: the text on stdout, or the whole result as JSON', async () => {
  const plain = await haft.run(['tools', 'call', 'read_file', '{"path":"a.txt"}'], { cwd: project });
  expect(plain.stdout).toContain('two');
  expect({ code: plain.code, stderr: plain.stderr }).toEqual({ code: 0, stderr: '' });
  const { result, code } = await call('read_file', '{"path":"a.txt"}');
  expect(result).toMatchObject({ status: 'success', success: true });
  expect(code).toBe(0);
});

test('several wrong arguments have a line each', async () => {
  const { stderr } = await haft.run(['tools', 'call', 'grep', '{"path":1,"limit":"x"}'], { cwd: project });
  expect(stderr).toMatch(/^haft: grep: invalid_arguments: 3 things are wrong\n  pattern is required\n  path must .*\n  limit must .*\n$/);
  expect((await haft.run(['tools', 'call', 'grep', '{}'], { cwd: project })).stderr).toBe('haft: grep: invalid_arguments: pattern is required\n');
});

test('- takes the arguments from stdin', async () => {
  const { code, stdout } = await haft.run(['tools', 'call', 'read_file', '-'], { cwd: project, input: '{"path":"a.txt"}\n' });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('two') });
  expect((await haft.run(['permissions', 'explain', 'read_file', '-'], { cwd: project, input: '{"path":"a.txt"}' })).stdout).toMatch(/^allow\n/);
});

describe('a call that fails: its code, exit status 1 and no stack', () => {
  test.each([
    ['unknown tool', 'raed_file', '{}', 'unknown_tool', /read_file/],
    ['invalid JSON', 'read_file', '{"path":', 'invalid_arguments', /JSON/],
    ['non-object', 'read_file', '["a.txt"]', 'invalid_arguments', /object/],
    ['wrong type', 'read_file', '{"path":"a.txt","limit":"many"}', 'invalid_arguments', /limit.*many/s],
    ['missing field', 'read_file', '{}', 'invalid_arguments', /path/],
    ['unknown field', 'read_file', '{"path":"a.txt","pth":1}', 'invalid_arguments', /pth/],
    ['path escape by ..', 'read_file', '{"path":"../outside.txt"}', 'path_outside_workspace', /outside/],
    ['path escape by symlink', 'read_file', '{"path":"link/outside.txt"}', 'path_outside_workspace', /outside/],
    ['absolute path escape', 'read_file', '{"path":"/etc/passwd"}', 'path_outside_workspace', /outside/],
    ['no such file', 'read_file', '{"path":"nope.txt"}', 'not_found', /nope\.txt/],
  ])('%s', async (_name, tool, args, code, message) => {
    const outcome = await call(tool, args);
    expect(outcome.result).toMatchObject({ status: 'error', success: false, code });
    expect(outcome.result.error).toMatch(message);
    expect(outcome.code).toBe(1);
    expect(outcome.stdout + outcome.stderr).not.toMatch(/\n\s+at |node_modules|\.js:\d/);
    expect(outcome.stdout).not.toContain('secret');
  });

  test('details name field, rule and received value', async () => {
    const { result } = await call('read_file', '{"path":"a.txt","limit":"many","extra":1}');
    expect(result.details?.map(({ path }) => path).sort()).toEqual(['extra', 'limit']);
    expect(result.details?.find(({ path }) => path === 'limit')).toMatchObject({ rule: expect.any(String), received: expect.stringContaining('many') });
  });

  test('without --json the message is on stderr and stdout is empty', async () => {
    const outcome = await haft.run(['tools', 'call', 'read_file', '{"path":"nope.txt"}'], { cwd: project });
    expect(outcome.stderr).toMatch(/^haft: read_file: not_found: /);
    expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code: 1, stdout: '' });
  });
});

test('SH-12: without a sandbox a command can read our environment, but no key of it reaches a result or a file of ours', async () => {
  const here = join(haft.folder, 'unconfined');
  mkdirSync(here);
  writeFileSync(join(here, 'agent.config.ts'), "import { defineConfig } from '@haft/cli';\nimport { shell } from '@haft/plugin-shell';\nexport default defineConfig({ plugins: [shell({ sandbox: 'off' })] });\n");
  const env = { OPENAI_API_KEY: 'sk-test-1', ANTHROPIC_API_KEY: 'sk-ant-test', LANG: 'zh_CN.UTF-8', HAFT_SANDBOX: 'off' };
  const command = 'env; cat /proc/$PPID/environ | tr "\\0" "\\n"; echo "[$HOME][$PATH][$LANG]"';
  const { stdout, stderr } = await haft.run(['tools', 'call', 'bash', JSON.stringify({ command }), '--json', '--trust', '--allow', 'bash'], { cwd: here, env });
  const result = JSON.parse(stdout) as Result;
  expect(result.content).toMatch(/OPENAI_API_KEY=\[/);
  expect(result.content).toMatch(/\[\/.+\]\[\/.+\]\[zh_CN\.UTF-8\]/);
  const files = readdirSync(haft.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  expect(files.some((text) => text.includes('"tool":"bash"'))).toBe(true);
  for (const text of [stdout, stderr, ...files]) expect(text).not.toMatch(/sk-test-1|sk-ant-test/);
});

test('what a tool prints of its own is no part of the answer', async () => {
  const here = join(haft.folder, 'prints');
  mkdirSync(here);
  writeFileSync(join(here, 'agent.config.ts'), `import { definePlugin, tool } from '@haft/core';
import { defineConfig } from '@haft/cli';
const chat = tool({ name: 'chat', description: 'Prints', scopes: [] }, () => { console.log('by console'); process.stdout.write('by stream\\n'); return 'the result'; });
export default defineConfig({ plugins: [definePlugin({ name: 'own', tools: [chat] })()] });
`);
  const { stdout, stderr } = await haft.run(['tools', 'call', 'chat', '{}', '--json', '--trust'], { cwd: here });
  expect(JSON.parse(stdout)).toMatchObject({ data: 'the result' });
  expect(stderr).toBe('by console\nby stream\n');
});

test('a tool that ends the process does not look like success', async () => {
  const here = join(haft.folder, 'ends');
  mkdirSync(here);
  writeFileSync(join(here, 'agent.config.ts'), `import { definePlugin, tool } from '@haft/core';
import { defineConfig } from '@haft/cli';
const leave = tool({ name: 'leave', description: 'Leaves', scopes: [] }, () => process.exit(0));
export default defineConfig({ plugins: [definePlugin({ name: 'own', tools: [leave] })()] });
`);
  const outcome = await haft.run(['tools', 'call', 'leave', '{}', '--trust'], { cwd: here });
  expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('ended from inside before the command was done') });
});

describe('PERM-04: where nobody can be asked', () => {
  test.each([
    ['no stdin', undefined],
    ['"y" on stdin', 'y\n'.repeat(100)],
  ])('%s: the call is refused, exit status 5, nothing is written', async (_name, input) => {
    const outcome = await haft.run(['tools', 'call', 'write_file', '{"path":"new.txt","content":"x"}', '--json'], { cwd: project, ...(input === undefined ? {} : { input }) });
    expect(JSON.parse(outcome.stdout)).toMatchObject({ code: 'approval_unavailable', error: expect.any(String) });
    expect(outcome.code).toBe(5);
    expect(() => readFileSync(join(project, 'new.txt'))).toThrow();
  });

  test('--yes and --allow let it run; a deny rule wins over both', async () => {
    const args = '{"path":"src/new.txt","content":"x"}';
    expect((await call('write_file', args, '--deny', 'write_file(src/**)', '--yes')).result.code).toBe('permission_denied');
    expect((await call('write_file', args, '--allow', 'write_file(src/**)')).result.status).toBe('success');
    expect((await call('write_file', '{"path":"src/second.txt","content":"x"}', '--yes')).result.status).toBe('success');
  });

  test('--permission-mode read-only refuses although --yes is given', async () => {
    const { result, code } = await call('write_file', '{"path":"third.txt","content":"x"}', '--yes', '--permission-mode', 'read-only');
    expect({ code, result: result.code }).toEqual({ code: 1, result: 'permission_denied' });
  });
});

describe('tools run', () => {
  const script = async (input: string, ...args: string[]): Promise<{ outcome: HaftOutcome; results: Result[] }> => {
    const outcome = await haft.run(['tools', 'run', ...args], { cwd: project, input });
    return { outcome, results: outcome.stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line) as Result) };
  };

  test('one result a line, in call order, all in one session; exit status of the first that is no success', async () => {
    const lines = [
      '{"name":"read_file","arguments":{"path":"a.txt"}}',
      '[{"name":"list_dir","arguments":{}},{"name":"read_file","arguments":{"path":"nope"}}]',
      '{"name":"edit_file","arguments":{"path":"a.txt","old_text":"one","new_text":"1"}}',
    ];
    const { outcome, results } = await script(lines.join('\n'), '--yes');
    expect(results.map(({ status, code }) => code ?? status)).toEqual(['success', 'success', 'not_found', 'success']);
    expect(outcome.code).toBe(1);
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('1\ntwo\nthree\n');
  });

  test('orchestrations: a chain hands results on, parallel keeps the order, a wrong description is a plain error', async () => {
    const chain = '{"chain":[{"tool":"list_dir","arguments":{"path":"src"}},{"tool":"read_file","arguments":{"path":"a.txt","limit":1}},{"tool":"read_file","arguments":{"path":"nope"}},{"tool":"list_dir"}]}';
    const { outcome, results } = await script(`${chain}\n{"parallel":[{"tool":"list_dir"},{"tool":"read_file","arguments":{"path":"a.txt"}}]}`);
    expect(results.map(({ status, code }) => code ?? status)).toEqual(['success', 'success', 'not_found', 'step_skipped', 'success', 'success']);
    expect(outcome.code).toBe(1);
    expect((await script('{"chain":[],"plan":[]}')).outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('exactly one of') });
  });

  test('SCH-19: arguments nested 20,000 deep are refused for themselves, and the next call works', async () => {
    const deep = `${'{"c":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const { outcome, results } = await script(`{"name":"read_file","arguments":{"path":"a.txt","x":${deep}}}\n{"name":"list_dir"}`);
    expect(results.map(({ status, code }) => code ?? status)).toEqual(['invalid_arguments', 'success']);
    expect(outcome.stdout + outcome.stderr).not.toMatch(/call stack/);
  });

  test('a script with an error in its last line runs nothing', async () => {
    const { outcome } = await script('{"name":"write_file","arguments":{"path":"never.txt","content":""}}\n{oops\n', '--yes');
    expect(outcome).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('stdin, line 2 is not JSON') });
    expect(() => readFileSync(join(project, 'never.txt'))).toThrow();
  });
});

describe('tools list', () => {
  test.each([
    ['json', (item: Record<string, unknown>) => item.name],
    ['openai', (item: Record<string, unknown>) => (item.function as { name: string }).name],
    ['openai-strict', (item: Record<string, unknown>) => (item.function as { name: string }).name],
    ['anthropic', (item: Record<string, unknown>) => (item.input_schema ? item.name : undefined)],
    ['gemini', (item: Record<string, unknown>) => item.name],
    ['mcp', (item: Record<string, unknown>) => (item.inputSchema ? item.name : undefined)],
  ])('--format %s', async (format, nameOf) => {
    const { code, stdout } = await haft.run(['tools', 'list', '--format', format], { cwd: project });
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as Record<string, unknown>[]).map(nameOf)).toEqual(expect.arrayContaining(['read_file', 'write_file', 'edit_file', 'glob', 'grep', 'list_dir', 'bash']));
  });

  test('the table names the tools, and --tools chooses among them', async () => {
    const { stdout } = await haft.run(['tools', 'list', '--tools', 'read_file,glob'], { cwd: project });
    expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual(['NAME', 'read_file', 'glob', '']);
    const wrong = await haft.run(['tools', 'list', '--tools', 'raed_file'], { cwd: project });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/--tools: no plugin brings a tool "raed_file". Did you mean "read_file"\?/) });
  });
});

test('a rule that fits no tool is told; one that should guard stops the command', async () => {
  writeFileSync(join(project, 'ask.config.ts'), `export default { permissions: { ask: ['raed_file(**)'] } };`);
  expect(await haft.run(['-q', '--deny', 'reed(**)', 'tools', 'list'], { cwd: project })).toMatchObject({ code: 2, stderr: expect.stringMatching(/--deny "reed\(\*\*\)" fits no tool/) });
  for (const flags of [['--deny', 'raed_file(**)'], ['--trust', '--config', 'ask.config.ts']]) {
    const { code, stderr } = await haft.run([...flags, 'tools', 'list'], { cwd: project });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/"raed_file\(\*\*\)" fits no tool\. Did you mean "read_file"\?[^]*guards nothing/)]);
  }
  writeFileSync(join(project, 'other.config.ts'), `export default { permissions: { deny: ['send_letter'] } };`);
  const elsewhere = await haft.run(['--trust', '--config', 'other.config.ts', '--allow', 'raed_file(**)', 'tools', 'list'], { cwd: project });
  expect(elsewhere).toMatchObject({ code: 0, stderr: expect.stringMatching(/--allow "raed_file\(\*\*\)" fits no tool\. Did you mean[^]*deny "send_letter" fits no tool\.\n/) });
});
