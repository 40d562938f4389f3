// Settings with their origin: layers from flags down to defaults, merged key by key; rules add up instead of replacing each other.
import type { PermissionMode, RatesConfig } from './define-config.js';

export const permissionModes = ['read-only', 'ask', 'auto-edit', 'unattended'] as const satisfies readonly PermissionMode[];

export interface SettingValues {
  name: string;
  model: string;
  baseURL: string;
  apiKey: string;
  instructions: string;
  tools: readonly string[];
  permissionMode: PermissionMode;
  maxTurns: number;
  maxParallelCalls: number;
  maxCost: number;
  maxRunMs: number;
  toolTimeoutMs: number;
  maxOutputChars: number;
  rates: RatesConfig<string>;
  extraRoots: readonly { path: string; access: 'read' | 'write' }[];
  denyPaths: readonly string[];
  readOnlyPaths: readonly string[];
}

/** The place of each setting in a config; the key alone is never in one. */
export const configKeys: Readonly<Record<keyof SettingValues, string>> = {
  name: 'name',
  model: 'model',
  baseURL: 'baseURL',
  apiKey: 'apiKey',
  instructions: 'instructions',
  tools: 'tools',
  permissionMode: 'permissions.mode',
  maxTurns: 'limits.maxTurns',
  maxParallelCalls: 'limits.maxParallelCalls',
  maxCost: 'limits.maxCost',
  maxRunMs: 'limits.maxRunMs',
  toolTimeoutMs: 'limits.toolTimeoutMs',
  maxOutputChars: 'limits.maxOutputChars',
  rates: 'limits.rates',
  extraRoots: 'workspace.extraRoots',
  denyPaths: 'workspace.deny',
  readOnlyPaths: 'workspace.readOnly',
};

export type OriginKind = 'flag' | 'environment' | 'env file' | 'project' | 'user' | 'default';

export interface Origin {
  kind: OriginKind;
  /** A flag, a variable or a file. */
  where: string;
}

export interface Setting<T> {
  value: T;
  origin: Origin;
}

export interface RuleLines {
  allow?: readonly string[];
  ask?: readonly string[];
  deny?: readonly string[];
}

export interface Layer {
  kind: OriginKind;
  /** Default place of this layer's values. */
  where: string;
  values: Partial<SettingValues>;
  /** The place of single values, where it differs: the flag or variable. */
  places?: Partial<Record<keyof SettingValues, string>>;
  rules?: RuleLines;
}

export type Settings = { readonly [Key in keyof SettingValues]?: Setting<SettingValues[Key]> };

/** Values that add up over the layers: a project cannot drop what the user protects. */
const additive = ['denyPaths', 'readOnlyPaths'] as const;

/** `layers` in order of precedence, strongest first. */
export function mergeLayers(layers: readonly Layer[]): Settings {
  const merged: Record<string, Setting<unknown>> = {};
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer.values)) {
      if (value === undefined || Object.hasOwn(merged, key)) continue;
      merged[key] = { value, origin: { kind: layer.kind, where: layer.places?.[key as keyof SettingValues] ?? layer.where } };
    }
  }
  for (const key of additive) {
    const all = layers.flatMap((layer) => layer.values[key] ?? []);
    const first = merged[key];
    if (first !== undefined) first.value = [...new Set(all)];
  }
  return merged as Settings;
}
