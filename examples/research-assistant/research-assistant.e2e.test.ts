// The assistant on a small repository of its own.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HaftHome } from '../../apps/cli/test/haft-process.js';
import { draftMessage } from './plugin/commit-message.js';
import { todoItems } from './plugin/todo-items.js';

const haft = new HaftHome();
const project = join(haft.folder, 'project');
const config = ['--trust', '--config', `${process.cwd()}/examples/research-assistant/agent.config.ts`, '--cwd', project];

beforeAll(() => {
  mkdirSync(join(project, 'src'), { recursive: true });
  mkdirSync(join(project, 'node_modules/other'), { recursive: true });
  writeFileSync(join(project, 'src/a.ts'), '// TODO(ann): split this file\nexport {};\n/* FIXME: leaks */\n');
  writeFileSync(join(project, 'notes.md'), '- [ ] write docs @ben 2026-04-01\n- [x] done\n');
  writeFileSync(join(project, 'node_modules/other/b.js'), '// TODO: not ours\n');
  const git = (...args: string[]): void => void execFileSync('git', ['-C', project, ...args], { stdio: 'ignore', env: haft.env });
  git('init');
  git('add', 'src', 'notes.md');
});
afterAll(() => haft.remove());

async function call(tool: string, args: object): Promise<{ success: boolean; code?: string; data?: unknown; error?: string }> {
  const { stdout } = await haft.run([...config, 'tools', 'call', tool, JSON.stringify(args), '--json']);
  return JSON.parse(stdout) as Awaited<ReturnType<typeof call>>;
}

test('open points of a folder, with place, owner and date', async () => {
  expect((await call('extract_todo_items', { path: '.' })).data).toEqual({
    found: 3,
    items: [
      { path: 'notes.md', line: 1, kind: 'checkbox', text: 'write docs @ben 2026-04-01', owner: 'ben', due: '2026-04-01' },
      { path: 'src/a.ts', line: 1, kind: 'todo', text: 'split this file', owner: 'ann' },
      { path: 'src/a.ts', line: 3, kind: 'fixme', text: 'leaks' },
    ],
  });
});

test('either a path or a text', async () => {
  expect(await call('extract_todo_items', { path: '.', text: 'x' })).toMatchObject({ success: false, code: 'rule_violated', error: expect.stringContaining('either path or text') });
  expect(await call('extract_todo_items', { path: '../..' })).toMatchObject({ success: false, code: 'path_outside_workspace' });
});

test('a commit message for what is staged', async () => {
  const { data } = await call('draft_commit_message', { why: 'start the project' });
  expect(data).toEqual({ files: 2, message: 'feat: start the project\n\n- add notes.md (+2 -0)\n- add src/a.ts (+3 -0)' });
});

test('the assistant can change nothing', async () => {
  const { stdout } = await haft.run([...config, 'tools', 'list', '--format', 'json']);
  expect((JSON.parse(stdout) as { scopes: string[] }[]).flatMap(({ scopes }) => scopes)).toEqual(expect.not.arrayContaining(['write', 'dangerous']));
});

test('the parts alone', () => {
  expect(todoItems('ACTION: call Ann\nnothing')).toEqual([{ line: 1, kind: 'action', text: 'call Ann' }]);
  const file = { added: 1, removed: 0 };
  expect(draftMessage([{ status: 'M', path: 'docs/a.md', ...file }])).toMatch(/^docs\(docs\): change a\.md\n/);
  expect(draftMessage([{ status: 'M', path: 'lib/x/a.ts', ...file }, { status: 'M', path: 'lib/x/y/b.ts', ...file }])).toMatch(/^refactor\(x\): change 2 files\n/);
});
