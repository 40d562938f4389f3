// The versions that a scaffold names: those that this command runs with.
import { readVersion } from '../config/version.js';

export interface Versions {
  /** Range of core that a plugin says it works with. */
  core: string;
  project: Record<string, string>;
  development: Record<string, string>;
}

export function currentVersions(): Versions {
  const haft = `^${readVersion()}`;
  return {
    core: haft,
    project: { '@haft/cli': haft, '@haft/core': haft, '@haft/plugin-fs': haft, '@haft/plugin-shell': haft, 'class-validator': '^0.15.1' },
    development: { '@types/node': '^20.19.0', typescript: '>=5.9' },
  };
}
