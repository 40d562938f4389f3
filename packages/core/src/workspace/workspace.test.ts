// The workspace on a real disk: paths, links, rules, reading and writing.
import { existsSync, linkSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync, chmodSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Workspace } from './workspace.js';

let base: string;
let root: string;
let workspace: Workspace;
const bytes = (text: string) => [Buffer.from(text, 'utf8')];

beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'haft-workspace-')));
  root = join(base, 'work');
  mkdirSync(root);
  workspace = await Workspace.open({ root });
});

afterEach(() => {
  workspace.close();
  rmSync(base, { recursive: true, force: true });
});

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no error';
  } catch (error) {
    return String((error as { code?: string }).code);
  }
}

describe('paths', () => {
  test('a link inside the workspace is followed, one that leads outside is refused', async () => {
    mkdirSync(join(root, 'real'));
    writeFileSync(join(root, 'real/a.txt'), 'v');
    writeFileSync(join(base, 'secret.txt'), 's');
    symlinkSync('real', join(root, 'alias'));
    symlinkSync(join(root, 'real'), join(root, 'absolute'));
    symlinkSync('../secret.txt', join(root, 'out.txt'));
    expect((await workspace.readFile('alias/a.txt')).toString()).toBe('v');
    expect((await workspace.resolve('absolute/a.txt', 'read')).resource).toBe('real/a.txt');
    expect(await codeOf(workspace.readFile('out.txt'))).toBe('path_outside_workspace');
    expect(await workspace.resolve('out.txt', 'read')).toMatchObject({ inside: false, exists: false });
  });

  test('".." behind a link means the real parent, and back into the root by its own name is inside', async () => {
    mkdirSync(join(root, 'real/host'), { recursive: true });
    writeFileSync(join(root, 'real/set.json'), '1');
    symlinkSync('../set.json', join(root, 'real/host/set.json'));
    symlinkSync('real/host', join(root, 'synced'));
    symlinkSync('synced', join(root, 'dot'));
    expect((await workspace.resolve('dot/set.json', 'read')).resource).toBe('real/set.json');
    expect((await workspace.resolve('dot/../set.json', 'read')).resource).toBe('real/set.json');
    expect((await workspace.resolve('../work/real', 'read')).resource).toBe('real');
  });

  test('links in a circle, and chains of more than forty, end with an error', async () => {
    symlinkSync('b', join(root, 'a'));
    symlinkSync('a', join(root, 'b'));
    writeFileSync(join(root, 'l0'), 'end');
    for (let index = 1; index <= 45; index++) symlinkSync(`l${index - 1}`, join(root, `l${index}`));
    expect(await codeOf(workspace.readFile('a'))).toBe('invalid_path');
    expect((await workspace.readFile('l40')).toString()).toBe('end');
    expect(await codeOf(workspace.readFile('l41'))).toBe('invalid_path');
  });

  test.each([
    ['', 'invalid_path'],
    ['a\0b', 'invalid_path'],
    ['x'.repeat(256), 'invalid_path'],
    ['missing', 'not_found'],
    ['~/.ssh/id_rsa', 'not_found'],
    ['file/below', 'not_a_directory'],
    ['file/', 'not_a_directory'],
    ['.', 'not_a_file'],
    ['/', 'path_outside_workspace'],
  ])('reading %j gives %s', async (path, code) => {
    writeFileSync(join(root, 'file'), '');
    expect(await codeOf(workspace.readFile(path))).toBe(code);
  });

  test('what is not there is answered with what may have been meant, denied names aside', async () => {
    const guarded = await Workspace.open({ root, deny: ['**/Secret.ts'] });
    mkdirSync(join(root, 'src'));
    for (const name of ['Main.ts', 'main.test.ts', 'util.js', 'Secret.ts']) writeFileSync(join(root, 'src', name), '');
    const said = (path: string) => guarded.readFile(path).then(String, (error: Error) => error.message);
    expect(await said('src/main.ts')).toBe('src/main.ts does not exist. Did you mean src/Main.ts?');
    expect(await said('src/util.ts')).toBe('src/util.ts does not exist. Did you mean src/util.js?');
    expect(await said('scr/util.js')).toBe('scr/util.js does not exist. Did you mean src/util.js?');
    expect(await said('src/secret.js')).toBe('src/secret.js does not exist.');
    expect(await said('other')).toBe('other does not exist.');
    guarded.close();
  });

  test('a pipe, a device and a socket are refused without being opened', async () => {
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, 'pipe')]);
    expect(await codeOf(workspace.readFile('pipe'))).toBe('not_a_file');
    expect(await codeOf(workspace.write('pipe', bytes('x')))).toBe('not_a_file');
    expect(lstatSync(join(root, 'pipe')).isFIFO()).toBe(true);
  });

  test('a name that is spelled with other combining characters is found when it is the only one', async () => {
    writeFileSync(join(root, 'cafe\u0301.txt'), 'decomposed');
    expect((await workspace.readFile('caf\u00e9.txt')).toString()).toBe('decomposed');
    await workspace.write('caf\u00e9.txt', bytes('new'));
    expect(readdirSync(root)).toEqual(['cafe\u0301.txt']);
  });

  test('a name that is no UTF-8 can be listed and given back', async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0x41])]), 'odd');
    const { entries } = await workspace.list('.');
    const listed = JSON.parse(JSON.stringify(entries[0]?.name)) as string;
    expect((await workspace.readFile(listed)).toString()).toBe('odd');
  });
});

describe('rules', () => {
  test('SBOX-14: a deny pattern holds for the asked name, the real one, and every link on the way', async () => {
    writeFileSync(join(root, 'private.key'), 'SECRET');
    symlinkSync('private.key', join(root, 'notes.txt'));
    symlinkSync('notes.txt', join(root, 'again.txt'));
    mkdirSync(join(root, 's'));
    symlinkSync('..', join(root, 's/up'));
    const guarded = await Workspace.open({ root, deny: ['*.key'] });
    for (const path of ['private.key', 'notes.txt', 's/up/private.key', './s/../private.key', `${root}/private.key`, 'new.key']) {
      expect([path, await codeOf(guarded.readFile(path))]).toEqual([path, 'path_denied']);
    }
    const names = (await guarded.list('.')).entries.map((entry) => entry.name);
    expect(names).not.toContain('private.key');
    const linkGuard = await Workspace.open({ root, deny: ['notes.txt'] });
    expect(await codeOf(linkGuard.readFile('again.txt'))).toBe('path_denied');
  });

  test('read-only patterns and read-only extra roots may be read, not written', async () => {
    const extra = join(base, 'extra');
    mkdirSync(extra);
    writeFileSync(join(extra, 'e.txt'), 'e');
    mkdirSync(join(root, 'vendor'));
    writeFileSync(join(root, 'vendor/v.txt'), 'v');
    const guarded = await Workspace.open({ root, readOnly: ['vendor/**'], extraRoots: [{ path: extra, access: 'read' }] });
    expect((await guarded.readFile('../extra/e.txt')).toString()).toBe('e');
    expect(await codeOf(guarded.write('../extra/e.txt', bytes('x')))).toBe('path_outside_workspace');
    expect((await guarded.readFile('vendor/v.txt')).toString()).toBe('v');
    expect(await codeOf(guarded.write('vendor/v.txt', bytes('x')))).toBe('path_denied');
    expect(await codeOf(guarded.write('vendor/new/x.txt', bytes('x')))).toBe('path_denied');
  });
});

describe('writing', () => {
  test('makes missing folders, keeps the mode, writes through a link, and leaves no other file', async () => {
    await workspace.write('a/b/c.sh', bytes('one'));
    chmodSync(join(root, 'a/b/c.sh'), 0o750);
    symlinkSync('a/b/c.sh', join(root, 'link'));
    const outcome = await workspace.write('link', bytes('two'));
    expect(outcome).toMatchObject({ relative: 'a/b/c.sh', created: false, bytes: 3, brokenLinks: 0 });
    expect(readFileSync(join(root, 'a/b/c.sh'), 'utf8')).toBe('two');
    expect(statSync(join(root, 'a/b/c.sh')).mode & 0o777).toBe(0o750);
    expect(lstatSync(join(root, 'link')).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(root, 'a/b'))).toEqual(['c.sh']);
  });

  test('nothing is made outside through a dangling link or a linked folder', async () => {
    mkdirSync(join(base, 'ext'));
    symlinkSync('../outside-new.txt', join(root, 'draft.txt'));
    symlinkSync('../ext', join(root, 'link'));
    symlinkSync('../gone', join(root, 'dead'));
    for (const path of ['draft.txt', 'link/new/dir/f.txt', 'dead/x/f.txt', '../work2/n.txt']) {
      expect([path, await codeOf(workspace.write(path, bytes('x')))]).toEqual([path, 'path_outside_workspace']);
    }
    expect(readdirSync(base).sort()).toEqual(['ext', 'work']);
    expect(readdirSync(join(base, 'ext'))).toEqual([]);
  });

  test('says when another name of the file keeps the old content', async () => {
    writeFileSync(join(root, 'src.md'), 'l1');
    linkSync(join(root, 'src.md'), join(base, 'dep.md'));
    expect(await workspace.write('src.md', bytes('L1'))).toMatchObject({ brokenLinks: 1 });
    expect(readFileSync(join(base, 'dep.md'), 'utf8')).toBe('l1');
  });

  test('what a dead writer left in the folder is removed, what a living one is writing stays', async () => {
    writeFileSync(join(root, '.haft-999999999-0123456789abcdef.tmp'), 'stray');
    writeFileSync(join(root, `.haft-${process.ppid}-0123456789abcdef.tmp`), 'in use');
    await workspace.write('x', bytes('x'));
    expect(readdirSync(root).sort()).toEqual([`.haft-${process.ppid}-0123456789abcdef.tmp`, 'x']);
  });

  test('knows whether a file changed since a session read it, by content', async () => {
    writeFileSync(join(root, 's.txt'), 'v1');
    const file = await workspace.openFile('s.txt');
    workspace.noteRead('one', file);
    file.close();
    expect(await workspace.changedSinceRead('one', 's.txt')).toBe(false);
    const { atime, mtime } = statSync(join(root, 's.txt'));
    writeFileSync(join(root, 's.txt'), 'v2');
    execFileSync('touch', ['-d', mtime.toISOString(), join(root, 's.txt')]);
    expect(atime).toBeDefined();
    expect(await workspace.changedSinceRead('one', 's.txt')).toBe(true);
    expect(await workspace.changedSinceRead('other', 's.txt')).toBe(false);
    await workspace.write('s.txt', bytes('v3'), { sessionId: 'one' });
    expect(await workspace.changedSinceRead('one', 's.txt')).toBe(false);
  });

  test('a write that is held to a version gives way to whoever changed the file meanwhile', async () => {
    writeFileSync(join(root, 's.txt'), 'v1');
    const { bytes: read, version } = await workspace.readVersion('s.txt');
    writeFileSync(join(root, 's.txt'), 'by hand');
    expect(await codeOf(workspace.write('s.txt', [read], { version }))).toBe('stale_file');
    expect(readdirSync(root)).toEqual(['s.txt']);
    expect(readFileSync(join(root, 's.txt'), 'utf8')).toBe('by hand');
    const again = await workspace.readVersion('s.txt');
    rmSync(join(root, 's.txt'));
    expect(await codeOf(workspace.write('s.txt', bytes('x'), { version: again.version }))).toBe('stale_file');
    expect(readdirSync(root)).toEqual([]);
    writeFileSync(join(root, 's.txt'), 'appeared');
    expect(await codeOf(workspace.write('s.txt', bytes('x'), { version: 'none' }))).toBe('stale_file');
    expect(readFileSync(join(root, 's.txt'), 'utf8')).toBe('appeared');
  });

  test('one holder at a time for one real file, under any of its names', async () => {
    writeFileSync(join(root, 'n'), '0');
    symlinkSync('n', join(root, 'm'));
    const increment = (name: string) =>
      workspace.lock(name, async () => {
        const value = Number((await workspace.readFile(name)).toString());
        await workspace.write(name, bytes(String(value + 1)));
      });
    await Promise.all(Array.from({ length: 20 }, (_, index) => increment(index % 2 ? 'n' : 'm')));
    expect(readFileSync(join(root, 'n'), 'utf8')).toBe('20');
  });
});

test('SBOX-13, SRCH-11: every spelling of the root gives the same answers, "/" too', async () => {
  writeFileSync(join(root, 'a.txt'), 'a');
  writeFileSync(join(base, 'x'), 'x');
  symlinkSync(root, join(base, 'link'));
  for (const spelling of [`${root}/`, `${base}/./work`, join(base, 'link')]) {
    const opened = await Workspace.open({ root: spelling });
    for (const path of ['a.txt', join(base, 'link', 'a.txt'), join(root, 'a.txt')]) {
      if (path.startsWith(join(base, 'link')) && !spelling.endsWith('link')) continue;
      expect((await opened.readFile(path)).toString()).toBe('a');
    }
    expect(await codeOf(opened.readFile('../x'))).toBe('path_outside_workspace');
    opened.close();
  }
  const whole = await Workspace.open({ root: '/' });
  expect((await whole.readFile(join(root, 'a.txt').slice(1))).toString()).toBe('a');
  expect((await whole.readFile(`/../..${root}/a.txt`)).toString()).toBe('a');
  expect(await codeOf(whole.readFile('/proc/self/environ'))).toBe('path_denied');
  expect(existsSync(root)).toBe(true);
  whole.close();
});

test('a name has one form: bytes spelled one by one do not get round a rule, and half a character is no name', async () => {
  writeFileSync(join(root, '中.txt'), 'secret');
  writeFileSync(join(root, 'a\ufffd'), 'other');
  const strict = await Workspace.open({ root, deny: ['中.txt'] });
  await expect(strict.readFile('\udce4\udcb8\udcad.txt')).rejects.toMatchObject({ code: 'path_denied', message: expect.stringContaining('the deny pattern "中.txt" covers it') });
  expect((await workspace.resolve('\udce4\udcb8\udcad.txt', 'read')).resource).toBe('中.txt');
  for (const path of ['a\ud800', 'a\udc00', 'a\udfff', '\udce4\udc00']) expect([path, await codeOf(workspace.readFile(path))]).toEqual([path, 'invalid_path']);
  strict.close();
});

test('no descriptor stays open, whatever a path leads to', async () => {
  const count = () => readdirSync('/proc/self/fd').length;
  mkdirSync(join(root, 'd/e'), { recursive: true });
  writeFileSync(join(root, 'd/e/f'), 'x');
  symlinkSync('d/e', join(root, 'link'));
  symlinkSync('nowhere/else', join(root, 'dead'));
  symlinkSync('loop', join(root, 'loop'));
  const paths = ['d/e/f', 'link/f', 'link/../e/f', 'd', '.', 'dead', 'dead/x', 'loop', 'd/e/f/g', 'd/e/f/', '../x', 'd/x/../y', '"d/e/f"', '"d/e/f/x"', '"../x"', root, '/etc/passwd', ''];
  const before = count();
  for (const path of paths) {
    for (const work of [
      () => workspace.readFile(path), () => workspace.stat(path), () => workspace.list(path), () => workspace.resolve(path, 'write'), () => workspace.walk(path, () => true),
      () => workspace.write(path, bytes('x'), { createOnly: true }), () => workspace.write(path, bytes('x'), { version: 'other' }),
    ]) await codeOf(work());
  }
  expect(count()).toBe(before);
});

test('READ-11: what the operating system forbids is a coded failure, and changes nothing', async () => {
  mkdirSync(join(root, 'closed'));
  writeFileSync(join(root, 'closed/f'), 'old');
  writeFileSync(join(root, 'np'), 'secret');
  chmodSync(join(root, 'np'), 0);
  chmodSync(base, 0o755);
  chmodSync(join(root, 'closed'), 0o555);
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    expect(await codeOf(workspace.readFile('np'))).toBe('no_permission');
    expect(await codeOf(workspace.write('closed/f', bytes('new')))).toBe('no_permission');
    expect(await codeOf(workspace.write('closed/new/g', bytes('new')))).toBe('no_permission');
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
  expect([readFileSync(join(root, 'closed/f'), 'utf8'), readdirSync(join(root, 'closed'))]).toEqual(['old', ['f']]);
  chmodSync(join(root, 'closed'), 0o755);
});
