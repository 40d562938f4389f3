// All sources of settings together: flags, environment, .env, the project's config, the user's config, defaults.
import type { Plugin } from '@haft/core';
import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError } from '../exit-code.js';
import { envFileLayer, environmentLayer } from './environment.js';
import { type LoadedConfig, loadProjectConfig, loadUserConfig, requireTrust, type TrustQuestion, serverSubject } from './load-config.js';
import { type Layer, mergeLayers, type Settings } from './settings.js';

export interface ResolvedSettings {
  /** Absolute real path of the working directory: the workspace's root. */
  root: string;
  settings: Settings;
  /** Strongest first; their rules all count. */
  layers: readonly Layer[];
  /** Undefined: no config names any. */
  plugins: readonly Plugin[] | undefined;
  project: LoadedConfig | undefined;
  user: LoadedConfig | undefined;
  envFile: Readonly<Record<string, string | undefined>>;
}

export interface SettingsRequest {
  flags: Layer;
  cwd?: string | undefined;
  configFile?: string | undefined;
  trust: boolean;
  askTrust?: TrustQuestion | undefined;
  env?: Readonly<Record<string, string | undefined>>;
}

export const defaultLayer: Layer = {
  kind: 'default',
  where: 'built in',
  values: { permissionMode: 'ask', maxTurns: 50, maxParallelCalls: 8, toolTimeoutMs: 120_000, maxOutputChars: 30_000, denyPaths: [], readOnlyPaths: ['.git/hooks/**', '.git/config', 'agent.config.*'] },
};

/** Throws a CliError that names the source. */
export async function resolveSettings(request: SettingsRequest): Promise<ResolvedSettings> {
  const env = request.env ?? process.env;
  const root = workingDirectory(request.cwd);
  const environment = environmentLayer(env);
  const file = request.configFile ?? (env.HAFT_CONFIG || undefined);
  const trust = request.trust || env.HAFT_TRUST === '1';
  const project = await loadProjectConfig({ folder: root, file, trust, ask: request.askTrust });
  const user = await loadUserConfig();
  const envFile = envFileLayer(root);
  if (envFile.strangeAddress !== undefined) await requireTrust(envFile.path, { trust, ask: request.askTrust }, serverSubject(envFile.strangeAddress));
  const loaded = [project?.layer, user?.layer].filter((layer) => layer !== undefined);
  const layers = [request.flags, environment, envFile.layer, ...loaded, defaultLayer];
  const plugins = project?.plugins ?? user?.plugins;
  return { root, settings: mergeLayers(layers), layers, plugins, project, user, envFile: envFile.variables };
}

/** The real path of `--cwd`, else of the current directory. Throws a CliError when it is no folder. */
export function workingDirectory(cwd = '.'): string {
  const path = resolve(cwd);
  if (!(statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false)) throw new CliError(`--cwd: ${path} is not a folder.`);
  return realpathSync(path);
}
