// What is loaded before the prompt, or before a command is chosen: nothing but the parser of the command line and a few small files of tables and names.
import { expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const source = join(process.cwd(), 'apps/cli/src');

/** Packages that a file loads by itself or through static imports of its neighbours; types and `import()` load nothing. */
function packagesOf(entry: string, seen = new Set<string>()): Set<string> {
  const found = new Set<string>();
  const path = join(source, entry);
  if (seen.has(path)) return found;
  seen.add(path);
  for (const [, clause = '', specifier = ''] of readFileSync(path, 'utf8').matchAll(/^(?:import|export)\s+([^;]*?from\s+)?'([^']+)';/gm)) {
    const onlyTypes = /^type\s/.test(clause) || (/^\{[^}]*\}/.test(clause) && clause.replace(/[{}]|from/g, '').split(',').every((name) => name.trim() === '' || /^type\s/.test(name.trim())));
    if (onlyTypes || specifier.startsWith('node:')) continue;
    if (!specifier.startsWith('.')) found.add(specifier);
    else for (const name of packagesOf(join(dirname(entry), specifier.replace(/\.js$/, '.ts')), seen)) found.add(name);
  }
  return found;
}

test.each([
  ['main.ts', []],
  ['command/quick-start.ts', ['@haft/core/near-name', '@haft/openai/profile-keys']],
  ['command/program.ts', ['@haft/core/near-name', 'commander']],
])('%s loads %j', (entry, packages) => {
  expect(existsSync(join(source, entry))).toBe(true);
  expect([...packagesOf(entry)]).toEqual(packages);
});

test('those files of core and of the adapter import no package', () => {
  for (const file of ['core/src/tool/near-name', 'core/src/tool/edit-distance', 'openai/src/profile-keys']) {
    const text = readFileSync(join(process.cwd(), `packages/${file}.ts`), 'utf8');
    const imported = [...text.matchAll(/^import .* from '([^']+)';$/gm)].map(([, specifier]) => specifier);
    expect(['./edit-distance.js', './near-name.js']).toEqual(expect.arrayContaining(imported));
  }
});

test('the reader of imports sees what a conversation needs', () => {
  expect([...packagesOf('repl/conversation.ts')]).toEqual(expect.arrayContaining(['@haft/core', '@haft/agent', '@haft/process']));
});
