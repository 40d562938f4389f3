// Which folder a command must see to run Node.js, and that it is no more than that.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { nodeInstallation } from './node-installation.js';

let base = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'haft-node-')));
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

function install(folder: string, ...more: string[]): string {
  for (const path of ['bin', ...more]) mkdirSync(join(base, folder, path), { recursive: true });
  writeFileSync(join(base, folder, 'bin/node'), '');
  return join(base, folder, 'bin/node');
}

test('a version manager’s folder is shown', () => {
  const node = install('home/.nvm/v20', 'include/node', 'lib/node_modules');
  expect(nodeInstallation(node, join(base, 'home'), ['/usr'])).toEqual([join(base, 'home/.nvm/v20')]);
});

test('of a node in the home’s own bin, the program alone', () => {
  const node = install('home', 'include/node', 'lib/node_modules');
  expect(nodeInstallation(node, join(base, 'home'), ['/usr'])).toEqual([node]);
  expect(nodeInstallation(node, join(base, 'home/deeper'), ['/usr'])).toEqual([node]);
});

test('of a node in a folder of other things, the program alone', () => {
  const node = install('tools');
  expect(nodeInstallation(node, '/home/x', ['/usr'])).toEqual([node]);
});

test('what is seen anyway is not shown again; a folder that holds the workspace is not shown', () => {
  const node = install('work/node', 'include/node', 'lib/node_modules');
  expect(nodeInstallation(node, '/home/x', ['/usr', join(base, 'work')])).toEqual([]);
  expect(nodeInstallation(node, '/home/x', ['/usr', join(base, 'work/node/project')])).toEqual([node]);
});
