// What a command line is proven to run, and what is left unproven.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createAccessResolver } from '../access-resolver.js';
import { createPolicy } from '../permission-policy.js';
import { parseCommand } from './parse-command.js';
import { fakeTool } from '../../testing/fake-tool.js';

function corpus(name: string): { command: string; runs_hidden?: boolean }[] {
  const text = readFileSync(new URL(`./testdata/${name}.jsonl`, import.meta.url), 'utf8');
  return text.trimEnd().split('\n').map((line) => JSON.parse(line) as { command: string; runs_hidden?: boolean });
}

const words = (command: string): string[][] | undefined => {
  const analysis = parseCommand(command);
  return analysis.certain ? analysis.parts.map((part) => part.words) : undefined;
};

const unproven = (command: string): boolean => {
  const analysis = parseCommand(command);
  return analysis.certain && analysis.parts.some((part) => !part.proven && part.reason !== undefined);
};

describe('words', () => {
  test.each<[string, string[][]]>([
    ['git status', [['git', 'status']]],
    ['  ls\t-l  ', [['ls', '-l']]],
    ["echo 'a b' \"c d\" e\\ f", [['echo', 'a b', 'c d', 'e f']]],
    ["echo 'It'\\''s'", [['echo', "It's"]]],
    ["echo '' \"\"", [['echo', '', '']]],
    ['echo "a\\"b\\\\c\\d\\$e"', [['echo', 'a"b\\c\\d$e']]],
    ["echo '$(x)' '`y`' '*'", [['echo', '$(x)', '`y`', '*']]],
    ['a && b || c; d | e', [['a'], ['b'], ['c'], ['d'], ['e']]],
    ['a\nb\n\nc\n', [['a'], ['b'], ['c']]],
    ['a &&\n b', [['a'], ['b']]],
    ['ls 2>&1 | head -5', [['ls'], ['head', '-5']]],
    ['ls >/dev/null 2>&1', [['ls']]],
    ['ls&>/dev/null', [['ls']]],
    ['ls 2> /dev/null;', [['ls']]],
    ['cat </dev/null', [['cat']]],
    ['2>/dev/null ls a2', [['ls', 'a2']]],
    ['ls 2 >/dev/null', [['ls', '2']]],
    ['ls "2">/dev/null', [['ls', '2']]],
    ['git diff HEAD~1', [['git', 'diff', 'HEAD~1']]],
    ['[ ! -e x ]', [['[', '!', '-e', 'x', ']']]],
    ['echo 你好 é', [['echo', '你好', 'é']]],
    ['\\rm x', [['rm', 'x']]],
  ])('%j', (command, expected) => {
    expect(words(command)).toEqual(expected);
  });

  test.each([
    '', ' ', '\n', '#', 'ls #x', 'ls &', '& ls', '; ls', 'ls ;; ls', 'ls |', 'ls &&', 'ls && && ls', 'ls || ; ls', '>/dev/null', '>/dev/null; ls', '>/dev/null\nls',
    'echo $x', 'echo "$x"', 'echo `x`', 'echo "`x`"', 'echo $(x)', "echo $'x'", 'echo $"x"', 'echo *.ts', 'echo a?', 'echo [a]', 'echo {a,b}', 'echo ~', 'echo a=~', 'echo a:~b',
    '(ls)', '{ ls; }', 'ls > out', 'ls >> out', 'ls < in', 'cat <<E\nE', 'cat <<<x', 'ls >| x', 'ls <> x', 'ls 3>&1', 'ls >&3', 'ls 2>&-', 'ls >/dev/nullx', 'ls >/dev/null"x"', 'ls >& /dev/null',
    "echo 'a", 'echo "a', 'echo a\\', 'echo a\\\nb', 'echo "a\\\nb"', 'ls\r', "ls 'a\r'", "echo '\u202e'", "echo '\u200b'", 'ls\u00a0-l', "echo '\ud800'", 'ls\0', "ls '\0'", '! ls', 'a;b&', 'ls |& cat',
    'echo 你|cat', 'echo 你\\;', 'echo "你\\";x;\\""',
  ])('%j is not certain', (command) => {
    expect(parseCommand(command)).toMatchObject({ certain: false, reason: expect.any(String) });
  });

  test('limits make a command uncertain, never certain', () => {
    expect(parseCommand(`${'true;'.repeat(60)} ls`)).toMatchObject({ certain: false, reason: 'it has more than 50 commands' });
    expect(parseCommand(`echo ${'a'.repeat(20_000)}`).certain).toBe(false);
  });

  test('any text is read without an exception, in time that follows its length', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => typeof parseCommand(text).certain === 'boolean'), { numRuns: 1000 });
    for (const part of ['"', "'", '\\', '>', '2>&1 ', 'a ', ' ', '\n', '\\a']) parseCommand(part.repeat(16_000 / part.length));
  });
});

describe('programs', () => {
  test.each([
    'env ls', 'xargs ls', '/usr/bin/env ls', 'sh x', 'bash -c ls', 'python3 x.py', 'python3.11 x.py', 'nice ls', 'timeout 5 ls', 'sudo ls', 'ssh host ls', 'npx x', 'docker run x',
    'find . -exec ls +', 'find . -okdir ls +', 'git -c a=b status', 'git --no-pager log', 'git foo', 'git grep -Ols x', 'git fetch --upload-pack=x .', "git fetch 'ext::x'", 'git rebase -x ls', 'git merge -s x y', 'git pull --strategy=x', 'git init --tem=x', 'git fetch abc://x', 'npm exe x', 'npm foo', 'npm run x --script-sh=y', 'pnpm foo', 'yarn foo', 'cargo foo', 'go build -ldflags=-extld=x', 'go test -exec x ./...', 'bash-5.2 x', 'systemd-inhibit ls', 'rename x y', 'mocha x.js', 'convert x y',
    'sed s/a/b/e x', 'awk 1 x', 'tar cIf x y z', 'tar -cf x --to-command=y', 'tar -xf host:x', 'make --eval=x', 'make X=y', 'sort --compress-program=x y', 'rg --pre x y', 'fd -x ls',
    'eval ls', 'exec ls', 'set -- ls', 'set -k', 'set -o x', 'source x', '. x', 'command ls', 'export A=b', 'printf -v x y', 'test -v x', "[ 'a[0]' -eq 0 ]", 'trap ls EXIT', 'time ls', 'if', "'ls'", '"ls" -l', 'l\\s', '%1', '-x', "''", 'A=b', 'if=x',
  ])('%j is not proven', (command) => {
    expect(unproven(command)).toBe(true);
  });
});

describe('sed', () => {
  const safe = ["-n '10,20p' f", '-n 5p f', "-n '$p' f", "'s/a/b/' f", "-E 's|(a)/x|\\1|g' f g", "-i 's/a/b/gI' f", "'/^$/d' f", "-n '/a\\/b/,/c/p' f", '1d f', "'1,5s/a//' f", "'$!d' f", "'s/[a-z]*$/e/' f"];
  const unsafe = ["'1e x' f", "'s/a/b/e' f", "'s/a/b/ge' f", "'s/a/b/w f' f", "'w f' f", "'r f' f", "'p;e' f", "'s/a/b/;e' f", "'{e}' f", "-f f", "-n '1e x' f", "'s/a/b/' f -e 1e", "'s/a/b/' f --expression=1e", "-e 1e f", "--expression=1e f", "'s/a/b/\ne x' f", "'s/a\ne x' f", "'y/a/b/' f", "'/a/e x' f", "'s/a/b/m;e' f", '-i.bak 1d f', '-n', ''];

  test.each(safe)('sed %s is proven', (args) => expect(parseCommand(`sed ${args}`)).toMatchObject({ certain: true, parts: [{ proven: true }] }));
  test.each(unsafe)('sed %s is not', (args) => expect(unproven(`sed ${args}`)).toBe(true));
});

describe('corpora', () => {
  const resolver = createAccessResolver({ resolve: () => Promise.reject(new Error('no path is resolved here')) });
  const bash = fakeTool({ name: 'bash', scopes: ['dangerous'] });

  /** Every program that the command shows may run with any arguments; only the hidden one has no rule. */
  async function autoAllowed(command: string): Promise<boolean> {
    const accesses = await resolver.resolve({ kind: 'command', mode: 'write', value: command });
    const programs = accesses.map((access) => access.argv?.[0] ?? access.words?.[0] ?? '').filter((name) => /^[\w./:[-]+$/.test(name) && name !== 'FLAGCMD');
    const policy = createPolicy({ rules: [{ source: { kind: 'user', where: 'test' }, allow: programs.map((name) => `bash(${name} *)`) }] });
    return policy.decide({ tool: bash, accesses, sessionId: 's' }).verdict === 'allow';
  }

  test('no command of the corpus that runs a hidden program is allowed by rules on the programs it shows', async () => {
    const hidden = corpus('hidden-commands').filter((entry) => entry.runs_hidden);
    expect(hidden.length).toBeGreaterThanOrEqual(300);
    const allowed: string[] = [];
    for (const { command } of hidden) if (await autoAllowed(command.replaceAll('HIDDEN', 'FLAGCMD'))) allowed.push(command);
    expect(allowed).toEqual([]);
  });

  test('at least nine of ten everyday commands are proven, and allowed by such rules', async () => {
    const benign = corpus('benign-commands');
    expect(benign.length).toBeGreaterThanOrEqual(100);
    const asked: string[] = [];
    for (const { command } of benign) if (!(await autoAllowed(command))) asked.push(command);
    expect(asked.length).toBeLessThanOrEqual(benign.length / 10);
  });
});
