// The configuration files: found, trusted, loaded, right.
import type { Invocation } from '../command/program.js';
import type { ResolvedSettings } from '../config/resolve-settings.js';
import { settingsFor } from '../run/settings-for.js';
import { type Finding, ok, problemOf } from './check.js';

export interface ConfigFindings {
  findings: Finding[];
  /** Undefined when the configuration has a problem; what depends on it is then not checked. */
  resolved: ResolvedSettings | undefined;
}

export async function resolveForDoctor(invocation: Invocation): Promise<ConfigFindings> {
  try {
    const resolved = await settingsFor(invocation);
    const files = [resolved.project?.path, resolved.user?.path].filter((path) => path !== undefined);
    const message = files.length === 0 ? 'no config file; fs and shell with the defaults' : files.join(', ');
    const rules = resolved.layers.reduce((sum, { rules: own }) => sum + Object.values(own ?? {}).flat().length, 0);
    return { findings: [ok('config', `${message}; ${rules} rules`)], resolved };
  } catch (error) {
    return { findings: [problemOf('config', error)], resolved: undefined };
  }
}
