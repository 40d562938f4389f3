// The stored conversation of a run: a new one, the last one of this folder, or a named one.
import { type AgentSession, SessionStore } from '@haft/agent';
import { join } from 'node:path';
import type { Flags } from '../command/flags.js';
import { stateFolder } from '../config/paths.js';
import { CliError } from '../exit-code.js';

/** The sessions of this user. */
export function openSessionStore(): SessionStore {
  return SessionStore.open(join(stateFolder(), 'sessions'));
}

/** Undefined with --no-session: the conversation is kept in memory. Throws a CliError or SessionError. */
export function openSession(flags: Pick<Flags, 'session' | 'continue' | 'resume'>, root: string): AgentSession | undefined {
  const continuing = flags.continue === true || flags.resume !== undefined;
  if (!flags.session) {
    if (continuing) throw new CliError('--no-session cannot be combined with --continue or --resume.');
    return undefined;
  }
  const store = openSessionStore();
  if (flags.resume !== undefined) return store.load(flags.resume);
  if (flags.continue !== true) return store.create({ cwd: root });
  const latest = store.latest(root);
  if (latest === undefined) throw new CliError(`There is no session in ${root} to go on with.`, 2, 'haft sessions list shows all of them.');
  return store.load(latest.id);
}
