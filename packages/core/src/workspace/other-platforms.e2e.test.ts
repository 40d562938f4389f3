// Where there is no /proc, the workspace goes by real paths: the same answers, if without the same proof against races.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const script = `
  Object.defineProperty(process, 'platform', { value: 'freebsd' });
  const { Workspace } = await import('@haft/core');
  const workspace = await Workspace.open({ root: process.argv[1] });
  const said = [];
  const note = async (work) => said.push(await work().catch((error) => error.code));
  await note(async () => (await workspace.readFile('real/a.txt')).toString());
  await note(async () => (await workspace.readFile('alias/a.txt')).toString());
  await note(async () => (await workspace.readFile('out/s.txt')).toString());
  await note(async () => (await workspace.readFile('../ext/s.txt')).toString());
  await note(async () => (await workspace.readFile('pipe')).toString());
  await note(async () => (await workspace.write('alias/new/b.txt', [Buffer.from('b')])).relative);
  await note(async () => (await workspace.write('out/x.txt', [Buffer.from('b')])).relative);
  await note(async () => { const names = []; await workspace.walk('.', (entry) => { names.push(entry.path); if (entry.kind === 'file') entry.open().close(); return true; }); return names.join(); });
  console.log(JSON.stringify(said));
`;

test('paths are walked, links confined and writes whole without descriptors of folders', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'haft-platform-')));
  const root = join(base, 'work');
  mkdirSync(join(root, 'real'), { recursive: true });
  mkdirSync(join(base, 'ext'));
  writeFileSync(join(root, 'real/a.txt'), 'inside');
  writeFileSync(join(base, 'ext/s.txt'), 'secret');
  symlinkSync('real', join(root, 'alias'));
  symlinkSync('../ext', join(root, 'out'));
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, 'pipe')]);
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script, root], { cwd: import.meta.dirname, encoding: 'utf8', timeout: 60_000 });
  const outside = 'path_outside_workspace';
  expect(JSON.parse(output)).toEqual(['inside', 'inside', outside, outside, 'not_a_file', 'real/new/b.txt', outside, 'alias,out,pipe,real,real/a.txt,real/new,real/new/b.txt']);
  expect(readFileSync(join(root, 'real/new/b.txt'), 'utf8')).toBe('b');
  expect(readdirSync(join(base, 'ext'))).toEqual(['s.txt']);
  rmSync(base, { recursive: true });
});
