// The bundles of dist: what they load, that a class is the same through every entry, and that it is called what its source calls it.
import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspacePackages } from '../architecture/sources.js';

const root = process.cwd();
const packages = workspacePackages(root);

/** The files that a process opens for `code`, by a hook of Node's loader, and the JSON that the code prints. */
function run(folder: string, code: string): { files: string[]; printed: unknown } {
  const hook = `import { writeSync } from 'node:fs'; export async function load(url, context, next) { writeSync(2, url + '\\n'); return next(url, context); }`;
  const preload = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hook))});`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', dataUrl(preload), '--input-type=module', '-e', code], { cwd: join(root, folder), encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return { files: stderr.split('\n').filter((line) => line.startsWith('file:')), printed: JSON.parse(stdout) };
}

function dataUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

test('core opens a few files, and neither a validator nor a container', () => {
  const { files } = run('packages/core', `await import('@haft/core'); console.log('0');`);
  expect(files.length).toBeLessThanOrEqual(7);
  expect(files.filter((file) => /class-validator|class-transformer|typedi|ajv|iconv|limiter/.test(file))).toEqual([]);
});

test('the shipped plugins open a few files, and not the library whose decorators they use', () => {
  const { files, printed } = run('apps/cli', `await import('@haft/plugin-fs'); await import('@haft/plugin-shell'); console.log(JSON.stringify([typeof globalThis.classValidatorMetadataStorage, Object.keys((await import('node:module')).default._cache).filter((file) => file.includes('class-validator'))]));`);
  expect(files.length).toBeLessThanOrEqual(25);
  expect(printed).toEqual(['object', []]);
});

test('the prompt is drawn from a few files', () => {
  const { files } = run('apps/cli', `const { readFileSync } = await import('node:fs'); const [, quick] = /import\\("(\\.\\/chunks\\/quick-start[^"]+)"\\)/.exec(readFileSync('dist/main.js', 'utf8')); await import(process.cwd() + '/dist/' + quick); console.log('0');`);
  expect(files.filter((file) => file.endsWith('.js')).length).toBeLessThanOrEqual(9);
});

test('a class is one class through every entry, and metadata has one store', () => {
  const code = `const { SetupError, Tool, definitionsOf } = await import('@haft/core');
    const { createRequire } = await import('node:module');
    const testing = await import('@haft/core/testing');
    class Bare { execute() {} }
    let refusal;
    try { testing.describeTools([Bare]); } catch (error) { refusal = error; }
    class Greet { execute() { return 'hi'; } }
    Tool('Greets.', { name: 'greet', scopes: [] })(Greet);
    createRequire(import.meta.url)('reflect-metadata');
    console.log(JSON.stringify([refusal instanceof SetupError, definitionsOf(Greet).map(({ name }) => name), Reflect.getOwnMetadata(Symbol.for('haft:tool'), Greet).name]));`;
  expect(run('packages/core', code).printed).toEqual([true, ['greet'], 'greet']);
});

test.each(packages)('$folder: every class is called what its source calls it', async ({ folder }) => {
  const [entry, main] = [join(root, folder, 'dist/index.js'), join(root, folder, 'dist/main.js')];
  const bundled = [...bundledFiles(entry), ...(existsSync(main) ? bundledFiles(main) : [])].map((file) => readFileSync(file, 'utf8')).join('\n');
  const renamed = [...bundled.matchAll(/^.*\bclass (_\w+|\w+\d)\b.*$/gm)].map(([line]) => line).filter((line) => !line.includes('defineProperty(this, "name"'));
  expect(renamed).toEqual([]);
  const exported = Object.entries((await import(entry)) as Record<string, unknown>).filter(([, value]) => typeof value === 'function' && /^class\b/.test(String(value)));
  expect(exported.map(([, value]) => (value as { name: string }).name)).toEqual(exported.map(([name]) => name));
});

/** The entry and every chunk that it may come to import; older chunks may lie beside them. */
function bundledFiles(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/\b(?:from |import |import\()"(\.[^"]+\.js)"/g)) bundledFiles(join(dirname(file), path), seen);
  return seen;
}

test('source maps of the bundles lead to the sources', () => {
  const folder = join(root, 'packages/core/dist');
  const { sources } = JSON.parse(readFileSync(join(folder, 'index.js.map'), 'utf8')) as { sources: string[] };
  expect(sources).toContain('../src/plugin/plugin-host.ts');
  expect(sources.filter((source) => source.startsWith('../src/') && !existsSync(join(folder, source)))).toEqual([]);
});
