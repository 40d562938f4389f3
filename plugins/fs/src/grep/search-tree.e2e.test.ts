// ripgrep's sieve and the built-in engine must give one result; neither may be led outside or hang.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ToolBench } from '@haft/core/testing';
import { ProcessRunner } from '@haft/process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ripgrepPath } from './ripgrep.js';
import { type SearchRequest, type SearchResult, type Searcher, searchTree } from './search-tree.js';

const runner = new ProcessRunner();
let bench: ToolBench;
const request = (pattern: string, more: Partial<SearchRequest> = {}): SearchRequest => ({ pattern, path: '.', literal: false, ignoreCase: false, multiline: false, context: 0, limit: 1_000, ...more });
const search = (asked: SearchRequest, searcher: Searcher): Promise<SearchResult> => searchTree(bench.workspace, runner, asked, new AbortController().signal, searcher);

beforeAll(async () => {
  bench = await ToolBench.open({ tools: [] });
  const words = ['alpha', 'Beta', 'gamma_1', '中文', 'été', 'ÉTÉ', 'straße', '😀', 'cafe\u0301', 'a b', '\tx', 'foo(bar)', '--flag', '$1.00', 'kelvin \u212a', ''];
  for (let index = 0; index < 120; index++) {
    const lines = Array.from({ length: 1 + (index % 17) }, (_, line) => [words[(index * 7 + line * 3) % words.length], words[(index + line * 5) % words.length]].join(line % 3 ? ' ' : ''));
    bench.put(`d${index % 5}/s${index % 3}/f${index}.${index % 2 ? 'txt' : 'ts'}`, lines.join(index % 4 ? '\n' : '\r\n') + (index % 6 ? '\n' : ''));
  }
  bench.put('utf16.txt', Buffer.from('\ufeffalpha 中文\nBeta', 'utf16le'));
  bench.put('gbk.txt', Buffer.from('616c7068610ad6d0cec40a', 'hex'));
  bench.put('bin.dat', Buffer.from('alpha\0Beta\n'));
  bench.put('bad.txt', Buffer.from('616c706861ff0a42657461c3', 'hex'));
  bench.put('empty.txt', '');
  bench.put('.hidden/x.txt', 'alpha');
  bench.put('out/x.txt', 'alpha');
  bench.put('.gitignore', 'out\n*.skip\n');
  bench.put('d1/no.skip', 'alpha');
  bench.put('odd\nname.txt', 'alpha');
  bench.put('-e', 'alpha');
  bench.put(' lead.txt', 'alpha');
  bench.put('cr.txt', 'alpha\rBeta\r\nend\r');
  mkdirSync(join(bench.base, 'outside'));
  execFileSync('sh', ['-c', 'echo alpha > ../outside/s.txt; printf "\\377" > "$(printf "x\\377y")"'], { cwd: bench.root });
  symlinkSync('../outside', join(bench.root, 'link'));
});
afterAll(async () => {
  bench.close();
  await runner.dispose();
});

test('this platform has ripgrep', async () => {
  expect(await ripgrepPath()).toMatch(/rg/);
});

test.each<[string, Partial<SearchRequest>]>([
  ['alpha', {}], ['beta', { ignoreCase: true }], ['中文', {}], ['ÉTÉ', { ignoreCase: true }], ['^alpha', {}], ['Beta$', {}], ['^$', {}], ['\\bfoo\\b', {}], ['foo(bar)', { literal: true }],
  ['--flag', {}], ['-e', {}], ['$1.00', { literal: true }], ['.', {}], ['[^a-z\\s]+$', {}], ['\\w+\\s\\w+', {}], ['kelvin k', { ignoreCase: true }], ['STRASSE|STRAßE', { ignoreCase: true }],
  ['alpha\\nBeta', {}], ['(?s)alpha.*Beta', { multiline: true }], ['alpha[\\s\\S]*?中文', { multiline: true }], ['\\p{Han}{2}', {}], ['\\P{L}$', {}], ['a', { include: '*.ts' }], ['a', { include: 'd1/**', exclude: '*.txt' }],
  ['alpha', { path: 'd2' }], ['alpha', { path: 'out' }], ['x*', {}], ['\\B', {}], ['é|😀', {}], ['e\u0301', {}], ['$', {}], ['Beta\\r?$', {}],
  ['a$\\b', {}], ['$\\s', {}], ['a$\\W', {}], ['(?:(?:$)+([^a]|a)){2}', { multiline: true }], ['$\\r\\n^', { multiline: true }], ['\\r$', {}],
])('both ways find the same: %s', async (pattern, more) => {
  const builtin = await search(request(pattern, more), 'builtin');
  expect(await search(request(pattern, more), 'ripgrep')).toEqual(builtin);
  expect(JSON.stringify(builtin)).not.toContain('outside');
});

const atom = fc.constantFrom('a', 'Beta', '中', 'é', '.', '\\w', '\\b', '^', '$', '[^a]', '\\s', '😀', 'foo\\(', '\\d', '_', '-', '[[:upper:]]', '\\S');
const pattern = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    atom,
    fc.tuple(tie('node'), tie('node')).map((parts) => parts.join('')),
    fc.tuple(tie('node'), tie('node')).map(([left, right]) => `(${left}|${right})`),
    fc.tuple(tie('node'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}')).map(([part, count]) => `(?:${part})${count}`),
  ),
})).node;

test('both ways find the same for any pattern', async () => {
  await fc.assert(
    fc.asyncProperty(pattern, fc.boolean(), fc.boolean(), async (text, ignoreCase, multiline) => {
      const asked = request(text, { ignoreCase, multiline });
      expect(await search(asked, 'ripgrep')).toEqual(await search(asked, 'builtin'));
    }),
    { numRuns: 40 },
  );
});

test('hostile patterns on a long line end, and are not slow', async () => {
  bench.put('long/line.txt', `${'a'.repeat(100_000)}!`);
  for (const hostile of ['(a+)+$', '(a|aa)+$', '(.*a){20}b', '(a|a?)+b', '([a-zA-Z]+)*$', '(.*)*=', 'a.*b.*c', '(x+x+)+y', '^(([a-z])+.)+[A-Z]([a-z])+$']) {
    const started = performance.now();
    await search(request(hostile, { path: 'long' }), 'builtin');
    expect(performance.now() - started).toBeLessThan(10_000);
  }
});
