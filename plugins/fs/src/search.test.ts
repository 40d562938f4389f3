// glob, grep and list_dir over the dispatcher.
import { execFileSync } from 'node:child_process';
import { ToolBench } from '@haft/core/testing';
import { ProcessRunner } from '@haft/process';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FsOptions, Glob, Grep, ListDir, ReadFile } from './index.js';
import type { GlobResult } from './glob/find-files.js';
import type { SearchResult } from './grep/search-tree.js';

const runner = new ProcessRunner();
let bench: ToolBench;
const shell = (line: string) => execFileSync('bash', ['-c', line], { cwd: bench.root });
const open = (options: object = {}) => ToolBench.open({ tools: [Glob, Grep, ListDir, ReadFile], services: [runner, new FsOptions()], ...options });

beforeEach(async () => {
  bench = await open();
});
afterEach(() => bench.close());
afterAll(() => runner.dispose());

const found = async (pattern: string, path?: string) => ((await bench.call('glob', { pattern, ...(path && { path }) })).data as GlobResult).paths;
const hits = async (args: object) => ((await bench.call('grep', args)).data as SearchResult).matches.map(({ path, line }) => `${path}:${line}`);

describe('glob', () => {
  test('SRCH-06: dot folders and ignored ones are found when named; otherwise it is said that they were left out', async () => {
    shell("mkdir -p .github/workflows dist; echo y > .github/workflows/ci.yml; echo j > dist/b.js; printf 'dist/\\n' > .gitignore");
    expect(await found('.github/workflows/*.yml')).toEqual(['.github/workflows/ci.yml']);
    expect(await found('dist/*.js')).toEqual(['dist/b.js']);
    expect(await found('*.js', 'dist')).toEqual(['dist/b.js']);
    expect(await bench.text('glob', { pattern: '**/*.yml' })).toMatch(/Left out: 1 hidden \(\.github\/\)/);
    expect(await bench.text('glob', { pattern: '**/*.js' })).toMatch(/1 ignored by git \(dist\/\)/);
    expect(await found('**/.github/**')).toEqual(['.github/workflows/ci.yml']);
    expect(await found('.git*')).toEqual(['.gitignore']);
    expect(await found('dist/')).toEqual(['dist/b.js']);
  });

  test('SRCH-09: a flood is bounded, counted, in the same order each time, in whole paths', async () => {
    shell("mkdir many; cd many && seq 1 20000 | sed 's/^/f/;s/$/.txt/' | xargs touch");
    const first = await bench.text('glob', { pattern: 'many/*.txt' });
    expect(await bench.text('glob', { pattern: 'many/*.txt' })).toBe(first);
    expect(first.length).toBeLessThan(40_000);
    expect(first).toContain('20000');
    const paths = first.split('\n').slice(0, -1);
    expect(paths).toHaveLength(1_000);
    for (const path of paths) expect(path).toMatch(/^many\/f\d+\.txt$/);
  });

  test('SRCH-10: strange names are told apart and can be given back as listed', async () => {
    shell("touch -- '-rf' 'a b.txt' $'new\\nline.txt' $'tab\\t.txt' '*star.txt' '~tilde.txt' '文件.txt' \"q'uote.txt\"");
    const text = await bench.text('glob', { pattern: '*' });
    const names = await found('*');
    expect(names).toHaveLength(8);
    const lines = text.split('\n').slice(0, -1);
    expect(lines).toHaveLength(8);
    for (const name of [...names, ...lines]) expect([name, (await bench.call('read_file', { path: name })).status]).toEqual([name, 'success']);
  });

  test('SRCH-12: an absolute pattern inside works; a backslash is explained', async () => {
    bench.put('d/a.md', 'x');
    expect(await found(`${bench.root}/d/*.md`)).toEqual(['d/a.md']);
    expect(await bench.text('glob', { pattern: 'd\\\\*.md' })).toMatch(/separated by "\/"/);
  });

  test('SRCH-05, SBOX-01: nothing is listed or searched outside', async () => {
    shell('mkdir x ../outs ../work-evil; echo TOPSECRET > ../outs/k.txt; echo TOPSECRET > ../work-evil/s.txt; ln -s ../outs inner; ln -s ../outs/k.txt l.txt');
    for (const args of [{ pattern: 'inner/*' }, { pattern: '../work-evil/*' }, { pattern: '*', path: 'inner' }, { pattern: `${bench.base}/outs/*` }, { pattern: 'x/../../outs/*' }]) {
      expect((await bench.failure('glob', args)).code).toBe('path_outside_workspace');
    }
    expect((await bench.failure('glob', { pattern: '*/../../outs/*' })).code).toBe('invalid_pattern');
    expect((await bench.failure('glob', { pattern: '{..,x}/outs/*' })).code).toBe('invalid_pattern');
    expect(await found('**/*.txt')).toEqual(['l.txt']);
    expect(await bench.text('grep', { pattern: 'TOPSECRET' })).toBe('[No match in 0 files. Left out: 2 links, not followed (inner, l.txt); name the folder or file to search it.]');
    expect((await bench.failure('grep', { pattern: 'TOPSECRET', path: 'inner' })).code).toBe('path_outside_workspace');
    expect((await bench.failure('list_dir', { path: 'inner' })).code).toBe('path_outside_workspace');
  });

  test('links inside are listed, not followed; circles do no harm', async () => {
    shell('mkdir -p a/b; echo x > a/b/f.txt; ln -s .. a/b/up; ln -s a alias');
    expect(await found('**/*.txt')).toEqual(['a/b/f.txt']);
    expect(await found('alias/**/*.txt')).toEqual(['alias/b/f.txt']);
  });

  test('a large name space of braces is refused, an empty pattern too', async () => {
    expect((await bench.failure('glob', { pattern: '{a,b}'.repeat(20) })).code).toBe('invalid_pattern');
    expect((await bench.failure('glob', { pattern: '' })).code).toBe('invalid_arguments');
  });

  test('gitignore as git understands it', async () => {
    shell('git init -q .');
    bench.put('.gitignore', '*.log\n!keep.log\n/build\nsub/**/tmp\n\\#odd\ntrail\\ \n# comment\nfoo[0-9].txt\n');
    bench.put('sub/.gitignore', '!x.log\nlocal\n');
    for (const path of ['a.log', 'keep.log', 'build/x', 'sub/build/y', 'sub/p/q/tmp/z', 'sub/tmp/z', '#odd', 'trail ', 'foo1.txt', 'foox.txt', 'sub/x.log', 'sub/local/l', 'local/l', 'sub/deep/a.log']) bench.put(path, '');
    const expected = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: bench.root, encoding: 'utf8' }).split('\0').filter((path) => path !== '' && !/(^|\/)\./.test(path));
    expect((await found('**')).sort()).toEqual(expected.sort());
  });
});

describe('grep', () => {
  test('SRCH-02: a pattern is never an option or a program', async () => {
    shell("printf '#!/bin/sh\\ntouch PWNED\\ncat \"$1\"\\n' > p.sh; chmod +x p.sh; printf 'x --pre=./p.sh y\\n-world\\n->\\n' > t.txt");
    for (const searcher of ['builtin', 'ripgrep'] as const) {
      bench.close();
      bench = await ToolBench.open({ tools: [Glob, Grep], services: [runner, Object.assign(new FsOptions(), { searcher })] });
      shell("printf '#!/bin/sh\\ntouch PWNED\\ncat \"$1\"\\n' > p.sh; chmod +x p.sh; printf 'x --pre=./p.sh y\\n-world\\n->\\n' > t.txt");
      expect(await hits({ pattern: '--pre=./p.sh' })).toEqual(['t.txt:1']);
      expect(await hits({ pattern: '-world' })).toEqual(['t.txt:2']);
      expect(await hits({ pattern: '->' })).toEqual(['t.txt:3']);
      expect(await found('--help')).toEqual([]);
      expect(await found('*')).not.toContain('PWNED');
    }
  });

  test('lines, context, counts, case, filters', async () => {
    bench.put('a.txt', 'one\ntwo\nthree\nfour\nfive\nTWO\n');
    bench.put('src/b.ts', 'two\r\nzwei\r\n');
    bench.put('src/c.js', 'two');
    expect(await hits({ pattern: 'two' })).toEqual(['a.txt:2', 'src/b.ts:1', 'src/c.js:1']);
    expect(await hits({ pattern: 'two$', path: 'src' })).toEqual(['src/b.ts:1', 'src/c.js:1']);
    expect(await hits({ pattern: 'TWO', ignore_case: true, path: 'a.txt' })).toEqual(['a.txt:2', 'a.txt:6']);
    expect(await hits({ pattern: 'two', include: '*.ts' })).toEqual(['src/b.ts:1']);
    expect(await hits({ pattern: 'two', exclude: 'src' })).toEqual(['a.txt:2']);
    expect(await hits({ pattern: 'two', include: 'src/*.js' })).toEqual(['src/c.js:1']);
    expect(await bench.text('grep', { pattern: 'three', context: 1 })).toBe('a.txt-2-two\na.txt:3:three\na.txt-4-four\n[1 match in 1 file.]');
    expect(await bench.text('grep', { pattern: 'o', limit: 2, path: 'a.txt' })).toMatch(/^a\.txt:1:one\na\.txt:2:two\n\[2 of 3 matches in 1 file shown/);
    expect(await hits({ pattern: 'zwei\\r?\\n?$', multiline: true })).toEqual(['src/b.ts:2']);
    expect(await hits({ pattern: 'three\\nfour' })).toEqual(['a.txt:3']);
    expect(await bench.text('grep', { pattern: 'nowhere' })).toBe('[No match in 3 files.]');
    expect(await bench.text('grep', { pattern: 'nowhere', path: 'a.txt' })).toBe('[No match in 1 file.]');
  });

  test('contexts that touch are shown once, and those apart are separated', async () => {
    bench.put('f', 'a\nX\nb\nX\nc\nd\ne\nf\nX\n');
    expect(await bench.text('grep', { pattern: 'X', context: 1 })).toBe('f-1-a\nf:2:X\nf-3-b\nf:4:X\nf-5-c\n--\nf-8-f\nf:9:X\n[3 matches in 1 file.]');
  });

  test('hidden and ignored files are searched when named, else mentioned', async () => {
    bench.put('.set', 'KEY=1');
    bench.put('dist/x.js', 'KEY');
    bench.put('.gitignore', 'dist\n');
    expect(await bench.text('grep', { pattern: 'KEY' })).toMatch(/Left out: 2 hidden \(\.gitignore, \.set\), 1 ignored by git \(dist\/\)/);
    expect(await hits({ pattern: 'KEY', path: '.set' })).toEqual(['.set:1']);
    expect(await hits({ pattern: 'KEY', path: 'dist' })).toEqual(['dist/x.js:1']);
    expect(await hits({ pattern: 'KEY', include: '.set*' })).toEqual(['.set:1']);
  });

  test('files that usually hold secrets are searched only by their own path, whatever names lead to them', async () => {
    shell('echo KEY=1 > .env; echo KEY=2 > .env.example; echo KEY > a.txt; mkdir certs .ssh; echo KEY > certs/server.pem; echo KEY > .ssh/config; ln .env notes.txt; ln -s . here');
    expect(await bench.text('grep', { pattern: 'KEY' })).toBe(
      'a.txt:1:KEY\n[1 match in 1 file. Left out: 2 hidden (.env.example, .ssh/), 1 link, not followed (here); name the folder or file to search it. 3 files that usually hold secrets were left out (.env, certs/server.pem, notes.txt); ask for one by its path.]',
    );
    for (const args of [{ include: '.env*' }, { path: 'here', include: '.env*' }]) expect((await bench.call('grep', { pattern: 'KEY', ...args })).data).toMatchObject({ total: 1, leftOut: { secretCount: 1 } });
    expect(await hits({ pattern: 'KEY', include: '*.txt' })).toEqual(['a.txt:1']);
    for (const path of ['.env', 'notes.txt', 'certs/server.pem']) expect(await hits({ pattern: 'KEY', path })).toEqual([`${path}:1`]);
    expect(await hits({ pattern: 'KEY', path: '.ssh' })).toEqual(['.ssh/config:1']);
    expect(await found('**/*.pem')).toEqual(['certs/server.pem']);
  });

  test('a rule of the user opens them to searches', async () => {
    bench.close();
    bench = await open({ workspace: { openSecrets: ['certs/**'] } });
    shell('mkdir certs; echo KEY > certs/server.pem; echo KEY > other.pem');
    expect(await hits({ pattern: 'KEY' })).toEqual(['certs/server.pem:1']);
  });

  test('a hard link of a denied file is left out as that file is', async () => {
    bench.close();
    bench = await open({ workspace: { deny: ['private/**'] } });
    shell('mkdir private; echo KEY > private/key; ln private/key notes.txt; echo KEY > a.txt');
    expect(await hits({ pattern: 'KEY' })).toEqual(['a.txt:1']);
    expect((await bench.failure('grep', { pattern: 'KEY', path: 'notes.txt' })).code).toBe('path_denied');
  });

  test('SBOX-14: denied files are left out of every result', async () => {
    bench.close();
    bench = await open({ workspace: { deny: ['private.key', '**/.env*'] } });
    shell('echo SECRET > private.key; ln -s private.key notes.txt; mkdir s; ln -s .. s/up; echo SECRET > .env');
    for (const path of ['private.key', 'notes.txt', 's/up/private.key', './s/../private.key', '.env']) expect([path, (await bench.failure('read_file', { path })).code]).toEqual([path, 'path_denied']);
    for (const args of [{ pattern: 'SECRET' }, { pattern: 'SECRET', path: 's' }, { pattern: 'SECRET', include: '.env' }]) expect((await bench.call('grep', args)).data).toMatchObject({ total: 0 });
    expect((await bench.failure('grep', { pattern: 'SECRET', path: 'private.key' })).code).toBe('path_denied');
    expect(await found('*')).toEqual(['notes.txt']);
  });

  test('a byte order mark is no part of the first line', async () => {
    bench.put('b.txt', '\ufeffalpha\n\ufeffbeta\n');
    expect(await bench.text('grep', { pattern: '^alpha$' })).toBe('b.txt:1:alpha\n[1 match in 1 file.]');
    expect(await hits({ pattern: '^\\x{feff}' })).toEqual(['b.txt:2']);
  });

  test('UTF-16 files are searched, binary ones only mentioned', async () => {
    bench.put('u.txt', Buffer.from('\ufeffhello 中文', 'utf16le'));
    bench.put('b.bin', Buffer.from('hello\0\x01\x02'));
    expect(await hits({ pattern: '中文' })).toEqual(['u.txt:1']);
    expect(await bench.text('grep', { pattern: 'hello' })).toMatch(/1 binary file matches, not shown/);
  });

  test('a long line is cut around the match', async () => {
    bench.put('long.txt', `${'x'.repeat(50_000)}NEEDLE${'y'.repeat(50_000)}`);
    const text = await bench.text('grep', { pattern: 'NEEDLE' });
    expect(text).toContain('NEEDLE');
    expect(text.length).toBeLessThan(600);
  });
});

describe('list_dir', () => {
  test('entries in order, depth, links, ignored folders not entered', async () => {
    shell("mkdir -p a/b/c dist .git; touch a/f a/b/g dist/x; ln -s a/f link; printf 'dist\\n' > .gitignore; mkfifo p");
    expect(await bench.text('list_dir', {})).toBe('.git/\n.gitignore\na/\ndist/\nlink@\np|\n[6 entries.]');
    const deep = await bench.text('list_dir', { depth: 3 });
    expect(deep).toContain('a/b/c/');
    expect(deep).not.toContain('dist/x');
    expect(deep).toMatch(/Not entered.*\.git, dist/);
    expect(await bench.text('list_dir', { path: 'dist' })).toMatch(/^x\n/);
    expect((await bench.failure('list_dir', { path: 'a/f' })).code).toBe('not_a_directory');
    expect((await bench.failure('list_dir', { path: 'none' })).code).toBe('not_found');
  });
});

test('SRCH-11: a root reached through a link', async () => {
  shell('ln -s work ../W_link; echo x > a.txt');
  const linked = await ToolBench.open({ tools: [Glob, ReadFile] });
  linked.close();
  const { Workspace } = await import('@haft/core');
  const workspace = await Workspace.open({ root: `${bench.base}/W_link` });
  for (const path of ['a.txt', `${bench.base}/W_link/a.txt`, `${bench.root}/a.txt`]) expect((await workspace.readFile(path)).toString()).toBe('x\n');
  const { findFiles } = await import('./glob/find-files.js');
  expect((await findFiles(workspace, '*.txt', '.')).paths).toEqual(['a.txt']);
  workspace.close();
});
