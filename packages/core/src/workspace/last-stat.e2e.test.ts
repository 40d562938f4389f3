// What the workspace looks at does not change how Node resolves an import: a package behind a link stays the one that it is.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const core = pathToFileURL(join(process.cwd(), 'packages/core/dist/index.js')).href;
let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'haft-last-stat-')));
  for (const name of ['root', 'real', 'node_modules']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'real/package.json'), '{"name":"linked","type":"module","exports":"./index.js"}');
  writeFileSync(join(folder, 'real/index.js'), 'export const where = import.meta.url;\n');
  execFileSync('sh', ['-c', 'mkfifo root/pipe'], { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['resolved', `await workspace.resolve('pipe', 'read')`],
  ['opened', `await workspace.openFile('pipe').catch(() => undefined)`],
  ['listed', `await workspace.list('.')`],
])('after a pipe was %s', (name, look) => {
  for (const link of ['early', name]) symlinkSync(join(folder, 'real'), join(folder, 'node_modules', `${name}-${link}`));
  const script = join(folder, `${name}.mjs`);
  writeFileSync(script, `import { Workspace } from ${JSON.stringify(core)};
await import('${name}-early');
const workspace = await Workspace.open({ root: ${JSON.stringify(join(folder, 'root'))} });
${look};
console.log((await import('${name}-${name}')).where);
`);
  expect(execFileSync(process.execPath, [script], { encoding: 'utf8' }).trim()).toBe(pathToFileURL(join(folder, 'real/index.js')).href);
});
