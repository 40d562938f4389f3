// A process that writes and edits is killed at random moments: each file is whole, old or new, what was reported is kept, nothing stays behind.
// HAFT_KILLS sets the number of kills; each meets eight files in the middle of their changes.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Workspace } from '@haft/core';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const kills = Number(process.env['HAFT_KILLS'] ?? 30);
let base: string;
let root: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'haft-crash-')));
  root = join(base, 'work');
  mkdirSync(root);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Files w0-w3 are written whole, e0-e3 edited; each holds its version, a filling, and a checksum of both. */
const writer = `
  import { createHash } from 'node:crypto';
  import { Workspace } from '@haft/core';
  import { ChangeHistory } from '@haft/plugin-fs';
  import { editText } from ${JSON.stringify(new URL('../build/edit/edit-text.js', import.meta.url).href)};
  const workspace = await Workspace.open({ root: process.argv[1], ...(process.argv[3] && { stagingDir: process.argv[3] }) });
  const history = new ChangeHistory();
  const context = { sessionId: 's', signal: new AbortController().signal };
  const sum = (text) => createHash('sha256').update(text).digest('hex');
  const content = (name, version) => { const body = name + ':' + version + ':' + 'x'.repeat((version * 7919) % 200_000); return body + '#' + sum(body); };
  const say = (name, version) => process.stdout.write(name + ' ' + version + '\\n');
  async function writes(name, from) {
    for (let version = from + 1; ; version++) { await workspace.write(name, [Buffer.from(content(name, version))]); say(name, version); }
  }
  async function edits(name, from) {
    for (let version = from + 1; ; version++) {
      const old = content(name, version - 1), next = content(name, version);
      await editText(workspace, history, { path: name, edits: [{ old_text: old, new_text: next, replace_all: false }] }, context);
      say(name, version);
    }
  }
  const start = JSON.parse(process.argv[2]);
  process.stdout.write('ready\\n');
  await Promise.all(Object.entries(start).map(([name, version]) => (name.startsWith('w') ? writes : edits)(name, version)));
`;

const names = ['w0', 'w1', 'w2', 'w3', 'e0', 'e1', 'e2', 'e3'];
const body = (name: string, version: number) => `${name}:${version}:${'x'.repeat((version * 7_919) % 200_000)}`;
const whole = (text: string) => `${text}#${createHash('sha256').update(text).digest('hex')}`;

function versionOf(name: string): number {
  const text = readFileSync(join(root, name), 'utf8');
  const version = Number(text.split(':')[1]);
  return text === whole(body(name, version)) ? version : Number.NaN;
}

/** Runs the writer for a moment; resolves with the last version that it reported of each file. */
async function runAndKill(start: Record<string, number>, afterMs: number, stagingDir: string): Promise<Map<string, number>> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', writer, root, JSON.stringify(start), stagingDir], { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    timer ??= setTimeout(() => child.kill('SIGKILL'), afterMs);
  });
  await new Promise((resolve) => child.once('close', resolve));
  const reported = new Map<string, number>();
  for (const line of output.slice(0, output.lastIndexOf('\n')).split('\n')) {
    const [name = '', version] = line.split(' ');
    if (version !== undefined) reported.set(name, Number(version));
  }
  return reported;
}

test.each([['beside the file', ''], ['in a staging folder', 'staging']])('EDIT-19: kill -9 in the middle of writes and edits, prepared %s', async (_name, folder) => {
  const stagingDir = folder && join(base, folder);
  for (const name of names) writeFileSync(join(root, name), whole(body(name, 0)));
  let versions = Object.fromEntries(names.map((name) => [name, 0]));
  const wrong: string[] = [];
  for (let round = 0; round < kills / 2; round++) {
    const reported = await runAndKill(versions, Math.random() * 60, stagingDir);
    const next = Object.fromEntries(names.map((name) => [name, versionOf(name)]));
    for (const name of names) {
      const least = reported.get(name) ?? versions[name] ?? 0;
      const now = next[name] ?? Number.NaN;
      if (now !== least && now !== least + 1) wrong.push(`round ${round}: ${name} is ${now}, reported ${least}`);
    }
    versions = next;
    // With a staging folder nothing is ever to be seen in the workspace but the files themselves.
    if (folder) expect(readdirSync(root).sort()).toEqual([...names].sort());
  }
  expect(wrong).toEqual([]);
  const workspace = await Workspace.open({ root });
  await workspace.write('after', [Buffer.from('x')]);
  workspace.close();
  expect(readdirSync(root).sort()).toEqual(['after', ...names].sort());
}, 900_000);

/** Runs one write in a child under a limit; gives what the child reported. */
function writeUnder(limit: string, size: number): string {
  const script = `
    import { Workspace } from '@haft/core';
    import { openSync } from 'node:fs';
    const workspace = await Workspace.open({ root: process.argv[1] });
    const held = []; if (process.argv[3] === 'files') try { for (;;) held.push(openSync('/dev/null')); } catch {}
    try { await workspace.write('big.txt', [Buffer.alloc(Number(process.argv[2]), 98)]); console.log('written'); } catch (error) { console.log(error.code); }
  `;
  const line = `${limit}; exec "$0" --input-type=module -e "$1" "$2" ${size} ${limit.includes('-n') ? 'files' : ''}`;
  return execFileSync('bash', ['-c', line, process.execPath, script, root], { cwd: import.meta.dirname, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

test.each([
  ['a limit on the size of files', 'ulimit -f 1000', 4 * 1024 * 1024],
  ['no more files may be opened', 'ulimit -n 200', 1_000],
])('EDIT-19: %s: a coded failure, the old content whole, nothing left', (_name, limit, size) => {
  writeFileSync(join(root, 'big.txt'), 'a'.repeat(200_000));
  expect(writeUnder(limit, size)).toMatch(/write_failed|execution_failed/);
  expect(readFileSync(join(root, 'big.txt'), 'utf8')).toBe('a'.repeat(200_000));
  expect(readdirSync(root)).toEqual(['big.txt']);
});

test('a read-only folder: a coded failure', async () => {
  mkdirSync(join(root, 'ro'));
  const workspace = await Workspace.open({ root, readOnly: ['ro'] });
  await expect(workspace.write('ro/x', [Buffer.from('x')])).rejects.toMatchObject({ code: 'path_denied' });
  await expect(workspace.write('ro', [Buffer.from('x')])).rejects.toMatchObject({ code: 'path_denied' });
  workspace.close();
});
