// What else finds files by a pattern and leaves out ignored ones. The libraries that take one list of ignore rules miss those of nested
// .gitignore files: they find more, and are marked for it.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** contestant → number of files under `root` that fit `pattern` */
export async function globbers(root, pattern) {
  const { globby } = await import('globby');
  const { default: fastGlob } = await import('fast-glob');
  const { glob } = await import('tinyglobby');
  const rules = { cwd: root, ignore: ['**/node_modules/**', '.git/**'] };
  return {
    globby: async () => (await globby(pattern, { cwd: root, gitignore: true })).length,
    'fast-glob (not exact)': async () => (await fastGlob(pattern, rules)).length,
    'tinyglobby (not exact)': async () => (await glob(pattern, rules)).length,
    'ignore asked per file': await askedPerFile(root, pattern, fastGlob),
  };
}

/** As Gemini CLI does it: everything is listed, and then the rules of every folder above are asked for each file. */
async function askedPerFile(root, pattern, fastGlob) {
  const { default: ignore } = await import('ignore');
  return async () => {
    const rulesOf = new Map();
    const files = await fastGlob(pattern, { cwd: root, dot: true, ignore: ['.git/**'] });
    return files.filter((file) => !isIgnored(file, (folder) => kept(rulesOf, folder, () => rulesIn(join(root, folder), ignore)))).length;
  };
}

function isIgnored(file, rulesOf) {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const rules = rulesOf(folder);
    if (rules?.ignores(folder === '.' ? file : file.slice(folder.length + 1))) return true;
    if (folder === '.') return false;
  }
}

function rulesIn(folder, ignore) {
  try {
    return ignore().add(readFileSync(join(folder, '.gitignore'), 'utf8'));
  } catch {
    return undefined;
  }
}

function kept(map, key, make) {
  if (!map.has(key)) map.set(key, make());
  return map.get(key);
}
