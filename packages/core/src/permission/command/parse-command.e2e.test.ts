// The command parser against real bash and real sed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseCommand } from './parse-command.js';

// HAFT_LONG=1 runs the long forms.
const fuzzed = process.env['HAFT_LONG'] === '1' ? 1_000_000 : 10_000;
const fixture = (name: string): string => fileURLToPath(new URL(`./testdata/${name}`, import.meta.url));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'haft-bash-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Run {
  /** What every command of the text exits with. */
  status: 0 | 1;
  text: string;
}

/** What real bash would run, each as its argument vector. */
async function recordArguments(runs: readonly Run[]): Promise<string[][][]> {
  const cwd = join(folder, 'fuzz');
  mkdirSync(cwd, { recursive: true });
  for (const name of ['a', 'b', 'ab', 'x1', 'q r', '-n', '2']) writeFileSync(join(cwd, name), '');
  const env = { LC_ALL: 'C.UTF-8', HOME: cwd, x: 'from-environment' };
  const child = spawn('/bin/bash', ['--noprofile', '--norc', fixture('record-arguments.sh')], {
    cwd,
    env,
    stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
  });
  const chunks: Buffer[] = [];
  child.stdio[3]?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stdin?.end(runs.map(({ status, text }) => `${status}\0${text}\0`).join(''));
  const ended = await new Promise((resolve, reject) => child.on('close', (code, signal) => resolve(signal ?? code)).on('error', reject));
  expect(ended).toBe(0);
  return readRecords(Buffer.concat(chunks).toString('utf8').split('\0'));
}

function readRecords(fields: readonly string[]): string[][][] {
  const all: string[][][] = [];
  let current: string[][] = [];
  for (let at = 0; at < fields.length - 1; ) {
    const field = fields[at++] ?? '';
    if (field === 'end') {
      all.push(current);
      current = [];
    } else {
      current.push(fields.slice(at, at + Number(field)).map((word) => word.replaceAll('\x01', '\n')));
      at += Number(field);
    }
  }
  return all;
}

/** Every command runs after `&&` when all succeed, and after `||` when all fail: the two runs together run all that was predicted. */
async function mispredictions(texts: readonly string[]): Promise<string[]> {
  const runs = texts.flatMap((text): Run[] => [{ status: 0, text }, { status: 1, text }]);
  const half = Math.ceil(runs.length / 4) * 2;
  const [first, second] = await Promise.all([recordArguments(runs.slice(0, half)), recordArguments(runs.slice(half))]);
  const recorded = [...first, ...second];
  expect(recorded.length).toBe(runs.length);
  return texts.filter((text, index) => {
    const analysis = parseCommand(text);
    const predicted = new Set(analysis.certain ? analysis.parts.map((part) => JSON.stringify(part.words)) : []);
    const ran = new Set([...(recorded[2 * index] ?? []), ...(recorded[2 * index + 1] ?? [])].map((argv) => JSON.stringify(argv)));
    return predicted.size !== ran.size || [...ran].some((argv) => !predicted.has(argv));
  });
}

const atoms = [
  'a', 'b', 'ls', 'x1', 'A', '0', '1', '2', '9', '-', '--', '-n', '.', '..', '/', '@', '%', '+', '^', '_', ',', ':', '=', '~', '!', '#', '*', '?', '[', ']', '{', '}', '$', '`', '"', "'", '\\',
  ' ', ' ', ' ', ' ', ' ', '  ', '\t', '\n', '\r', '\v', 'é', '你', '\u00a0', '\u3000', '\u200b', '\u202e', '\x01', '\x7f',
  '&&', '||', ';', '|', '&', '|&', ';;', '(', ')', ' && ', ' || ', ' ; ', ' | ', '\\\n', '&&\n', ';\n', '#x', ' #',
  '2>&1', '>&2', '1>&2', '>/dev/null', '2>/dev/null', ' > /dev/null', '>>/dev/null', '</dev/null', '&>/dev/null', '2>&', '>', '<', '<<', '<<<', '>&', '3>&1', '>|',
  "'q r'", '"q r"', "''", '""', "'$x'", '"$x"', '"\\$x"', '"\\a"', '"a\\\\"', '\\ ', '\\*', "\\'", '\\"', '\\;', '$x', '${x}', '$(a)', '`a`', "$'a'", '$"a"', '$((1))', '"!"', "'\n'", '"\n"', "'é'",
  'echo', 'test', '[ a ]', 'cd', 'pwd', 'printf', 'type', 'true', ':', 'if', 'then', 'fi', 'time', 'in', 'do', 'A=b', 'a=~', 'a:~', '~/a', 'HEAD~1', '{a,b}', '{1..2}', '*(a)', '!(a)', '+(a)',
];
const word = fc.constantFrom('a', 'b', 'ls', 'x1', 'git', 'echo', "'q r'", '"a b"', '-n', '--x=y', 'a/b', '2', "\\'", '\\*', "''", 'é', 'HEAD~1', '"\\$x"', 'a@b', '你好');
const joiner = fc.constantFrom(' ', '  ', ' ', ' ', '\t', ' && ', '||', '; ', ' | ', '\n', ' 2>&1 ', ' >/dev/null ', '&&\n');
const orderly = fc.array(fc.tuple(word, joiner), { minLength: 1, maxLength: 8 }).map((pairs) => pairs.flat().join(''));
const wild = fc.array(fc.constantFrom(...atoms), { minLength: 1, maxLength: 10 }).map((parts) => parts.join(''));
const mixed = fc.tuple(orderly, fc.constantFrom(...atoms), orderly).map((parts) => parts.join(''));

describe('against real bash', () => {
  test(`${fuzzed} commands that the recogniser accepts run exactly what it predicts`, async () => {
    const seed = Number(process.env['HAFT_SEED'] ?? Date.now() % 1_000_000);
    const wanted: string[] = [];
    for (let round = 0; wanted.length < fuzzed; round++) {
      const texts = fc.sample(fc.oneof(wild, mixed, orderly), { numRuns: 5000, seed: seed + round });
      wanted.push(...texts.filter((text) => parseCommand(text).certain && startsWithoutPath(text)).slice(0, fuzzed - wanted.length));
    }
    const wrong: string[] = [];
    for (let at = 0; at < wanted.length; at += 5000) wrong.push(...(await mispredictions(wanted.slice(at, at + 5000))));
    expect({ seed, wrong }).toEqual({ seed, wrong: [] });
  }, 3_600_000);

  test('everyday commands run exactly what is predicted', async () => {
    const texts = readFileSync(fixture('benign-commands.jsonl'), 'utf8').trimEnd().split('\n').map((line) => (JSON.parse(line) as { command: string }).command);
    const certain = texts.filter((text) => parseCommand(text).certain && startsWithoutPath(text));
    expect(certain.length).toBeGreaterThanOrEqual(0.9 * texts.length);
    expect(await mispredictions(certain)).toEqual([]);
  });

  test('what runs a hidden program in bash, here and now, has a part that no rule allows', async () => {
    const lines = readFileSync(fixture('hidden-commands.jsonl'), 'utf8').trimEnd().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as { command: string; portable?: boolean }).filter((entry) => entry.portable);
    const outcomes: { command: string; ran: boolean }[] = [];
    for (let at = 0; at < entries.length; at += 8) outcomes.push(...(await Promise.all(entries.slice(at, at + 8).map(({ command }) => runHidden(command)))));
    const ran = outcomes.filter((outcome) => outcome.ran);
    expect(ran.length).toBeGreaterThanOrEqual(300);
    expect(ran.filter(({ command }) => shows(command))).toEqual([]);
  }, 300_000);
});

test('sed scripts that are proven run no program and write no file in real sed', () => {
  const work = join(folder, 'sed');
  mkdirSync(join(work, 'bin'), { recursive: true });
  writeFileSync(join(work, 'bin', 'FLAGCMD'), `#!/bin/sh\n: >> '${join(work, 'flag')}'\n`, { mode: 0o755 });
  writeFileSync(join(work, 'in'), 'FLAGCMD\na/FLAGCMD\n[FLAGCMD]\n');
  const part = fc.array(fc.constantFrom('a', '.', '*', '[', ']', '/', '\\/', '|', '\\', '\\n', '\n', '&', '^', '$', 'e', 'w out', 'FLAGCMD', ';', '}', '\\(', '\\)', '\\1', '1'), { maxLength: 5 }).map((parts) => parts.join(''));
  const end = fc.constantFrom('', 'g', 'p', 'e', 'ge', 'w out', 'I', '2', 'M', ';e FLAGCMD', '\ne FLAGCMD');
  const script = fc.oneof(
    fc.tuple(fc.constantFrom('', '1', '$', '/a/', '1,2'), fc.constantFrom('/', '|', ','), part, part, end).map(([at, mark, from, to, flags]) => `${at}s${mark}${from}${mark}${to}${mark}${flags}`),
    fc.tuple(fc.constantFrom('/', ''), part, fc.constantFrom('/p', '/d', 'p', '/e FLAGCMD', '/w out')).map((parts) => parts.join('')),
  );
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  let run = 0;
  for (const text of fc.sample(script, 6000)) {
    const analysis = parseCommand(`sed ${quoted(text)} in`);
    if (!analysis.certain || !analysis.parts.every(({ proven }) => proven) || run >= 300) continue;
    run++;
    spawnSync('/bin/sed', [text, 'in'], { cwd: work, env: { PATH: `${join(work, 'bin')}:/usr/bin:/bin` }, stdio: 'ignore' });
    expect({ text, files: readdirSync(work).toSorted() }).toEqual({ text, files: ['bin', 'in'] });
  }
  expect(run).toBeGreaterThan(200);
}, 120_000);

/** A program with a slash in its name is not looked up, so the recorder would not see it; nor does it see assignments and options. */
function startsWithoutPath(text: string): boolean {
  const analysis = parseCommand(text);
  return analysis.certain && analysis.parts.every(({ words, proven, reason }) => !words[0]?.includes('/') && (proven || reason?.includes('can run any program') === true));
}

/** Whether the recogniser proves every part, and none is the hidden program itself. */
function shows(command: string): boolean {
  const analysis = parseCommand(command.replaceAll('HIDDEN', 'FLAGCMD'));
  return analysis.certain && analysis.parts.every(({ words, proven }) => proven && !/(^|\/)FLAGCMD$/.test(words[0] ?? ''));
}

let runNumber = 0;

async function runHidden(command: string): Promise<{ command: string; ran: boolean }> {
  const home = join(folder, `run${++runNumber}`);
  const work = join(home, 'work');
  const flag = join(home, 'flag');
  mkdirSync(join(home, 'bin'), { recursive: true });
  mkdirSync(work);
  writeFileSync(join(home, 'bin', 'FLAGCMD'), `#!/bin/sh\n: >> '${flag}'\n`, { mode: 0o755 });
  writeFileSync(join(work, 'README'), 'hello\n');
  writeFileSync(join(work, 'run.sh'), 'FLAGCMD\n');
  const env = { PATH: `${join(home, 'bin')}:/usr/local/bin:/usr/bin:/bin`, HOME: work, LC_ALL: 'C.UTF-8' };
  const child = spawn('/bin/bash', ['--noprofile', '--norc', '-c', command.replaceAll('HIDDEN', 'FLAGCMD')], { cwd: work, env, stdio: 'ignore', detached: true });
  const guard = setTimeout(() => killGroup(child.pid), 20_000);
  await new Promise<void>((resolve, reject) => child.on('exit', () => resolve()).on('error', reject));
  clearTimeout(guard);
  // A background child may still be at it; once it is gone the answer is final.
  for (let waited = 0; waited < 40 && !existsSync(flag); waited++) await new Promise((resolve) => setTimeout(resolve, 5));
  killGroup(child.pid);
  return { command, ran: existsSync(flag) };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone.
  }
}
