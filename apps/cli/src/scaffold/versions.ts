// The versions that a scaffold names: those that this command runs with. From a clone, where nothing is published, they are the clone's folders.
import { join } from 'node:path';
import { ownFile } from '../config/package-folder.js';
import { readVersion } from '../config/version.js';
import { fileExists } from '../config/write-new-files.js';

export interface Versions {
  /** Range of core that a plugin says it works with. */
  core: string;
  /** What a project depends on: package → range, or `file:` and a folder of the clone. */
  project: Record<string, string>;
  plugin: Record<string, string>;
  development: Record<string, string>;
  /** The clone that the command runs from; undefined for an installed one. */
  clone: string | undefined;
}

const folders: Readonly<Record<string, string>> = { '@haft/cli': 'apps/cli', '@haft/core': 'packages/core', '@haft/plugin-fs': 'plugins/fs', '@haft/plugin-shell': 'plugins/shell' };
const validator = { 'class-validator': '^0.15.1' };

export function currentVersions(clone = cloneFolder()): Versions {
  const range = `^${readVersion()}`;
  const own = (name: string): [string, string] => [name, clone === undefined ? range : `file:${clone}${folders[name] ?? ''}`];
  return {
    core: range,
    project: { ...Object.fromEntries(Object.keys(folders).map(own)), ...validator },
    plugin: { ...Object.fromEntries(['@haft/cli', '@haft/core'].map(own)), ...validator },
    development: { '@types/node': '^20.19.0', typescript: '>=5.9' },
    clone,
  };
}

/** The root of the repository, with a slash at its end, when this file is in it and not in a package of a node_modules folder. */
function cloneFolder(): string | undefined {
  const root = `${join(ownFile(), '..', '..')}/`;
  return fileExists(`${root}pnpm-workspace.yaml`) && fileExists(`${root}apps/cli/package.json`) ? root : undefined;
}
