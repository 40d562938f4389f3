// Files: a tree with nested .gitignore files, a big text, and what Haft, ripgrep, the glob libraries and plain code take for the same answer.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, mkdirSync, mkdtempSync, openSync, readFileSync, readSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { globbers } from '../contestants/globs.mjs';
import { haftFiles } from '../contestants/haft.mjs';

const { rgPath } = createRequire(new URL('../../plugins/fs/package.json', import.meta.url))('@vscode/ripgrep');

/** Folders × files, every third ignored by a rule in the folder above it. */
function makeTree(folders) {
  const root = mkdtempSync(join(tmpdir(), 'haft-bench-tree-'));
  mkdirSync(join(root, '.git'));
  for (let folder = 0; folder < folders; folder += 1) {
    const path = join(root, `area${folder % 20}`, `part${folder}`);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, '.gitignore'), 'generated*\n');
    for (let file = 0; file < 12; file += 1) {
      const name = file % 3 === 0 ? `generated${file}.ts` : file % 3 === 1 ? `code${file}.ts` : `text${file}.md`;
      writeFileSync(join(path, name), `// file ${file} of ${folder}\nexport const value${file} = ${folder};\n${folder % 10 === 0 && file === 1 ? 'needle-one here\n' : ''}${'filler line of text\n'.repeat(30)}`);
    }
  }
  return { root, wanted: folders * 4, hits: Math.ceil(folders / 10) };
}

export async function globWorkload({ quick }) {
  const tree = makeTree(quick ? 40 : 1_500);
  const haft = await haftFiles(tree.root);
  const peers = await globbers(tree.root, '**/*.ts');
  const contestants = [
    { name: 'ripgrep', run: () => lines(rg(['--files', '--sort', 'path', '--type', 'ts'], tree.root)) },
    { name: 'haft', run: () => haft.total('glob', { pattern: '**/*.ts' }), close: () => haft.close().then(() => rmSync(tree.root, { recursive: true })) },
    ...Object.entries(peers).map(([name, run]) => ({ name, run })),
  ];
  const check = (found, name) => assert.equal(found, name.endsWith('(not exact)') ? tree.wanted * 2 : tree.wanted, `${name} found ${found}`);
  return { name: 'glob', what: `**/*.ts among ${tree.wanted * 3} files with nested .gitignore, exact`, unit: 'µs', rounds: 9, warm: 2, contestants, check };
}

export async function grepWorkload({ quick }) {
  const tree = makeTree(quick ? 40 : 1_500);
  const haft = await haftFiles(tree.root);
  const pure = await haftFiles(tree.root, 'builtin');
  const close = () => Promise.all([haft.close(), pure.close()]).then(() => rmSync(tree.root, { recursive: true }));
  const contestants = [
    { name: 'ripgrep', run: () => lines(rg(['-n', '--sort', 'path', 'needle-[a-z]+', './'], tree.root)) },
    { name: 'haft', run: () => haft.total('grep', { pattern: 'needle-[a-z]+' }), close },
    { name: 'haft without ripgrep', run: () => pure.total('grep', { pattern: 'needle-[a-z]+' }) },
  ];
  return { name: 'grep', what: `a regular expression over ${tree.wanted * 3} files, ${tree.hits} hits`, unit: 'µs', rounds: 9, warm: 2, contestants, check: (found, name) => assert.equal(found, tree.hits, `${name} found ${found}`) };
}

export async function readWorkload({ quick }) {
  const { root, path, last } = bigText(quick ? 4 : 256);
  const haft = await haftFiles(root);
  const first = quick ? 20_000 : 3_000_000;
  const contestants = [
    { name: 'sed', run: () => spawnSync('sed', ['-n', `${first},${first + 199}p;${first + 199}q`, path], { encoding: 'utf8', maxBuffer: 2 ** 26 }).stdout },
    { name: 'haft', run: () => haft.text('read_file', { path: 'big.txt', offset: first, limit: 200 }), close: () => haft.close().then(() => rmSync(root, { recursive: true })) },
  ];
  const check = (text, name) => assert.ok(text.includes(`line ${first} `) && text.includes(`line ${first + 199} `) && !text.includes(`line ${first + 200} `), `${name}: ${text.slice(0, 200)}`);
  return { name: 'read far lines', what: `200 lines at line ${first} of ${last} lines`, unit: 'µs', rounds: 7, warm: 1, contestants, check };
}

export async function headWorkload({ quick }) {
  const { root, path } = bigText(quick ? 4 : 256);
  const haft = await haftFiles(root);
  const contestants = [
    { name: 'floor', run: () => firstLines(path, 200) },
    { name: 'haft', run: () => haft.text('read_file', { path: 'big.txt', limit: 200 }), close: () => haft.close().then(() => rmSync(root, { recursive: true })) },
  ];
  return { name: 'read first lines', what: 'lines 1-200 of the same file', unit: 'µs', rounds: 60, contestants, check: (text, name) => assert.ok(text.includes('line 200 ') && !text.includes('line 201 '), name) };
}

export async function editWorkload({ quick }) {
  const { root, path } = bigText(quick ? 4 : 50);
  const haft = await haftFiles(root);
  let serial = 0;
  const contestants = [
    { name: 'floor', run: () => byteEdit(path, 'marker-', `marker-`, serial++) },
    { name: 'haft', run: () => haft.text('edit_file', { path: 'big.txt', old_text: readMarker(path), new_text: `marker-${String(serial++).padStart(6, '0')}` }), close: () => haft.close().then(() => rmSync(root, { recursive: true })) },
    { name: 'read, replace, write', run: () => writeFileSync(path, readFileSync(path, 'utf8').replace(/marker-\d{6}/, `marker-${String(serial++).padStart(6, '0')}`)) ?? 'done' },
  ];
  return { name: 'edit', what: `one string in ${Math.round(statSync(path).size / 1e6)} MB, the file whole at any moment (not so the last)`, unit: 'µs', rounds: 7, warm: 1, contestants, check: () => assert.match(readMarker(path), /^marker-\d{6}$/) };
}

function bigText(megabytes) {
  const root = mkdtempSync(join(tmpdir(), 'haft-bench-big-'));
  const path = join(root, 'big.txt');
  const file = openSync(path, 'w');
  let number = 1;
  for (let written = 0; written < megabytes * 1e6; ) {
    const block = Array.from({ length: 2_000 }, () => `line ${number++} of the big file, with words on it\n`).join('');
    written += writeSync(file, block);
  }
  writeSync(file, 'marker-000000\n');
  closeSync(file);
  return { root, path, last: number - 1 };
}

/** The marker stands at the end. */
function readMarker(path) {
  const file = openSync(path, 'r');
  const buffer = Buffer.alloc(200);
  const text = buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, statSync(path).size - buffer.length));
  closeSync(file);
  return /marker-\d{6}/.exec(text)?.[0] ?? '';
}

/** What an atomic byte-level edit must do at the least: read, splice, write a new file, fsync, rename, fsync of the folder, without which the rename itself can be lost. */
function byteEdit(path, search, put, serial) {
  const bytes = readFileSync(path);
  const at = bytes.indexOf(search);
  const file = openSync(`${path}.tmp`, 'w');
  writeSync(file, bytes.subarray(0, at));
  writeSync(file, `${put}${String(serial).padStart(6, '0')}`);
  writeSync(file, bytes.subarray(at + search.length + 6));
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.tmp`, path);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
  return 'done';
}

function firstLines(path, count) {
  const file = openSync(path, 'r');
  const buffer = Buffer.alloc(64 * 1024);
  const text = buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, 0));
  closeSync(file);
  return text.split('\n').slice(0, count).join('\n');
}

function rg(args, cwd) {
  return spawnSync(rgPath, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 }).stdout;
}

function lines(text) {
  return text.split('\n').length - 1;
}
