// Finds, trusts, loads and checks the configuration files, and gives them as layers.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Plugin } from '@haft/core';
import { CliError, exitCode } from '../exit-code.js';
import type { AgentConfig } from './define-config.js';
import { userConfigFolder } from './paths.js';
import { readRegularFile, requireRegularFile } from './regular-file.js';
import type { Layer, SettingValues } from './settings.js';

export const configNames = ['agent.config.ts', 'agent.config.mts', 'agent.config.js', 'agent.config.mjs'] as const;

export interface LoadedConfig {
  path: string;
  layer: Layer;
  plugins: readonly Plugin[] | undefined;
  /** Parsed package.json files of plugins from packages, by plugin name. */
  packages: Readonly<Record<string, unknown>>;
}

/** Asks whether a file of the project may count; the text says which, and what it would do. */
export type TrustQuestion = (text: string) => Promise<boolean>;

export interface ProjectOptions {
  folder: string;
  /** `--config FILE`. */
  file?: string | undefined;
  /** `--trust`: no question. */
  trust: boolean;
  ask?: TrustQuestion | undefined;
}

/** The path of the project's config: the named file (from where the command was started), or the first of `configNames` in the folder. */
export function findProjectConfig(folder: string, file?: string): string | undefined {
  if (file !== undefined) {
    const path = resolve(file);
    if (!existsSync(path)) throw new CliError(`There is no config file ${path}.`);
    return realpathSync(path);
  }
  const found = configNames.map((name) => join(folder, name)).find((path) => existsSync(path));
  return found === undefined ? undefined : realpathSync(found);
}

/** The project's config, or undefined when there is none. Throws a CliError: 2 for a bad config, 5 when trust had to be asked and could not. */
export async function loadProjectConfig(options: ProjectOptions): Promise<LoadedConfig | undefined> {
  const path = findProjectConfig(options.folder, options.file);
  if (path === undefined) return undefined;
  requireRegularFile(path);
  await requireTrust(path, options, codeSubject);
  return loadFile(path, 'project');
}

/** The user's own config: `agent.config.ts` or `config.json` in the user's config folder. */
export async function loadUserConfig(folder = userConfigFolder()): Promise<LoadedConfig | undefined> {
  const path = [...configNames, 'config.json'].map((name) => join(folder, name)).find((candidate) => existsSync(candidate));
  return path === undefined ? undefined : loadFile(path, 'user');
}

/** Why a file of the project must be agreed to before it counts, and what to do about one that is not wanted. */
export interface TrustSubject {
  reason: string;
  remedy: string;
}

const codeSubject: TrustSubject = { reason: 'is code that runs with your rights', remedy: 'Use --config for another file.' };

/** `address`: the variable and its value. */
export function serverSubject(address: string): TrustSubject {
  return { reason: `names the server that your prompts and files would be sent to (${address})`, remedy: 'Take the address out of it.' };
}

/** Returns when the present content of the file is agreed to, now or before. Throws a CliError: 5 where nobody can be asked, 2 for a no. */
export async function requireTrust(path: string, { trust, ask }: Pick<ProjectOptions, 'trust' | 'ask'>, subject: TrustSubject): Promise<void> {
  if (trust) return;
  const { rememberTrust, trustState } = await import('./trust.js');
  const state = trustState(path);
  if (state === 'trusted') return;
  const when = state === 'new' ? 'you have not agreed to it yet' : 'it, or a file it imports, has changed since you agreed to it';
  const text = `${path} ${subject.reason}, and ${when}`;
  if (ask === undefined) throw new CliError(`${text}; nobody can be asked here.`, exitCode.unanswered, 'Run with --trust (or HAFT_TRUST=1), or say yes once in a terminal.');
  if (!(await ask(text))) throw new CliError(`${path} was not trusted, so nothing was run.`, exitCode.usage, subject.remedy);
  rememberTrust(path);
}

async function loadFile(path: string, kind: 'project' | 'user'): Promise<LoadedConfig> {
  requireRegularFile(path);
  const isData = path.endsWith('.json');
  const packages = isData ? {} : await checkPackages(path);
  const config = isData ? readJson(path) : await importDefault(path);
  const { readConfig } = await import('./check-config.js');
  const { values, problems } = readConfig(config);
  if (problems.length > 0) {
    throw new CliError(problems.map(({ key, message }) => `${path}: ${key === '' ? 'the config' : key} ${message}`).join('\n'));
  }
  return { ...toLayer(values as AgentConfig, path, kind), packages };
}

/** Plugins that do not fit this core, or say nothing sensible of themselves, stop here: before any of their code runs. */
async function checkPackages(path: string): Promise<Record<string, unknown>> {
  const { pluginPackages } = await import('../loader/plugin-packages.js');
  const found = pluginPackages(path);
  if (found.length === 0) return {};
  const { readManifest } = await import('@haft/core');
  for (const { path: where, manifest } of found) readManifest(manifest, where);
  return Object.fromEntries(found.map(({ plugin, manifest }) => [plugin, manifest]));
}

async function importDefault(path: string): Promise<unknown> {
  const { loadModule } = await import('../loader/load-module.js');
  const exports = await loadModule(path);
  if (!('default' in exports)) throw new CliError(`${path} has no default export.`, 2, 'Write: export default defineConfig({ … })');
  return exports.default;
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readRegularFile(path));
  } catch (error) {
    throw new CliError(`${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`, 2, undefined, { cause: error });
  }
}

function toLayer(config: AgentConfig, path: string, kind: 'project' | 'user'): Omit<LoadedConfig, 'packages'> {
  const { permissions, limits, workspace, plugins, ...plain } = config;
  const { mode, ...rules } = permissions ?? {};
  const values = {
    ...plain,
    ...limits,
    permissionMode: mode,
    extraRoots: workspace?.extraRoots?.map((root) => ({ ...root, path: isAbsolute(root.path) ? root.path : resolve(dirname(path), root.path) })),
    denyPaths: workspace?.deny,
    readOnlyPaths: workspace?.readOnly,
  };
  const present = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<SettingValues>;
  return { path, layer: { kind, where: path, values: present, rules }, plugins };
}
