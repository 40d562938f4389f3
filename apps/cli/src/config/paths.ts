// Where Haft keeps what outlives a run: state (sessions, grants, audit, trust) and the user's own configuration.
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** `$HAFT_HOME`, else `$XDG_STATE_HOME/haft`, else `~/.local/state/haft`. */
export function stateFolder(env: Environment = process.env): string {
  if (env.HAFT_HOME) return resolve(env.HAFT_HOME);
  return join(absoluteOr(env.XDG_STATE_HOME, join(homedir(), '.local', 'state')), 'haft');
}

/** `$HAFT_HOME`, else `$XDG_CONFIG_HOME/haft`, else `~/.config/haft`. */
export function userConfigFolder(env: Environment = process.env): string {
  if (env.HAFT_HOME) return resolve(env.HAFT_HOME);
  return join(absoluteOr(env.XDG_CONFIG_HOME, join(homedir(), '.config')), 'haft');
}

/** The folder, made if needed, readable by its owner alone. Throws the system's error. */
export function ensureFolder(folder: string): string {
  if (!made(folder)) {
    ensureFolder(dirname(folder));
    made(folder, true);
  }
  return folder;
}

/** False where the folder above is missing. Not mkdir's own recursion, which never ends below /proc on Node 20. */
function made(folder: string, last = dirname(folder) === folder): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !last) return false;
    if (code === 'EEXIST' && statSync(folder).isDirectory()) return true;
    throw error;
  }
}

/** What is in the folder; nothing when it is not there. */
export function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** The XDG specification ignores relative values. */
function absoluteOr(value: string | undefined, fallback: string): string {
  return value !== undefined && isAbsolute(value) ? value : fallback;
}
