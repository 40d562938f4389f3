// What of the system is bound, linked or copied into a sandbox.
import { lstatSync, statSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { systemView } from './system-view.js';

test('single files are copied from descriptors in their order, folders bound, links into /usr kept', () => {
  const { arguments: given, files } = systemView(20);
  expect(files).toContain('/etc/passwd');
  for (const [index, path] of files.entries()) {
    expect(statSync(path).isFile()).toBe(true);
    const at = given.indexOf(path);
    expect(given.slice(at - 4, at + 1)).toEqual(['--perms', '0644', '--file', String(20 + index), path]);
  }
  const bound = given.flatMap((argument, at) => (argument === '--ro-bind' ? [given[at + 1] ?? ''] : []));
  expect(bound).toContain('/usr');
  for (const path of bound) expect(statSync(path).isDirectory()).toBe(true);
  const linked = given.flatMap((argument, at) => (argument === '--symlink' ? [given[at + 2] ?? ''] : []));
  for (const path of linked) expect(lstatSync(path).isSymbolicLink()).toBe(true);
});

test('nothing that tells of secrets is among it', () => {
  const all = systemView(20).arguments;
  for (const path of ['/etc', '/etc/shadow', '/etc/ssl', '/etc/ssl/private', '/etc/ssh', '/etc/environment', '/etc/machine-id']) expect(all).not.toContain(path);
});
