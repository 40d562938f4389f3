// What the architecture test looks at: the workspace packages, their source files and what each file imports.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface WorkspacePackage {
  /** Path from the root, for example `packages/core`. */
  readonly folder: string;
  readonly name: string;
  /** Names of `dependencies` and `peerDependencies`, and of the packages whose code is bundled. */
  readonly dependencies: readonly string[];
  /** Folders that tsconfig.json references, relative to the root. */
  readonly references: readonly string[];
}

export interface Import {
  readonly specifier: string;
  /** `import type` or `export type`: leaves nothing in the compiled file. */
  readonly typeOnly: boolean;
}

export interface SourceFile {
  /** Path from the root with forward slashes. */
  readonly path: string;
  readonly folder: string;
  /** The text without comments. */
  readonly code: string;
  readonly imports: readonly Import[];
}

export const groups = ['packages', 'plugins', 'apps'];

export function workspacePackages(root: string): WorkspacePackage[] {
  const folders = groups.flatMap((group) => subfolders(root, group).map((name) => `${group}/${name}`));
  return folders.filter((folder) => existsSync(join(root, folder, 'package.json'))).map((folder) => readPackage(root, folder));
}

/** The .ts and .tsx files below `folder`/src, tests and their data left out. */
export function sourceFiles(root: string, folder: string): SourceFile[] {
  if (!existsSync(join(root, folder, 'src'))) return [];
  const names = readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|(^|[\\/])testdata[\\/]/.test(name))
    .map((name) => readSource(root, folder, `${folder}/src/${name.replaceAll('\\', '/')}`));
}

/** The .ts and .tsx files below `folder`/src, tests too, that do not open with a comment on what they are for. */
export function filesWithoutOpening(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder, 'src'))) return [];
  const names = readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /\.tsx?$/.test(name) && !/^(\/\/|\/\*|#!)/.test(readFileSync(join(root, folder, 'src', name), 'utf8')));
}

export function importsOf(code: string): Import[] {
  const found: Import[] = [];
  const statements = /(?:^|;)[ \t]*(?:import|export)\s+(type\s+)?(?:[\w*${},\s]*?from\s*)?['"]([^'"\n]+)['"]/gm;
  for (const [, typeOnly, specifier] of code.matchAll(statements)) found.push({ specifier: specifier ?? '', typeOnly: typeOnly !== undefined });
  for (const [, specifier] of code.matchAll(/\b(?:import|require|getBuiltinModule)\(\s*['"`]([^'"`]+)['"`]/g)) {
    found.push({ specifier: specifier ?? '', typeOnly: false });
  }
  return found;
}

/** `node:fs/promises` → `fs/promises`; other specifiers as they are. */
export function withoutNodePrefix(specifier: string): string {
  return specifier.replace(/^node:/, '');
}

/** The package that a bare specifier names: `@haft/core/testing` → `@haft/core`. */
export function packageOf(specifier: string): string {
  return specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

function subfolders(root: string, group: string): string[] {
  if (!existsSync(join(root, group))) return [];
  return readdirSync(join(root, group), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

function readPackage(root: string, folder: string): WorkspacePackage {
  const manifest = readJson(join(root, folder, 'package.json')) as { name: string; dependencies?: object; peerDependencies?: object; bundle?: { inline?: string[] } };
  const config = join(root, folder, 'tsconfig.json');
  const references = existsSync(config) ? ((readJson(config) as { references?: { path: string }[] }).references ?? []) : [];
  return {
    folder,
    name: manifest.name,
    dependencies: [...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }), ...(manifest.bundle?.inline ?? [])],
    references: references.map(({ path }) => join(folder, path)),
  };
}

function readSource(root: string, folder: string, path: string): SourceFile {
  const code = withoutComments(readFileSync(join(root, path), 'utf8'));
  return { path, folder, code, imports: importsOf(code) };
}

/** Good enough for source that a formatter keeps: block comments that open a line, and line comments after white space. */
function withoutComments(text: string): string {
  return text.replace(/^[ \t]*\/\*[\s\S]*?\*\//gm, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
