// Which project configs may run: a config is code, so the user says yes once for each content of it.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../exit-code.js';
import { hashOfSources } from '../loader/source-graph.js';
import { ensureFolder, stateFolder } from './paths.js';
import { readRegularFile } from './regular-file.js';

interface TrustFile {
  version: 1;
  /** By absolute path of the config: the sha256 that was agreed to. */
  trusted: Record<string, { hash: string; at: string }>;
}

export type TrustState = 'trusted' | 'new' | 'changed';

/** Whether this very content of the config, with the files it imports, was agreed to. */
export function trustState(configPath: string): TrustState {
  const known = readTrust().trusted[configPath];
  if (known === undefined) return 'new';
  return known.hash === hashOfSources(configPath) ? 'trusted' : 'changed';
}

/** Remembers the config's present content as agreed to. */
export function rememberTrust(configPath: string): void {
  const file = readTrust();
  file.trusted[configPath] = { hash: hashOfSources(configPath), at: new Date().toISOString() };
  const path = trustPath();
  writeFileSync(`${path}.${process.pid}`, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.${process.pid}`, path);
}

function readTrust(): TrustFile {
  const path = trustPath();
  let text: string;
  try {
    text = readRegularFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { version: 1, trusted: {} };
    throw error;
  }
  try {
    const file = JSON.parse(text) as TrustFile;
    return { version: 1, trusted: Object.assign(Object.create(null), file.trusted) };
  } catch (error) {
    throw new CliError(`${path} is not valid JSON.`, 2, 'Delete it; you will be asked again for each project.', { cause: error });
  }
}

function trustPath(): string {
  return join(ensureFolder(stateFolder()), 'trust.json');
}
