// `haft config show [--origin]`: every setting, and where it comes from. Keys are never shown.
import type { ResolvedSettings } from '../config/resolve-settings.js';
import { configKeys, type Origin, type Settings } from '../config/settings.js';
import { type ExitCode, exitCode } from '../exit-code.js';
import { chooseModel, type ModelSources } from '../model/choose-model.js';
import { safeJson } from '../output/safe-json.js';
import { showTable } from '../output/table.js';
import { settingsFor } from '../run/settings-for.js';
import type { Invocation } from './program.js';

interface Row {
  key: string;
  value: unknown;
  origin: Origin;
}

export async function showConfig(options: { origin?: boolean; json?: boolean }, invocation: Invocation): Promise<ExitCode> {
  const resolved = await settingsFor(invocation);
  const rows = [...settingRows(resolved), pluginsRow(resolved), ...ruleRows(resolved)];
  const { terminal } = invocation;
  if (options.json === true) terminal.answer(`${safeJson(asData(rows), 2)}\n`);
  else if (options.origin === true) showTable(['SETTING', 'FROM', 'WHERE', 'VALUE'], rows.map(({ key, origin, value }) => [key, origin.kind, origin.where, shown(value)]), terminal);
  else showTable(['SETTING', 'VALUE'], rows.map(({ key, value }) => [key, shown(value)]), terminal);
  return exitCode.done;
}

const notSet: Origin = { kind: 'default', where: 'not set' };

/** All of them, under the names that a config gives them. */
function settingRows({ settings, envFile }: ResolvedSettings): Row[] {
  return Object.entries(configKeys).map(([name, key]) => {
    const setting = settings[name as keyof Settings];
    if (setting === undefined && name === 'model') return modelRow(key, settings, envFile);
    if (setting === undefined) return { key, value: null, origin: notSet };
    return { key, value: name === 'apiKey' ? '(set)' : setting.value, origin: setting.origin };
  });
}

/** Which model runs where none is named. A choice that cannot be made is told by the commands that need a model. */
function modelRow(key: string, settings: Settings, envFile: ModelSources['envFile']): Row {
  if (settings.apiKey !== undefined || settings.baseURL !== undefined) return { key, value: null, origin: notSet };
  const { provider, model, origin } = chooseModel(settings, { env: process.env, envFile });
  return { key, value: provider === 'offline' ? provider : `${provider}:${model}`, origin };
}

function pluginsRow({ plugins, project, user }: ResolvedSettings): Row {
  if (plugins === undefined) return { key: 'plugins', value: ['fs', 'shell'], origin: { kind: 'default', where: 'built in' } };
  const origin: Origin = project?.plugins === undefined ? { kind: 'user', where: user?.path ?? '' } : { kind: 'project', where: project.path };
  return { key: 'plugins', value: plugins.map((plugin) => plugin.name), origin };
}

/** One for each source: the rules of all count. */
function ruleRows({ layers }: ResolvedSettings): Row[] {
  return (['allow', 'ask', 'deny'] as const).flatMap((verdict): Row[] => {
    const key = `permissions.${verdict}`;
    const rows = layers.map(({ rules, kind, where }) => ({ key, value: rules?.[verdict] ?? [], origin: { kind, where } })).filter(({ value }) => value.length > 0);
    return rows.length === 0 ? [{ key, value: null, origin: notSet }] : rows;
  });
}

/** Key → value and origin; where several sources add up, the value is all of theirs, and `sources` has each. */
function asData(rows: readonly Row[]): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  for (const { key } of rows) {
    const own = rows.filter((row) => row.key === key).map(({ value, origin }) => ({ value, origin }));
    data[key] = own.length === 1 ? own[0] : { value: own.flatMap(({ value }) => value), origin: own[0]?.origin, sources: own };
  }
  return data;
}

function shown(value: unknown): string {
  if (value === null) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
