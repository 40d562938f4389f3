// How an import in the user's TypeScript finds its file: `./x.js` may mean `./x.ts`, and Haft's own packages are never found twice.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isRegularFile } from '../config/regular-file.js';

/** Found from the command's own place, whatever the project has installed: two copies would not share metadata or services. */
const shared = /^(@haft\/(core|cli|agent|process)|class-validator|class-transformer|reflect-metadata)(\/|$)/;
/** Found in the project when installed there, else with the command. */
const bundled = /^@haft\/(plugin-[a-z-]+|openai|anthropic|offline)(\/|$)/;
const endings = ['.ts', '.mts', '/index.ts'];

export interface Rewritten {
  specifier: string;
  parentURL: string | undefined;
}

/** The import to resolve in place of the written one. Pure but for looking whether files exist. */
export function rewriteImport(specifier: string, parentURL: string | undefined): Rewritten {
  if (shared.test(specifier)) return { specifier, parentURL: import.meta.url };
  if (bundled.test(specifier) && !isInstalled(specifier, parentURL)) return { specifier, parentURL: import.meta.url };
  const path = localPath(specifier, parentURL);
  const source = path === undefined ? undefined : sourceFileFor(path);
  return { specifier: source === undefined ? specifier : pathToFileURL(source).href, parentURL };
}

/** The TypeScript file that a local path stands for, or undefined when the path is a file already or nothing fits. */
export function sourceFileFor(path: string): string | undefined {
  if (isRegularFile(path)) return undefined;
  const stem = /\.m?js$/.test(path) ? path.replace(/js$/, 'ts') : undefined;
  return [stem, ...endings.map((ending) => path + ending)].find((candidate) => candidate !== undefined && isRegularFile(candidate));
}

function localPath(specifier: string, parentURL: string | undefined): string | undefined {
  if (specifier.startsWith('file:')) return fileURLToPath(specifier);
  if (!/^\.{0,2}\//.test(specifier) || parentURL === undefined || !parentURL.startsWith('file:')) return undefined;
  return fileURLToPath(new URL(specifier, parentURL));
}

function isInstalled(specifier: string, parentURL: string | undefined): boolean {
  if (parentURL === undefined || !parentURL.startsWith('file:')) return false;
  const [scope = '', name = ''] = specifier.split('/');
  for (let folder = dirname(fileURLToPath(parentURL)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', scope, name, 'package.json'))) return true;
    if (folder === dirname(folder)) return false;
  }
}
