// Names of any bytes: what a list, a glob or a search shows of a file leads every tool back to that very file.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolBench } from '@haft/core/testing';
import { ProcessRunner } from '@haft/process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FsOptions } from './fs-options.js';
import { Glob } from './glob/glob.js';
import type { GlobResult } from './glob/find-files.js';
import { Grep } from './grep/grep.js';
import type { SearchResult } from './grep/search-tree.js';
import { ListDir } from './list/list-dir.js';
import type { ListResult } from './list/list-tree.js';
import { ReadFile } from './read/read-file.js';
import type { ReadTextResult } from './read/read-text.js';

const runner = new ProcessRunner();
let bench: ToolBench;
beforeAll(async () => {
  bench = await ToolBench.open({ tools: [ReadFile, ListDir, Glob, Grep], services: [runner, new FsOptions()] });
});
afterAll(async () => {
  bench.close();
  await runner.dispose();
});

const piece = fc.constantFrom('a', 'B', '中', '😀', '\u00e9', 'e\u0301', '\ufffd', '\ufeff', '\u2028', '\u202e', ' ', '"', '\\', '\n', '\t', '*', '[', '{', "'", '-', '.txt').map((text) => Buffer.from(text, 'utf8'));
/** Not UTF-8: stray and cut bytes, an overlong one, half of a surrogate pair. */
const bad = fc.constantFrom('ff', 'c3', '80', 'e4b8', 'c0af', 'eda080', 'f4908080').map((hex) => Buffer.from(hex, 'hex'));
const name = fc
  .array(fc.oneof({ weight: 4, arbitrary: piece }, { weight: 1, arbitrary: bad }), { minLength: 1, maxLength: 6 })
  .map((parts) => Buffer.concat([Buffer.from('n'), ...parts]).toString('hex'));

test('each shown name leads to its own file', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 6 }), async (names) => {
      rmSync(join(bench.root, 'd'), { recursive: true, force: true });
      mkdirSync(join(bench.root, 'd'));
      // Each file holds its own name's bytes, in hex.
      for (const hex of names) writeFileSync(Buffer.concat([Buffer.from(join(bench.root, 'd/')), Buffer.from(hex, 'hex')]), hex);
      const contentAt = async (path: string) => ((await bench.call('read_file', { path })).data as ReadTextResult | undefined)?.content ?? 'not read';
      const contents = async (paths: readonly string[]) => (await Promise.all(paths.map(contentAt))).toSorted();
      const wanted = names.toSorted();
      const shown = (await bench.text('list_dir', { path: 'd' })).split('\n').slice(0, -1);
      expect(await contents(((await bench.call('list_dir', { path: 'd' })).data as ListResult).entries.map(({ path }) => `d/${path}`))).toEqual(wanted);
      expect(await contents(shown.map((line) => (line.startsWith('"') ? JSON.stringify(`d/${JSON.parse(line) as string}`) : `d/${line}`)))).toEqual(wanted);
      expect(await contents(((await bench.call('glob', { pattern: 'd/*' })).data as GlobResult).paths)).toEqual(wanted);
      const { matches } = (await bench.call('grep', { pattern: '^6e', path: 'd' })).data as SearchResult;
      expect(matches.map(({ text }) => text).toSorted()).toEqual(wanted);
      expect(await contents(matches.map(({ path }) => path))).toEqual(wanted);
    }),
    { numRuns: 60 },
  );
});
