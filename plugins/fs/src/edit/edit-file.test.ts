// edit_file and write_file over the dispatcher: what lies on disk afterwards.
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { applyPatch } from 'diff';
import { ToolBench } from '@haft/core/testing';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ChangeHistory, EditFile, ReadFile, WriteFile } from '../index.js';

let bench: ToolBench;
const shell = (line: string) => execFileSync('bash', ['-c', line], { cwd: bench.root });
const tools = [ReadFile, WriteFile, EditFile];

beforeEach(async () => {
  bench = await ToolBench.open({ tools, services: [new ChangeHistory()] });
});
afterEach(() => bench.close());

const edit = (path: string, old_text: string, new_text: string, more: object = {}) => bench.text('edit_file', { path, old_text, new_text, ...more });
const refused = (path: string, old_text: string, new_text: string, more: object = {}) => bench.failure('edit_file', { path, old_text, new_text, ...more });

describe('bytes', () => {
  test('EDIT-03: text with LF fits a file with CR LF, with and without replace_all, and the other way round', async () => {
    for (const old_text of ['one\ntwo', 'one\r\ntwo']) {
      for (const replace_all of [false, true]) {
        bench.put('w.txt', 'one\r\ntwo\r\nthree\r\n');
        await edit('w.txt', old_text, old_text.toUpperCase(), { replace_all });
        expect(bench.read('w.txt')).toBe('ONE\r\nTWO\r\nthree\r\n');
      }
    }
  });

  test('EDIT-04: untouched line ends stay, mixed ones too', async () => {
    for (const [before, after] of [['a\r\nb\r\nc\r\n', 'a\r\nB\r\nc\r\n'], ['a\r\nb\nc\r\n', 'a\r\nB\nc\r\n']] as const) {
      bench.put('w.txt', before);
      await edit('w.txt', 'b', 'B');
      expect(bench.read('w.txt')).toBe(after);
    }
  });

  test('EDIT-15: quotes and every other character arrive as they were given', async () => {
    const text = 'r = /["\'(]+/ // “curly” ’ \\n $& $1 中文 😀 e\u0301';
    bench.put('q.js', 'a = 1\n');
    await edit('q.js', 'a = 1', text);
    expect(bench.bytes('q.js').equals(Buffer.from(`${text}\n`, 'utf8'))).toBe(true);
    await bench.text('write_file', { path: 'q2.txt', content: '“"’\'' });
    expect(bench.bytes('q2.txt').equals(Buffer.from('“"’\'', 'utf8'))).toBe(true);
  });

  test('READ-09: other encodings survive byte for byte, and what they cannot hold is refused', async () => {
    bench.put('gbk.ini', Buffer.from('6b3d310ad6d0cec40a', 'hex'));
    bench.put('l1.txt', Buffer.from('636166e920610a', 'hex'));
    bench.put('u16.txt', Buffer.from('fffe68006900', 'hex'));
    bench.put('bom.txt', Buffer.from('efbbbf61620a', 'hex'));
    await edit('gbk.ini', 'k=1', 'k=2测');
    await edit('l1.txt', ' a', ' b');
    await edit('u16.txt', 'hi', 'yo中');
    await edit('bom.txt', 'ab', 'cd');
    const hex = (path: string) => bench.bytes(path).toString('hex');
    expect([hex('gbk.ini'), hex('l1.txt'), hex('u16.txt'), hex('bom.txt')]).toEqual(['6b3d32b2e20ad6d0cec40a', '636166e920620a', 'fffe79006f002d4e', 'efbbbf63640a']);
    expect((await refused('l1.txt', 'b', '中')).code).toBe('unencodable_text');
    bench.put('odd.txt', Buffer.from('6b3d310a81ff0a', 'hex'));
    expect((await refused('odd.txt', 'k=1', 'k=2')).code).toBe('unknown_encoding');
    expect(hex('odd.txt')).toBe('6b3d310a81ff0a');
  });

  test('write_file says when the form of a file changes with its content', async () => {
    bench.put('gbk.txt', Buffer.from('d6d0cec40d0a', 'hex'));
    expect(await bench.text('write_file', { path: 'gbk.txt', content: '中文\n' })).toMatch(/Replaced gbk\.txt: 1 line, 7 bytes\. It was gb18030 text and is UTF-8 now\. Its lines ended in CR LF/);
  });

  test('mode and owner are kept', async () => {
    bench.put('run.sh', 'echo 1\n');
    shell('chmod 4755 run.sh');
    await edit('run.sh', '1', '2');
    expect(statSync(join(bench.root, 'run.sh')).mode & 0o7777).toBe(0o4755);
  });
});

describe('links', () => {
  test('EDIT-08: through a chain of links the real file changes', async () => {
    shell("mkdir -p real/host; printf '{\"k\":1}' > real/set.json; ln -s ../set.json real/host/set.json; ln -s real/host synced; ln -s synced dot");
    await edit('dot/set.json', '1', '2');
    expect(bench.read('real/set.json')).toBe('{"k":2}');
    expect(lstatSync(join(bench.root, 'real/host/set.json')).isSymbolicLink()).toBe(true);
  });

  test('EDIT-09: all names of a hard-linked file show the edit, or it is said that they do not', async () => {
    shell("printf 'l1\\n' > src.md; mkdir deep; ln src.md deep/dep.md; printf 'x\\n' > one; ln one ../outside");
    await edit('src.md', 'l1', 'L1');
    expect(bench.read('deep/dep.md')).toBe('L1\n');
    expect(statSync(join(bench.root, 'src.md')).ino).toBe(statSync(join(bench.root, 'deep/dep.md')).ino);
    expect(statSync(join(bench.root, 'src.md')).nlink).toBe(2);
    expect(await edit('one', 'x', 'y')).toMatch(/hard link/);
    expect(execFileSync('cat', [join(bench.base, 'outside')], { encoding: 'utf8' })).toBe('x\n');
  });

  test('SBOX-03, SBOX-04, SBOX-05: nothing outside through dangling links or linked folders; inside links work', async () => {
    shell('ln -s ../outside-new.txt draft.txt; ln -s hop2 hop1; ln -s ../outside-two.txt hop2; mkdir ../ext; ln -s ../ext link; ln -s ../gone deadlink; mkdir real; echo v > real/a.txt; ln -s real alias; ln -s real/a.txt fa');
    for (const path of ['draft.txt', 'hop1', 'link/new/dir/f.txt', 'deadlink/x/f.txt', '../work2/n.txt']) {
      expect([path, (await bench.failure('write_file', { path, content: 'x' })).code]).toEqual([path, 'path_outside_workspace']);
    }
    expect((await refused('draft.txt', '', 'x')).code).not.toBe('no error');
    expect(readdirSync(bench.base).sort()).toEqual(['ext', 'work']);
    expect(readdirSync(join(bench.base, 'ext'))).toEqual([]);
    expect(await bench.text('read_file', { path: 'alias/a.txt' })).toMatch(/^1\tv\n/);
    await bench.text('write_file', { path: 'alias/b.txt', content: 'n' });
    await edit('fa', 'v', 'w');
    expect([bench.read('real/b.txt'), bench.read('real/a.txt'), lstatSync(join(bench.root, 'fa')).isSymbolicLink()]).toEqual(['n', 'w\n', true]);
  });
});

describe('what is refused leaves the file as it was', () => {
  test.each([
    ['EDIT-11: empty old_text', 'keep me\n', { old_text: '', new_text: 'X' }, 'rule_violated', /write_file/],
    ['EDIT-11: the same with replace_all', 'keep me\n', { old_text: '', new_text: 'X', replace_all: true }, 'rule_violated', /write_file/],
    ['EDIT-13: other indentation', 'if a:\n\tgo()\nfor b:\n\t\t\t\tgo2()\n', { old_text: '\t\t\t\tgo()', new_text: 'x' }, 'no_match', /line 2/],
    ['EDIT-13: a blank never takes a line break', 'foo\nbar\n', { old_text: 'foo ', new_text: 'baz ' }, 'no_match', /line 1/],
    ['EDIT-16: three places', 'n=1\nn=1\nn=1\n', { old_text: 'n=1', new_text: 'n=2' }, 'ambiguous_match', /3 times.*lines 1, 2, 3/],
    ['EDIT-16: overlapping places', 'aaa', { old_text: 'aa', new_text: 'b' }, 'ambiguous_match', /2 times/],
    ['EDIT-17: one of a batch does not match', 'alpha beta gamma\n', { edits: [{ old_text: 'alpha', new_text: 'A' }, { old_text: 'zeta', new_text: 'Z' }] }, 'no_match', /edits\[1\]/],
    ['EDIT-17: two of a batch overlap', 'alpha beta gamma\n', { edits: [{ old_text: 'alpha beta', new_text: 'AB' }, { old_text: 'beta gamma', new_text: 'BG' }] }, 'overlapping_edits', /edits\[0\].*edits\[1\]/],
    ['EDIT-20: no change', 'same\n', { old_text: 'same', new_text: 'same' }, 'no_change', /no change/],
    ['both forms at once', 'a\n', { old_text: 'a', new_text: 'b', edits: [{ old_text: 'a', new_text: 'b' }] }, 'rule_violated', /not both/],
    ['neither form', 'a\n', {}, 'rule_violated', /old_text and new_text/],
    ['half a form', 'a\n', { old_text: 'a' }, 'rule_violated', /new_text is missing/],
  ])('%s', async (_name, content, args, code, text) => {
    bench.put('f.txt', content);
    const before = statSync(join(bench.root, 'f.txt'));
    expect(await bench.failure('edit_file', { path: 'f.txt', ...args })).toEqual({ code, text: expect.stringMatching(text) });
    const after = statSync(join(bench.root, 'f.txt'));
    expect([bench.read('f.txt'), after.mtimeMs, after.ino]).toEqual([content, before.mtimeMs, before.ino]);
    expect(readdirSync(bench.root)).toEqual(['f.txt']);
  });
});

describe('EDIT-18: changes by others', () => {
  test('write_file refuses to overwrite what changed since it was read, also within one second and at the same size', async () => {
    bench.put('s.txt', 'v1\n');
    await bench.text('read_file', { path: 's.txt' });
    shell("touch -r s.txt stamp; printf 'h1\\n' > s.txt; touch -r stamp s.txt; rm stamp");
    expect((await bench.failure('write_file', { path: 's.txt', content: 'v2\n' })).code).toBe('stale_file');
    expect(bench.read('s.txt')).toBe('h1\n');
    expect((await bench.call('write_file', { path: 's.txt', content: 'v2\n' }, 'another session')).success).toBe(true);
  });

  test('edit_file goes on where the text still matches, and keeps the rest', async () => {
    bench.put('s.txt', 'v1\n');
    await bench.text('read_file', { path: 's.txt' });
    bench.put('s.txt', 'v1\nhuman line\n');
    expect(await edit('s.txt', 'v1', 'v2')).toMatch(/had changed since it was read/);
    expect(bench.read('s.txt')).toBe('v2\nhuman line\n');
    await bench.text('write_file', { path: 's.txt', content: 'v3\n' });
    expect(bench.read('s.txt')).toBe('v3\n');
  });
});

test('the result carries a unified diff that gives the new text when it is applied to the old', async () => {
  const before = Array.from({ length: 60 }, (_, index) => `line ${index}`).join('\n');
  bench.put('f.txt', before);
  const result = await bench.call('edit_file', { path: 'f.txt', edits: [{ old_text: 'line 7\n', new_text: 'seven\nand a half\n' }, { old_text: 'line 50', new_text: 'fifty' }] });
  const { diff } = result.data as { diff: string };
  expect(applyPatch(before, diff)).toBe(bench.read('f.txt'));
});

test('preview shows the diff and changes nothing; undo restores, unless the file changed again', async () => {
  bench.put('f.txt', 'one\r\ntwo\r\n');
  const history = new ChangeHistory();
  const tool = Object.assign(new EditFile(bench.workspace, history), { path: 'f.txt', old_text: 'two', new_text: '2', replace_all: false });
  expect((await tool.preview()).diff).toMatch(/^-two\r?\n\+2/m);
  expect(bench.read('f.txt')).toBe('one\r\ntwo\r\n');
  const hopeless = Object.assign(new EditFile(bench.workspace, history), { path: 'f.txt', old_text: 'three', new_text: '3', replace_all: false });
  expect((await hopeless.preview()).text).toMatch(/will fail: old_text does not occur/);
  const context = { sessionId: 's', signal: new AbortController().signal } as Parameters<EditFile['execute']>[0];
  const result = await tool.execute(context);
  await tool.undo(result, context);
  expect(bench.read('f.txt')).toBe('one\r\ntwo\r\n');
  const writer = Object.assign(new WriteFile(bench.workspace, history), { path: 'new/f.txt', content: 'x' });
  expect((await writer.preview()).diff).toContain('+x');
  const written = await writer.execute(context);
  expect(await writer.preview()).toEqual({ title: 'Replace new/f.txt', text: 'The file holds exactly this already: nothing changes.' });
  await writer.undo(written, context);
  expect(readdirSync(join(bench.root, 'new'))).toEqual([]);
  const again = await writer.execute(context);
  bench.put('new/f.txt', 'by hand');
  await expect(writer.undo(again, context)).rejects.toMatchObject({ code: 'stale_file' });
});

test('undo of any batch of edits gives the old bytes back', async () => {
  const history = new ChangeHistory();
  const context = { sessionId: 's', signal: new AbortController().signal } as Parameters<EditFile['execute']>[0];
  const letters = fc.array(fc.constantFrom('a', 'b', 'c', '中', '\n', '\r\n'), { minLength: 1, maxLength: 40 }).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(letters, fc.uniqueArray(fc.constantFrom('a', 'b', 'c', '中'), { minLength: 1, maxLength: 3 }), fc.constantFrom('', 'x', 'long\ntext'), async (content, olds, new_text) => {
      bench.put('f.txt', content);
      const edits = olds.map((old_text) => ({ old_text, new_text, replace_all: true }));
      const tool = Object.assign(new EditFile(bench.workspace, history), { path: 'f.txt', edits, replace_all: false });
      const result = await tool.execute(context).catch(() => undefined);
      if (result !== undefined) await tool.undo(result, context);
      expect(bench.read('f.txt')).toBe(content);
    }),
    { numRuns: 100 },
  );
});
