// Which files .gitignore leaves over is compared with what git itself lists.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { ToolBench } from '@haft/core/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findFiles } from './find-files.js';

let bench: ToolBench;
beforeAll(async () => {
  bench = await ToolBench.open({ tools: [] });
  execFileSync('git', ['init', '-q', '.'], { cwd: bench.root });
});
afterAll(() => bench.close());

// ASCII only: to git, `?` and `[!a]` stand for one byte, here for one character.
const name = fc.constantFrom('a', 'b', 'ab', 'a.log', 'b.txt', 'build', 'x y');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const piece = fc.constantFrom('a', 'b', 'ab', '*', '?', '**', '*.log', 'a*', '[ab]', '[!a]', 'build', '*.txt', 'x\\ y', '\\a', '{a,b}');
const line = fc
  .tuple(fc.constantFrom('', '', '!', '/', '!/'), fc.array(piece, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '', '/', '/**', '/*', ' '))
  .map(([start, pieces, end]) => start + pieces.join('/') + end);
const rules = fc.array(fc.oneof({ weight: 8, arbitrary: line }, { weight: 1, arbitrary: fc.constantFrom('# a', '', '\\#', '!', '/') }), { maxLength: 5 }).map((lines) => lines.join('\n'));

test('the same files are left over as git leaves', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(path, { minLength: 1, maxLength: 10 }), fc.array(fc.tuple(fc.constantFrom('', 'a/', 'build/', 'ab/b/'), rules), { maxLength: 3 }), async (paths, files) => {
      // A path below another one that is a file cannot be made.
      const kept = paths.filter((one) => !paths.some((other) => one.startsWith(`${other}/`)));
      for (const one of kept) bench.put(one, '');
      for (const [folder, text] of files) if (folder === '' || kept.some((one) => one.startsWith(folder))) bench.put(`${folder}.gitignore`, text);
      const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: bench.root, encoding: 'utf8' });
      const expected = listed.split('\0').filter((one) => one !== '' && !one.endsWith('.gitignore')).sort();
      const { paths: found } = await findFiles(bench.workspace, '**', '.');
      for (const top of new Set([...kept, '.gitignore'].map((one) => one.split('/')[0] ?? ''))) rmSync(`${bench.root}/${top}`, { recursive: true, force: true });
      expect([...found].sort()).toEqual(expected);
    }),
    { numRuns: 150 },
  );
}, 300_000);
