// A swapper replaces a folder or a file by a link to the outside, over and over, while the tools use the path: nothing may get out or in.
// HAFT_RACES sets the number of reading rounds of each kind; writes, which wait for the disk, are a tenth.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolBench } from '@haft/core/testing';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findFiles } from './glob/find-files.js';

const rounds = Number(process.env['HAFT_RACES'] ?? 10_000);
const secret = 'OUTSIDE-SECRET';
let bench: ToolBench;
let stopSwapper = (): void => undefined;

beforeEach(async () => {
  bench = await ToolBench.open({ tools: [] });
  mkdirSync(join(bench.base, 'ext'));
  writeFileSync(join(bench.base, 'ext/f'), secret);
  bench.put('d/f', 'inside');
});
afterEach(() => {
  stopSwapper();
  bench.close();
});

/** Three kinds: the folder, the file itself, and the folder in the middle of a longer path. */
const kinds: Record<string, { path: string; swap: string }> = {
  folder: { path: 'd/f', swap: "fs.renameSync('d', 'd.bak'); fs.symlinkSync('../ext', 'd'); fs.unlinkSync('d'); fs.renameSync('d.bak', 'd');" },
  file: { path: 'd/f', swap: "fs.renameSync('d/f', 'd/g'); fs.symlinkSync('../../ext/f', 'd/f'); fs.unlinkSync('d/f'); fs.renameSync('d/g', 'd/f');" },
  'folder in the middle': { path: 'a/d/f', swap: "fs.renameSync('a', 'a.bak'); fs.symlinkSync('../ext2', 'a'); fs.unlinkSync('a'); fs.renameSync('a.bak', 'a');" },
};

async function startSwapper(swap: string): Promise<void> {
  const script = `const fs = require('fs'); process.stdout.write('ready'); for (;;) { try { ${swap} } catch {} }`;
  const swapper = spawn(process.execPath, ['-e', script], { cwd: bench.root, stdio: ['ignore', 'pipe', 'inherit'] });
  stopSwapper = () => void swapper.kill('SIGKILL');
  await new Promise((resolve) => swapper.stdout.once('data', resolve));
}

function prepare(kind: string): { path: string; swap: string } {
  if (kind === 'folder in the middle') {
    bench.put('a/d/f', 'inside');
    mkdirSync(join(bench.base, 'ext2/d'), { recursive: true });
    writeFileSync(join(bench.base, 'ext2/d/f'), secret);
  }
  return kinds[kind] ?? { path: '', swap: '' };
}

/** What the round ended with; any coded refusal is a good end. */
async function attempt(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as { code?: string };
    return /^(not_found|path_outside_workspace|not_a_directory|not_a_file|no_permission|write_failed|invalid_path|execution_failed|already_exists)$/.test(String(code)) ? 'refused' : `unexpected: ${String(error)}`;
  }
}

test.each(Object.keys(kinds))('SBOX-06: reading while a %s is swapped shows nothing from outside', async (kind) => {
  const { path, swap } = prepare(kind);
  await startSwapper(swap);
  const ends = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    const end = await attempt(async () => (await bench.workspace.readFile(path)).toString());
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  expect([...ends.keys()].filter((end) => end !== 'inside' && end !== 'refused')).toEqual([]);
  expect(ends.get('refused') ?? 0).toBeGreaterThan(0);
}, 600_000);

test.each(Object.keys(kinds))('SBOX-06: writing and editing while a %s is swapped changes nothing outside', async (kind) => {
  const { path, swap } = prepare(kind);
  await startSwapper(swap);
  const wrong = new Set<string>();
  for (let round = 0; round < rounds / 10; round++) {
    const fresh = await attempt(async () => (await bench.workspace.write(path.replace(/f$/, 'w'), [Buffer.from('x')])).relative);
    const edited = await attempt(() =>
      bench.workspace.lock(path, async () => {
        const content = await bench.workspace.readFile(path);
        if (content.includes(secret)) return 'unexpected: read the outside';
        await bench.workspace.write(path, [content]);
        return 'done';
      }),
    );
    for (const end of [fresh, edited]) if (end.startsWith('unexpected')) wrong.add(end);
  }
  stopSwapper();
  expect([...wrong]).toEqual([]);
  expect(readdirSync(join(bench.base, 'ext'))).toEqual(['f']);
  expect(readFileSync(join(bench.base, 'ext/f'), 'utf8')).toBe(secret);
  expect(existsSync(join(bench.base, 'ext2/d/w'))).toBe(false);
}, 600_000);

test('listing a tree while its folders are swapped names nothing from outside', async () => {
  writeFileSync(join(bench.base, 'ext/outside-name'), '');
  await startSwapper(kinds['folder']?.swap ?? '');
  for (let round = 0; round < rounds / 10; round++) {
    const { paths } = await findFiles(bench.workspace, '**', '.');
    expect(paths.join()).not.toContain('outside-name');
  }
}, 600_000);
