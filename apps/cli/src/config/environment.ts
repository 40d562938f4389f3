// Settings from environment variables, and from the project's .env, which may only name a model and how to reach it.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { CliError } from '../exit-code.js';
import type { PermissionMode } from './define-config.js';
import { readRegularFile } from './regular-file.js';
import { type Layer, permissionModes, type SettingValues } from './settings.js';

type Environment = Readonly<Record<string, string | undefined>>;
type Reader = (text: string, name: string) => Partial<SettingValues>;

const providerVariables: Readonly<Record<string, Reader>> = {
  HAFT_MODEL: (model) => ({ model }),
  MODEL: (model) => ({ model }),
  HAFT_BASE_URL: (baseURL) => ({ baseURL }),
  BASE_URL: (baseURL) => ({ baseURL }),
  HAFT_API_KEY: (apiKey) => ({ apiKey }),
  MODEL_API_KEY: (apiKey) => ({ apiKey }),
};

const ownVariables: Readonly<Record<string, Reader>> = {
  ...providerVariables,
  HAFT_PERMISSION_MODE: (text, name) => ({ permissionMode: oneOf(text, permissionModes, name) }),
  HAFT_TOOLS: (text) => ({ tools: text.split(',').map((tool) => tool.trim()) }),
  HAFT_MAX_TURNS: (text, name) => ({ maxTurns: positive(text, name, true) }),
  HAFT_MAX_PARALLEL_CALLS: (text, name) => ({ maxParallelCalls: positive(text, name, true) }),
  HAFT_MAX_COST: (text, name) => ({ maxCost: positive(text, name, false) }),
  HAFT_TOOL_TIMEOUT_MS: (text, name) => ({ toolTimeoutMs: positive(text, name, true) }),
};

/** The variables that make settings. */
export const ownVariableNames: readonly string[] = Object.keys(ownVariables);

/** The layer of the real environment. Throws a CliError that names the variable. */
export function environmentLayer(env: Environment): Layer {
  return readLayer(env, ownVariables, 'environment', 'environment');
}

export interface EnvFile {
  path: string;
  layer: Layer;
  variables: Environment;
  /** The server that it names, if that is not on this machine: `BASE_URL=https://…`. */
  strangeAddress?: string;
}

/** What a `.env` beside the project's config may set; an absent file gives an empty layer. */
export function envFileLayer(folder: string): EnvFile {
  const path = join(folder, '.env');
  const variables = readEnvFile(path);
  const strange = Object.entries(variables).find(([name, value]) => name.endsWith('BASE_URL') && !isLocalAddress(value ?? ''));
  return { path, layer: readLayer(variables, providerVariables, 'env file', path), variables, ...(strange && { strangeAddress: strange.join('=') }) };
}

/** A server on this machine: nothing that is sent there leaves it. */
export function isLocalAddress(address: string): boolean {
  return /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])([:/]|$)/.test(address.trim());
}

function readEnvFile(path: string): Environment {
  let text: string;
  try {
    // A folder of that name is a Python environment.
    if (statSync(path).isDirectory()) return {};
    text = readRegularFile(path);
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'EACCES' || code === 'ENOTDIR') return {};
    throw new CliError(`Cannot read ${path}: ${String(error)}`, 2, undefined, { cause: error });
  }
  return parseEnv(text) as Environment;
}

function readLayer(env: Environment, readers: Readonly<Record<string, Reader>>, kind: Layer['kind'], where: string): Layer {
  const values: Partial<SettingValues> = {};
  const places: Partial<Record<keyof SettingValues, string>> = {};
  for (const [name, reader] of Object.entries(readers)) {
    const text = env[name]?.trim();
    if (text === undefined || text === '') continue;
    for (const [key, value] of Object.entries(reader(text, name))) {
      if (key in values) continue;
      Object.assign(values, { [key]: value });
      places[key as keyof SettingValues] = kind === 'environment' ? name : `${where} (${name})`;
    }
  }
  return { kind, where, values, places };
}

function oneOf(text: string, values: readonly PermissionMode[], name: string): PermissionMode {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new CliError(`${name} must be one of ${values.join(', ')}, not ${JSON.stringify(text)}.`);
  return found;
}

function positive(text: string, name: string, whole: boolean): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value) && (!whole || Number.isInteger(value))) return value;
  throw new CliError(`${name} must be a ${whole ? 'whole ' : ''}number above 0, not ${JSON.stringify(text)}.`);
}
