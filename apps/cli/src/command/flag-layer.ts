// The values of the common flags, and the strongest layer of settings that they make.
import type { PermissionMode } from '../config/define-config.js';
import type { Layer, SettingValues } from '../config/settings.js';
import type { ColorChoice } from '../output/terminal.js';

export type OutputFormat = 'text' | 'json' | 'stream-json';

export interface Flags {
  cwd?: string;
  model?: string;
  config?: string;
  outputFormat: OutputFormat;
  yes?: boolean;
  allow: string[];
  deny: string[];
  permissionMode?: PermissionMode;
  tools?: string[];
  maxTurns?: number;
  maxCost?: number;
  /** False with --no-session. */
  session: boolean;
  continue?: boolean;
  resume?: string;
  trust?: boolean;
  color: ColorChoice;
  quiet?: boolean;
  verbose?: boolean;
  print?: boolean;
}

/** The flags of `haft` without any. */
export const noFlags: Flags = { outputFormat: 'text', allow: [], deny: [], session: true, color: 'auto' };

/** The settings that the flags give. */
export function flagLayer(flags: Flags): Layer {
  const values: Partial<SettingValues> = {};
  const places: Partial<Record<keyof SettingValues, string>> = {};
  const set = <Key extends keyof SettingValues>(key: Key, value: SettingValues[Key] | undefined, flag: string): void => {
    if (value === undefined) return;
    values[key] = value;
    places[key] = flag;
  };
  set('model', flags.model, '--model');
  set('permissionMode', flags.permissionMode, '--permission-mode');
  set('tools', flags.tools, '--tools');
  set('maxTurns', flags.maxTurns, '--max-turns');
  set('maxCost', flags.maxCost, '--max-cost');
  return { kind: 'flag', where: 'flags', values, places, rules: { allow: flags.allow, deny: flags.deny } };
}
