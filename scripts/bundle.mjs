// Makes the JavaScript of each package's dist from tsc's modules in build/: a bundle for every entry of its exports map, with shared chunks.
// A process then opens a few files in place of hundreds, and one class stays one class whichever entry it is imported through.
// What a package.json may say under "bundle": `entries` are modules that are found by their path; what a module of `together` imports
// shares one chunk with it; of `inline` packages the code that is used is taken in, with the licence beside it (a dependency all the same
// where the types name it). Every other import stays an import.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const groups = ['packages', 'plugins', 'apps'];
const script = fileURLToPath(import.meta.url);
/** Says which versions are taken in. */
const lock = join(dirname(script), '..', 'pnpm-lock.yaml');
const dayMs = 86_400_000;

/** Bundles the packages below `root` whose modules changed since they were last bundled. */
export async function bundleAll(root) {
  const folders = groups.flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)));
  const stale = folders.filter((folder) => existsSync(join(folder, 'package.json')) && existsSync(recordOf(folder)) && !isCurrent(folder));
  if (stale.length === 0) return;
  const { build } = await import('esbuild');
  await Promise.all(stale.map((folder) => bundle(folder, build)));
}

function stampOf(folder) {
  return join(folder, 'build', '.bundled');
}

/** tsc rewrites it whenever it writes a module. */
function recordOf(folder) {
  return join(folder, 'build', '.tsbuildinfo');
}

function isCurrent(folder) {
  if (!existsSync(stampOf(folder)) || !existsSync(join(folder, 'dist', 'index.js'))) return false;
  const bundled = statSync(stampOf(folder)).mtimeMs;
  return [script, lock, join(folder, 'package.json'), recordOf(folder)].every((file) => statSync(file).mtimeMs <= bundled);
}

async function bundle(folder, build) {
  const started = new Date();
  const { exports, bundle: { entries = [], together = [], inline = [] } = {}, dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const exported = Object.values(exports).flatMap(({ default: file }) => file?.replace(/^\.\/dist\//, '') ?? []);
  const { metafile, outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: [...exported, ...entries].map((entry) => `build/${entry}`),
    outbase: 'build',
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    external: Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !inline.includes(name)),
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: 'warning',
    plugins: together.map((entry) => keepTogether(join(folder, 'build', entry))),
  });
  takeLicences(folder, inline, usedFiles(metafile));
  writeWhole(outputFiles);
  prune(join(folder, 'dist', 'chunks'), new Set(outputFiles.map(({ path }) => path)), started);
  writeFileSync(stampOf(folder), '');
  utimesSync(stampOf(folder), started, started);
}

/**
 * esbuild makes a chunk of what the same entries share, so that the first prompt would come from many. Here everybody outside gets the
 * modules that `entry` imports from one module that exports all of them: they are then shared by the same entries.
 */
function keepTogether(entry) {
  const group = staticImports(entry);
  const name = 'together';
  return {
    name,
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ path, importer, kind, resolveDir }) =>
        kind === 'import-statement' && group.has(join(resolveDir, path)) && !group.has(importer) && importer !== name ? { path: name, namespace: name } : undefined);
      build.onLoad({ filter: /./, namespace: name }, () => ({ contents: [...group].map((file) => `export * from ${JSON.stringify(file)};`).join('\n'), resolveDir: dirname(entry) }));
    },
  };
}

/** The file and what it imports by relative path, without what it imports later. */
function staticImports(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?:[^;]*? from )?'(\.[^']+)';$/gm)) staticImports(join(dirname(file), path), found);
  return found;
}

/** The files of which something is left in the bundles. */
function usedFiles({ outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0));
}

/** Puts the licence of each package whose code was taken in beside it. Throws for a package that "bundle" does not name. */
function takeLicences(folder, inline, files) {
  const taken = new Map(files.flatMap((path) => [/.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)].filter(Boolean)).map(([source, name]) => [name, join(folder, source)]));
  for (const [name, source] of taken) {
    if (!inline.includes(name)) throw new Error(`${folder}: ${name} would be bundled; make it a dependency, or name it in "bundle": { "inline": [] }.`);
    const licence = readdirSync(source).find((file) => /^licen[cs]e/i.test(file));
    if (licence === undefined) throw new Error(`${folder}: ${name} has no licence file to put beside its code.`);
    mkdirSync(join(folder, 'dist', 'licences'), { recursive: true });
    copyFileSync(join(source, licence), join(folder, 'dist', 'licences', `${name.replace('/', '-')}.txt`));
  }
}

/** Chunks first and each file at once, so that a process that starts meanwhile finds what it imports. */
function writeWhole(files) {
  const isChunk = ({ path }) => path.includes(`${sep}chunks${sep}`);
  for (const { path, text } of [...files.filter(isChunk), ...files.filter((file) => !isChunk(file))]) {
    mkdirSync(dirname(path), { recursive: true });
    const part = `${path}.${process.pid}`;
    writeFileSync(part, path.endsWith('.js') ? withClassNames(text) : text);
    renameSync(part, path);
  }
}

/** esbuild names a class that speaks of itself `_Name` or `Name2`; people read the names in messages. */
function withClassNames(code) {
  return code.replace(/^var (\w+) = class (?:_\1|\1\d+)( extends \S+)? \{$/gm, (line, name) => `${line} static { Object.defineProperty(this, "name", { value: "${name}", configurable: true }); }`);
}

/** Removes chunks of earlier builds, but not those that a running process may still want to import. */
function prune(chunks, current, now) {
  if (!existsSync(chunks)) return;
  for (const name of readdirSync(chunks)) {
    const path = join(chunks, name);
    if (!current.has(path) && statSync(path).mtimeMs < now.getTime() - dayMs) rmSync(path);
  }
}
