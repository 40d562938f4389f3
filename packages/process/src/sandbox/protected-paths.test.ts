// What in a workspace a command must not change or read.
import { existsSync, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type ProtectedPaths, ProtectedPathScanner, removeFile } from './protected-paths.js';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'haft-protected-')));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function put(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
}

/** Relative to the root, ordered. */
function scan(scanner = new ProtectedPathScanner(root)): ProtectedPaths {
  const found = scanner.scan();
  return Object.fromEntries(Object.entries(found).map(([kind, paths]: [string, string[]]) => [kind, paths.map((path) => path.slice(root.length + 1)).sort()])) as unknown as ProtectedPaths;
}

test('an empty workspace has nothing to protect', () => {
  expect(scan()).toEqual({ pinned: [], readOnly: [], masked: [], emptied: [], forbidden: [], sockets: [], repositories: [] });
});

test('git: hooks and config at every depth, submodules too; what redirects them must not appear', () => {
  put('.git/HEAD', '.git/config', '.git/hooks/x', '.git/modules/lib/sub/HEAD', '.git/modules/lib/sub/config', 'vendor/other/.git/config', 'lib/sub/.git');
  expect(scan()).toEqual({
    pinned: ['.git', '.git/modules', '.git/modules/lib', '.git/modules/lib/sub', 'lib', 'lib/sub', 'vendor', 'vendor/other', 'vendor/other/.git'],
    readOnly: ['.git/config', '.git/hooks', '.git/modules/lib/sub/config', 'lib/sub/.git', 'vendor/other/.git/config'],
    masked: [],
    emptied: ['.git/modules/lib/sub/hooks', 'vendor/other/.git/hooks'],
    forbidden: ['.git/commondir', '.git/modules/lib/sub/commondir', 'vendor/other/.git/commondir'],
    sockets: [],
    repositories: [],
  });
});

test('where hooks or config are links, the whole folder is read-only', () => {
  put('.git/HEAD', '.git/config', 'elsewhere/x');
  symlinkSync('../elsewhere', join(root, '.git/hooks'));
  expect(scan()).toMatchObject({ pinned: [], readOnly: ['.git'] });
});

test('a linked .git cannot be kept in its place: refused, with what to do', () => {
  put('elsewhere/HEAD');
  symlinkSync('elsewhere', join(root, '.git'));
  expect(() => scan()).toThrow(/\.git is a symbolic link.*gitdir: PATH/);
});

test('environment files are hidden everywhere but in node_modules, examples of them are not', () => {
  put('.env', '.env.local', '.envrc', 'a/b/.env.production', 'a/.env.example', '.env.sample', '.env.test.template', 'node_modules/x/.env', '.environment/x');
  mkdirSync(join(root, '.env.d'));
  expect(scan()).toMatchObject({ masked: ['.env', '.env.local', '.envrc', 'a/b/.env.production'], emptied: ['.env.d', '.environment'] });
});

test('keys and credentials are hidden everywhere, under every name that they have; a predicate of the caller opens them', () => {
  put('a/b/server.pem', 'a/.npmrc', 'id_rsa', 'id_rsa.pub', 'a/.ssh/config', 'plain.pem/file', 'a/b/notes.txt');
  linkSync(join(root, 'id_rsa'), join(root, 'a/b/copy'));
  expect(scan()).toMatchObject({ masked: ['a/.npmrc', 'a/b/copy', 'a/b/server.pem', 'id_rsa'], emptied: ['a/.ssh'] });
  expect(scan(new ProtectedPathScanner(root, (path) => path === 'a/.npmrc'))).toMatchObject({ masked: ['a/.npmrc'], emptied: [] });
});

test('hard links: of what lies in a hidden folder, and into .git; secrets that git keeps are hidden, branches with such names are not', () => {
  put('.ssh/deep/config', 'a/x', '.env', '.git/HEAD', '.git/credentials', '.git/refs/heads/credentials', '.git/objects/aa/x');
  linkSync(join(root, '.ssh/deep/config'), join(root, 'a/plain'));
  linkSync(join(root, '.env'), join(root, '.git/objects/aa/copy'));
  expect(scan()).toMatchObject({ masked: ['.env', '.git/credentials', '.git/objects/aa/copy', 'a/plain'], emptied: expect.arrayContaining(['.ssh']) });
});

test('a link to an environment file hides its target, wherever that is inside', () => {
  put('config/real');
  symlinkSync('config/real', join(root, '.env'));
  symlinkSync('/etc/hostname', join(root, '.env.outside'));
  symlinkSync('nowhere', join(root, '.env.dangling'));
  expect(scan().masked).toEqual(['config/real']);
});

test('settings that other programs trust are read-only; keys of a home are hidden', () => {
  put('agent.config.ts', '.haft/x', '.vscode/tasks.json', '.bashrc', '.ssh/id', '.config/gh/hosts.yml', '.netrc');
  expect(scan()).toMatchObject({ readOnly: ['.bashrc', '.haft', '.vscode', 'agent.config.ts'], emptied: ['.config/gh', '.ssh'], masked: ['.netrc'] });
});

test('folders above what is protected are pinned, outermost first', () => {
  put('a/b/c/.env', 'a/.env', 'd/e/x');
  expect(new ProtectedPathScanner(root).scan().pinned.map((path) => path.slice(root.length + 1))).toEqual(['a', 'a/b', 'a/b/c']);
});

test('a file that must not be there is removed, but not through a link', () => {
  put('git/commondir', 'outside/commondir');
  removeFile(join(root, 'git/commondir'));
  expect(existsSync(join(root, 'git/commondir'))).toBe(false);
  symlinkSync('outside', join(root, 'linked'));
  removeFile(join(root, 'linked/commondir'));
  removeFile(join(root, 'absent/commondir'));
  expect(existsSync(join(root, 'outside/commondir'))).toBe(true);
});

test('a later scan sees what is new, also in folders that it knows', () => {
  put('a/b/file');
  const scanner = new ProtectedPathScanner(root);
  expect(scan(scanner).masked).toEqual([]);
  put('a/b/.env');
  expect(scan(scanner).masked).toEqual(['a/b/.env']);
  rmSync(join(root, 'a/b/.env'));
  put('a/c/.env');
  expect(scan(scanner).masked).toEqual(['a/c/.env']);
});
