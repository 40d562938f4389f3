// What the command says when the machine, not the program, is at fault.
import { afterAll, expect, test } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HaftHome } from '../../test/haft-process.js';

const haft = new HaftHome();
const project = join(haft.folder, 'project');
mkdirSync(project);
writeFileSync(join(project, 'a.txt'), 'one\n');
afterAll(() => haft.remove());

test('a state folder that cannot be made: where it is and what to do, not "unexpected error"', async () => {
  const file = join(haft.folder, 'a-file');
  writeFileSync(file, '');
  const { code, stderr } = await haft.run(['tools', 'call', 'read_file', '{"path":"a.txt"}'], { cwd: project, env: { HAFT_HOME: file } });
  expect(stderr).toContain(`Haft must be able to write in ${file}`);
  expect(stderr).not.toMatch(/unexpected error|--verbose/);
  expect(code).toBe(1);
});
