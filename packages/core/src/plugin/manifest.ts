/**
 * What a plugin's package says of itself without being run: the `haft` field of its package.json, held against this core and against what
 * the plugin then brings.
 */
import { SetupError } from '../errors.js';
import type { Scope, ToolDefinition } from '../tool/tool.js';
import { coreVersion, inRange } from './version-range.js';

export interface PluginManifest {
  /** The module to load, relative to the package. */
  plugin: string;
  /** Versions of core that it works with, e.g. `^1.0.0`. */
  core: string;
  /** The most that any of its tools declares. */
  scopes: readonly Scope[];
  /** Names of its tools. */
  tools: readonly string[];
}

const allScopes: readonly string[] = ['read', 'write', 'network', 'dangerous'];

/**
 * Reads the manifest of a package; `packageJson` is the parsed file, `where` names it in messages. Undefined where there is no `haft` field.
 * @throws SetupError for a field of another shape, or a core range that this core is not in.
 */
export function readManifest(packageJson: unknown, where: string): PluginManifest | undefined {
  const field = isObject(packageJson) ? packageJson['haft'] : undefined;
  if (field === undefined) return undefined;
  if (!isObject(field)) throw new SetupError(`${where}: "haft" must be an object with plugin, core, scopes and tools.`);
  const { plugin, core, scopes, tools } = field;
  if (typeof plugin !== 'string' || plugin === '') throw wrong(where, 'plugin', 'the path of its module, e.g. "./dist/index.js"');
  if (typeof core !== 'string') throw wrong(where, 'core', 'a range of versions, e.g. "^1.0.0"');
  if (!isListOf(scopes, (scope) => allScopes.includes(scope))) throw wrong(where, 'scopes', `a list of ${allScopes.join(', ')}`);
  if (!isListOf(tools, (name) => name !== '')) throw wrong(where, 'tools', 'a list of names');
  const fits = inRange(coreVersion, core);
  if (fits === undefined) throw wrong(where, 'core', `a range such as "^1.0.0", "~1.2", "1.x" or ">=1.0.0 <2.0.0", not ${JSON.stringify(core)}`);
  if (!fits) throw new SetupError(`${where}: the plugin works with @haft/core ${core}, and this is ${coreVersion}. Install a version of the plugin for this core, or another core.`);
  return { plugin, core, scopes: scopes as Scope[], tools };
}

/** @throws SetupError where the plugin brings a tool or a scope that its manifest does not declare. */
export function checkManifest(manifest: PluginManifest, plugin: string, definitions: readonly ToolDefinition[]): void {
  for (const { name, scopes } of definitions) {
    if (!manifest.tools.includes(name)) throw new SetupError(`Plugin ${plugin} brings the tool ${name}, which the manifest in its package.json does not declare ("haft.tools").`);
    const undeclared = scopes.find((scope) => !manifest.scopes.includes(scope));
    if (undeclared !== undefined) throw new SetupError(`Plugin ${plugin}: the tool ${name} has the scope ${undeclared}, which the manifest in its package.json does not declare ("haft.scopes").`);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOf(value: unknown, fits: (item: string) => boolean): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && fits(item));
}

function wrong(where: string, field: string, expected: string): SetupError {
  return new SetupError(`${where}: "haft.${field}" must be ${expected}.`);
}
