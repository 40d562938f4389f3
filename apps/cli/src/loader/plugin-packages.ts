// The packages that a config takes plugins from, found without running any of their code.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError } from '../exit-code.js';
import { sourceGraph } from './source-graph.js';

export interface PluginPackage {
  /** The plugin's name as the package's name says it: `haft-plugin-x`, `@scope/haft-plugin-x` and `@haft/plugin-x` are x. */
  plugin: string;
  /** Path of its package.json. */
  path: string;
  /** The parsed package.json. */
  manifest: unknown;
}

const packageImport = /(?:\bfrom|\bimport)\s*\(?\s*(['"])((?:@haft\/plugin-|(?:@[\w.-]+\/)?haft-plugin-)[\w.-]+)(?:\/[^'"]*)?\1/g;

/** Only packages that are installed in the project; those that come with the command are of its own version. */
export function pluginPackages(entry: string): PluginPackage[] {
  const found = new Map<string, PluginPackage>();
  for (const file of sourceGraph(entry)) {
    for (const [, , name = ''] of readFileSync(file, 'utf8').matchAll(packageImport)) {
      if (found.has(name)) continue;
      const path = installedAt(name, file);
      if (path !== undefined) found.set(name, { plugin: name.replace(/^.*?(haft-)?plugin-/, ''), path, manifest: parse(path) });
    }
  }
  return [...found.values()];
}

function installedAt(name: string, file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name, 'package.json');
    try {
      readFileSync(path);
      return path;
    } catch {
      // Not here: one folder further up.
    }
    if (folder === dirname(folder)) return undefined;
  }
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CliError(`${path} is not valid JSON.`, 2, 'Install the package again.', { cause: error });
  }
}
