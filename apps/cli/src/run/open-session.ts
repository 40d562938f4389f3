// The stored conversation of a run: a new one, the last one of this folder, or a named one.
import { type AgentSession, type FileSession, SessionStore, type SessionSummary } from '@haft/agent';
import { join } from 'node:path';
import type { Flags } from '../command/flag-layer.js';
import { ensureFolder, stateFolder } from '../config/paths.js';
import { CliError } from '../exit-code.js';
import { sanitiseLine } from '../output/sanitise.js';
import type { Terminal } from '../output/terminal.js';

/** The sessions of this user. */
export function openSessionStore(): SessionStore {
  return SessionStore.open(ensureFolder(join(stateFolder(), 'sessions')));
}

/** Undefined with --no-session: the conversation is kept in memory. Lines that cannot be read are told. Throws a CliError or SessionError. */
export function openSession(flags: SessionFlags, root: string, terminal: Terminal): AgentSession | undefined {
  const session = choose(flags, root);
  if (session === undefined || session.problems.length === 0) return session;
  const [{ line, reason } = { line: 0, reason: '' }] = session.problems;
  terminal.note(terminal.colors.yellow(`session ${session.id}: ${session.problems.length} lines could not be read and are left out (line ${line}: ${sanitiseLine(reason)})`));
  return session;
}

/** What --continue or --resume would go on with; undefined where there is no such session, or none of them is given. */
export function chosenSummary(flags: SessionFlags, root: string): SessionSummary | undefined {
  if (flags.resume !== undefined) return openSessionStore().list().find(({ id }) => id === wholeId(flags.resume ?? ''));
  return flags.continue === true ? openSessionStore().latest(root) : undefined;
}

/** The id that begins so, where there is exactly one; else what is given. Throws a CliError where there are several. */
export function wholeId(given: string): string {
  const ids = openSessionStore().list().map(({ id }) => id);
  const found = ids.includes(given) || given === '' ? [given] : ids.filter((id) => id.startsWith(given));
  if (found.length > 1) throw new CliError(`${found.length} sessions begin with "${given}": ${found.slice(0, 5).join(', ')}${found.length > 5 ? ' …' : ''}.`, 2, 'Give more of the id.');
  return found[0] ?? given;
}

type SessionFlags = Pick<Flags, 'session' | 'continue' | 'resume'>;

function choose(flags: SessionFlags, root: string): FileSession | undefined {
  const continuing = flags.continue === true || flags.resume !== undefined;
  if (flags.continue === true && flags.resume !== undefined) throw new CliError('--continue and --resume cannot be combined: one session is gone on with.');
  if (!flags.session) {
    if (continuing) throw new CliError('--no-session cannot be combined with --continue or --resume.');
    return undefined;
  }
  const store = openSessionStore();
  if (flags.resume !== undefined) return store.load(wholeId(flags.resume));
  if (flags.continue !== true) return store.create({ cwd: root });
  const latest = store.latest(root);
  if (latest === undefined) throw new CliError(`There is no session in ${root} to go on with.`, 2, 'haft sessions list shows all of them.');
  return store.load(latest.id);
}
