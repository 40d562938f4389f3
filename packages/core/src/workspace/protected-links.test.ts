// Hard links: another name of a file does not get round what is said of the first.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { PathGuard } from './path-guard.js';
import { PathRules } from './path-rules.js';
import { ProtectedLinks } from './protected-links.js';
import { Roots } from './roots.js';
import { Workspace } from './workspace.js';

let root: string;
let workspace: Workspace;

const shell = (commands: string) => execFileSync('bash', ['-c', commands], { cwd: root });
const open = async (deny: readonly string[]) => {
  workspace = await Workspace.open({ root, deny });
};
const outcome = (work: Promise<unknown>) => work.then(() => 'done', (error: { code?: string }) => error.code);

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'haft-links-')));
});
afterEach(() => {
  workspace.close();
  rmSync(root, { recursive: true, force: true });
});

test('a file that a deny pattern covers by any of its names is denied by all of them', async () => {
  shell('mkdir -p a/secrets/deep node_modules/x; echo s > a/secrets/deep/f; ln a/secrets/deep/f plain; ln plain node_modules/x/f; echo t > .env; ln .env also; ln -s also soft; echo u > free; ln free free2');
  await open(['**/secrets', '**/.env*']);
  for (const path of ['plain', 'node_modules/x/f', 'also', 'soft']) {
    for (const work of [workspace.readFile(path), workspace.stat(path), workspace.resolve(path, 'read'), workspace.write(path, [Buffer.from('x')]), workspace.remove(path)]) expect([path, await outcome(work)]).toEqual([path, 'path_denied']);
  }
  expect(readFileSync(join(root, 'also'), 'utf8')).toBe('t\n');
  expect((await workspace.readFile('free2')).toString()).toBe('u\n');
});

test('a link that comes later is seen', async () => {
  shell('echo s > .env; echo u > free; ln free free2');
  await open(['.env']);
  expect(await outcome(workspace.readFile('free2'))).toBe('done');
  shell('ln .env late');
  expect(await outcome(workspace.readFile('late'))).toBe('path_denied');
  expect(await outcome(workspace.readFile('free2'))).toBe('done');
});

test('a walk gives no text of one, and the rest of the files', async () => {
  shell('echo s > .env; ln .env also; echo u > free; ln free free2');
  await open(['.env']);
  const texts: string[] = [];
  await workspace.walk('.', (entry) => {
    try {
      const file = entry.open();
      texts.push(`${entry.path} ${file.readAll().toString()}`);
      file.close();
    } catch (error) {
      texts.push(`${entry.path} ${(error as NodeJS.ErrnoException).code}`);
    }
    return false;
  });
  expect(texts).toEqual(['also EACCES', 'free u\n', 'free2 u\n']);
});

test('where nothing is denied, other names of what usually holds secrets are told, and opened', async () => {
  shell('echo s > .env; ln .env also; echo x > id_rsa; ln id_rsa key.pem; echo u > free; ln free free2');
  await open([]);
  const namesOf = async (path: string) => (await workspace.resolve(path, 'read')).otherNames;
  expect([await namesOf('also'), await namesOf('.env'), await namesOf('key.pem'), await namesOf('free')]).toEqual([['.env'], undefined, ['id_rsa'], undefined]);
  const file = await workspace.openFile('also');
  expect(file.secretNames).toEqual(['.env']);
  file.close();
});

test('where a tree is too large to be looked through, a file with other names is denied as long as there is a deny pattern', async () => {
  shell('mkdir d; touch d/1 d/2 d/3 d/4; echo u > free; ln free free2; echo one > single');
  await open([]);
  const roots = Roots.open({ root });
  const verdict = (deny: readonly string[], most: number, name: string) => {
    const rules = new PathRules({ deny });
    return new PathGuard(roots, rules, new ProtectedLinks(roots, rules, most)).deniesLinked(statSync(join(root, name)));
  };
  expect([verdict(['x'], 3, 'free'), verdict(['x'], 3, 'single'), verdict([], 3, 'free'), verdict(['x'], 100, 'free')]).toEqual([true, false, false, false]);
  roots.close();
});

test('no descriptor stays open, and folders below one another are no limit', async () => {
  shell(`mkdir -p ${'d/'.repeat(300)}; echo s > d/.env; ln d/.env also`);
  await open(['**/.env']);
  const count = () => readdirSync('/proc/self/fd').length;
  const before = count();
  expect(await outcome(workspace.readFile('also'))).toBe('path_denied');
  expect(count()).toBe(before);
});
