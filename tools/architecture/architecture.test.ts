// Holds what the architecture page draws: who may depend on whom, and which file alone may touch what.
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { errorCodes } from '../../packages/core/dist/index.js';
import { gateways, groupMayImport, matches, mayImport, onlyIn, withoutNode } from './rules.js';
import { filesWithoutOpening, importsOf, packageOf, sourceFiles, withoutNodePrefix, workspacePackages, type WorkspacePackage } from './sources.js';

const root = process.cwd();
const packages = workspacePackages(root);
const files = packages.flatMap(({ folder }) => sourceFiles(root, folder));
const internal = new Set(packages.map(({ name }) => name));

function allowedFor({ folder }: WorkspacePackage): ReadonlySet<string> {
  const group = folder.split('/')[0] ?? '';
  return new Set(group === 'apps' ? internal : (groupMayImport[group] ?? mayImport[folder] ?? []));
}

test('the packages and their sources are found', () => {
  expect(packages.map(({ folder }) => folder)).toEqual(expect.arrayContaining(['packages/core', 'packages/agent', 'plugins/fs', 'apps/cli']));
  expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(['packages/core/src/index.ts', 'apps/cli/src/index.ts']));
});

test('imports are read in every form', () => {
  const code = [
    "import 'a';",
    "import b, { x } from 'b';",
    "import type { C } from 'c';",
    'import {\n  d,\n} from "d";',
    "export * from 'e';",
    "export type { F } from 'f';",
    "const g = await import('g');",
    "import { type H } from 'h'; import 'i';",
    "const text = 'from nowhere';",
  ].join('\n');
  const found = importsOf(code);
  expect(found.map(({ specifier }) => specifier).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']);
  expect(found.filter(({ typeOnly }) => typeOnly).map(({ specifier }) => specifier)).toEqual(['c', 'f']);
});

describe.each(packages)('$folder', (pkg) => {
  const own = files.filter(({ folder }) => folder === pkg.folder);
  const allowed = allowedFor(pkg);

  test('depends only in the drawn direction', () => {
    expect(pkg.dependencies.filter((name) => internal.has(name) && !allowed.has(name))).toEqual([]);
  });

  test('imports only what it may and has declared', () => {
    const wrong = own.flatMap(({ path, imports }) =>
      imports
        .map(({ specifier }) => specifier)
        .filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier))
        .filter((specifier) => {
          const name = packageOf(specifier);
          return !pkg.dependencies.includes(name) || (internal.has(name) && !allowed.has(name));
        })
        .map((specifier) => `${path} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  test('stays inside its folder with relative imports', () => {
    const wrong = own.flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier }) => specifier.startsWith('.'))
        .filter(({ specifier }) => !new URL(specifier, `file:///${path}`).pathname.startsWith(`/${pkg.folder}/`))
        .map(({ specifier }) => `${path} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  test('is compiled with the workspace, after the packages it depends on', () => {
    for (const config of ['tsconfig.json', 'tsconfig.test.json']) {
      const { references } = JSON.parse(readFileSync(config, 'utf8')) as { references: { path: string }[] };
      expect(references.map(({ path }) => path)).toContain(pkg.folder);
    }
    const dependencies = packages.filter(({ name }) => pkg.dependencies.includes(name)).map(({ folder }) => folder);
    expect([...pkg.references].sort()).toEqual(dependencies.sort());
  });

  test('says at the top of each file what it is for', () => {
    expect(filesWithoutOpening(root, pkg.folder)).toEqual([]);
  });

  test('names every export, and has no folder of leftovers', () => {
    expect(own.filter(({ code }) => /^[ \t]*export\s+\*/m.test(code)).map(({ path }) => path)).toEqual([]);
    expect(own.filter(({ path }) => /\/(utils?|helpers?|misc|common)(\/|\.tsx?$)/.test(path)).map(({ path }) => path)).toEqual([]);
  });
});

test.each(gateways)('$modules is imported by its gateways alone: $why', ({ modules, files: allowed }) => {
  const wrong = files
    .filter(({ path }) => !matches(path, allowed))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier, typeOnly }) => !typeOnly && modules.test(withoutNodePrefix(specifier)))
        .map(({ specifier }) => `${path} imports ${specifier}`),
    );
  expect(wrong).toEqual([]);
});

test.each(onlyIn)('$why', ({ code, files: allowed }) => {
  expect(files.filter((file) => code.test(file.code) && !matches(file.path, allowed)).map(({ path }) => path)).toEqual([]);
});

test('the agent loop imports no Node module, so that it can run on a durable engine', () => {
  const wrong = files
    .filter(({ path }) => matches(path, withoutNode))
    .flatMap(({ path, imports }) => imports.filter(({ specifier }) => isBuiltin(specifier)).map(({ specifier }) => `${path} imports ${specifier}`));
  expect(wrong).toEqual([]);
});

test('every error code of the table is given somewhere', () => {
  const elsewhere = files.filter(({ path }) => path !== 'packages/core/src/errors.ts').map(({ code }) => code).join('\n');
  expect(Object.keys(errorCodes).filter((code) => !elsewhere.includes(`'${code}'`))).toEqual([]);
});
