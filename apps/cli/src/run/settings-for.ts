// The settings of a command, with the project's trust asked for where somebody can answer.
import { flagLayer } from '../command/flag-layer.js';
import type { Invocation } from '../command/program.js';
import type { TrustQuestion } from '../config/load-config.js';
import { type ResolvedSettings, resolveSettings } from '../config/resolve-settings.js';

export async function settingsFor({ flags, terminal }: Invocation): Promise<ResolvedSettings> {
  const ask: TrustQuestion = async (text) => (await import('./trust-question.js')).askTrust(terminal)(text);
  return resolveSettings({
    flags: flagLayer(flags),
    cwd: flags.cwd,
    configFile: flags.config,
    trust: flags.trust ?? false,
    askTrust: terminal.interactive ? ask : undefined,
  });
}
