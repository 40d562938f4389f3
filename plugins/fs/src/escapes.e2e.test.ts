// Attempts to leave the workspace: every form with every tool, on what exists outside and on what does not. A tree of canaries outside must stay as it is.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolBench } from '@haft/core/testing';
import { ProcessRunner } from '@haft/process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ChangeHistory, EditFile, FsOptions, Glob, Grep, ListDir, ReadFile, WriteFile } from './index.js';

const secret = 'CANARY-7f3a';
const runner = new ProcessRunner();
let bench: ToolBench;

beforeAll(async () => {
  bench = await ToolBench.open({ tools: [ReadFile, WriteFile, EditFile, Glob, Grep, ListDir], services: [runner, new ChangeHistory(), new FsOptions()] });
  plant(join(bench.base, 'out'));
  plant(join(bench.base, 'work-evil'));
  mkdirSync(join(bench.root, 'in/deep'), { recursive: true });
  writeFileSync(join(bench.root, 'in/f.txt'), 'inside\n');
  const link = (target: string, name: string) => symlinkSync(target, join(bench.root, name));
  link('../out', 'rel');
  link(join(bench.base, 'out'), 'abs');
  link('rel', 'hop1');
  link('hop1', 'hop2');
  link('../out/f.txt', 'leaf');
  link('../out/none.txt', 'dead');
  link('../none', 'deaddir');
  link('in/../../out', 'dotted');
  link('../../../out', 'in/deep/up');
  link('/', 'slash');
  link('/proc/self/cwd/../out', 'proc');
  link('/proc/self/root', 'procroot');
  link('../work/../out', 'around');
  link('.', 'self');
  link('../out/', 'trailing');
});

afterAll(async () => {
  bench.close();
  await runner.dispose();
});

function plant(folder: string): void {
  mkdirSync(join(folder, 'sub'), { recursive: true });
  writeFileSync(join(folder, 'f.txt'), `${secret}\n`);
  writeFileSync(join(folder, 'sub/f.txt'), `${secret}\n`, { mode: 0o644 });
}

/** Everything outside, with kinds, modes, targets and contents. */
function snapshot(): string {
  const hash = createHash('sha256');
  const visit = (folder: string, name: string) => {
    const path = join(folder, name);
    const stats = lstatSync(path);
    hash.update(`${path}\0${stats.mode}\0${stats.nlink}\0`);
    if (stats.isDirectory()) for (const child of readdirSync(path).sort()) visit(path, child);
    else hash.update(stats.isSymbolicLink() ? readlinkSync(path) : readFileSync(path));
  };
  for (const name of readdirSync(bench.base).sort()) if (name !== 'work') visit(bench.base, name);
  return hash.update(readdirSync(bench.base).sort().join('\0')).digest('hex');
}

/** Ways to name the folder `out` from inside, the part before `/f.txt`. */
function folders(): string[] {
  const { base } = bench;
  return [
    '../out', './../out', 'in/../../out', 'in/deep/../../../out', '../work/../out', `${base}/out`, `${base}/./out`, `${base}//out`, `/${base}/out`, `${base}/work/../out`,
    '../work-evil', `${base}/work-evil`, '../work/../work-evil', 'rel', 'abs', 'hop1', 'hop2', 'dotted', 'in/deep/up', 'around', 'trailing', 'self/rel', 'self/self/../../out',
    'self/../out', 'rel/../out', 'abs/../work-evil', 'slash' + base + '/out', `slash/..${base}/out`, `procroot${base}/out`, 'proc', '/proc/self/cwd/../out', `/proc/self/root${base}/out`,
    `/proc/${process.pid}/cwd/../out`, `/proc/thread-self/root${base}/out`, '/dev/fd/../../out', `in/../rel`, 'in/deep/../../rel', './rel', 'rel/.', 'rel/./.', 'rel//', 'in//..//..//out', '../out/sub/..',
    'rel/sub', 'rel/sub/..', '../../' + base.split('/').at(-1) + '/out', '.././out', '..//out', '../out/.', 'in/./.././../out', 'self/in/../../out', `${base}/out/../out`, `${base}/work/rel`, `${base}/work/in/../../out`,
 '../out/../out', 'deaddir', 'deaddir/x', 'hop2/sub', `..${'/../'.repeat(30)}${base.slice(1)}/out`, `../${'work/../'.repeat(20)}out`, 'in/deep/up/sub', 'in/deep/up/../out', '/proc/self/fd/../cwd/../out',
    'self/hop2', 'self/abs', 'in/../self/hop1', 'abs/./sub/..', 'hop1/../work-evil', 'around/../out', 'dotted/../../work/../out', 'trailing/sub/..',
  ];
}

interface Attempt {
  tool: string;
  args: Record<string, unknown>;
}

function attempts(): Attempt[] {
  const all = folders().flatMap((folder) =>
    ['f.txt', 'new.txt', 'new/dir/f.txt'].flatMap((name) => {
      const path = `${folder}/${name}`;
      return [
        { tool: 'read_file', args: { path: name === 'f.txt' ? JSON.stringify(path) : path } },
        { tool: 'read_file', args: { path } },
        { tool: 'write_file', args: { path, content: 'PWNED' } },
        { tool: 'edit_file', args: { path, old_text: 'CANARY', new_text: 'PWNED' } },
        { tool: 'grep', args: { pattern: 'CANARY', path: name === 'f.txt' ? path : folder } },
        { tool: 'glob', args: { pattern: name === 'f.txt' ? `${folder}/*` : '**', ...(name !== 'f.txt' && { path: folder }) } },
        { tool: 'list_dir', args: { path: folder, depth: 3 } },
      ];
    }),
  );
  return [...new Map(all.map((attempt) => [JSON.stringify(attempt), attempt])).values()];
}

test('SBOX-01, SBOX-03, SBOX-04, SBOX-08: at least 960 attempts are refused, and nothing outside is shown, made or changed', async () => {
  writeFileSync(join(bench.base, 'out/hard.txt'), `${secret}\n`);
  linkSync(join(bench.base, 'out/hard.txt'), join(bench.base, 'out/hard2.txt'));
  const before = snapshot();
  const all = attempts();
  const wrong: string[] = [];
  for (const { tool, args } of all) {
    const result = await bench.call(tool, args);
    if (result.success) wrong.push(`${tool} ${JSON.stringify(args)}: ${result.status}`);
    const said = JSON.stringify([result.content, result.data, result.error]);
    if (said.includes(secret)) wrong.push(`${tool} ${JSON.stringify(args)} showed the canary`);
  }
  expect(wrong).toEqual([]);
  expect(all.length).toBeGreaterThanOrEqual(960);
  expect(snapshot()).toBe(before);
});

test('SBOX-08: the process\'s own files are refused at once', async () => {
  for (const path of ['/proc/self/root/etc/passwd', '/proc/self/environ', '/dev/fd/0', '/proc/self/cwd/../../../etc/passwd', '/dev/stdin', '/dev/zero', '/dev/tcp/127.0.0.1/1']) {
    expect((await bench.failure('read_file', { path })).code).toMatch(/path_outside_workspace|permission_denied/);
  }
});

test('SBOX-01: a refusal does not tell whether there is something', async () => {
  const there = await bench.failure('read_file', { path: '../out/f.txt' });
  const notThere = await bench.failure('read_file', { path: '../out/zzzzz' });
  expect(notThere.text.replace('zzzzz', 'f.txt')).toBe(there.text);
  const linkThere = await bench.failure('read_file', { path: 'leaf' });
  const linkNotThere = await bench.failure('read_file', { path: 'dead' });
  expect(linkNotThere.text.replace('dead', 'leaf')).toBe(linkThere.text);
});

test('the system is never asked about anything outside', () => {
  // Every system call on a path goes through a descriptor of the workspace; strace, where it is installed, would show others.
  const script = `
    import { Workspace } from '@haft/core';
    const workspace = await Workspace.open({ root: process.argv[1] });
    process.stderr.write('BEGIN\\n');
    for (const path of process.argv.slice(2)) await workspace.readFile(path).catch(() => undefined);
    for (const path of process.argv.slice(2)) await workspace.write(path, [Buffer.from('x')]).catch(() => undefined);
    process.stderr.write('END\\n');
  `;
  const hasStrace = execFileSync('sh', ['-c', 'command -v strace || true'], { encoding: 'utf8' }).trim();
  const node = [process.execPath, '--input-type=module', '-e', script, bench.root, ...folders().slice(0, 64).map((folder) => `${folder}/f.txt`)];
  const command = hasStrace === '' ? node : [hasStrace, '-f', '-s', '4096', '-e', 'trace=open,openat,stat,lstat,newfstatat,statx,readlink,readlinkat,access,mkdir,rename,unlink,link,write', ...node];
  const [program = '', ...args] = command;
  const log = execFileSync('sh', ['-c', '"$0" "$@" 2>&1', program, ...args], { encoding: 'utf8', cwd: import.meta.dirname, maxBuffer: 64 * 1024 * 1024 });
  const between = log.slice(log.indexOf('BEGIN'), log.lastIndexOf('END'));
  expect(between.length).toBeGreaterThan(4);
  const asked = between.split('\n').map((line) => /"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? '');
  const touched = asked.filter((path) => path.includes(bench.base) || path.includes('..'));
  expect(touched).toEqual([]);
});
