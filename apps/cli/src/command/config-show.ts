// `haft config show [--origin]`: every setting, and where it comes from. Keys are never shown.
import type { Origin } from '../config/settings.js';
import { type ExitCode, exitCode } from '../exit-code.js';
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
  const rows: Row[] = Object.entries(resolved.settings).map(([key, { value, origin }]) => ({ key, value: key === 'apiKey' ? '(set)' : value, origin }));
  if (resolved.plugins !== undefined) {
    const origin: Origin = resolved.project?.plugins === undefined ? { kind: 'user', where: resolved.user?.path ?? '' } : { kind: 'project', where: resolved.project.path };
    rows.push({ key: 'plugins', value: resolved.plugins.map((plugin) => plugin.name), origin });
  } else {
    rows.push({ key: 'plugins', value: ['fs', 'shell'], origin: { kind: 'default', where: 'built in' } });
  }
  for (const { rules, kind, where } of resolved.layers) {
    for (const [verdict, lines] of Object.entries(rules ?? {})) {
      if (lines !== undefined && lines.length > 0) rows.push({ key: verdict, value: lines, origin: { kind, where } });
    }
  }
  const { terminal } = invocation;
  if (options.json === true) terminal.answer(`${safeJson(Object.fromEntries(rows.map(({ key, ...row }) => [key, row])), 2)}\n`);
  else if (options.origin === true) showTable(['SETTING', 'FROM', 'WHERE', 'VALUE'], rows.map(({ key, origin, value }) => [key, origin.kind, origin.where, shown(value)]), terminal);
  else showTable(['SETTING', 'VALUE'], rows.map(({ key, value }) => [key, shown(value)]), terminal);
  return exitCode.done;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
