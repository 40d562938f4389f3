// `haft sessions list|show|export|rm`.
import { workingDirectory } from '../config/resolve-settings.js';
import { type ExitCode, exitCode } from '../exit-code.js';
import { safeJson } from '../output/safe-json.js';
import { sanitise } from '../output/sanitise.js';
import { showTable } from '../output/table.js';
import { openSessionStore, wholeId } from '../run/open-session.js';
import { localTime, titleOf } from '../text/session-line.js';
import type { Invocation } from './program.js';
import type { SessionExport } from './session-commands.js';

export async function listSessions(options: { all?: boolean; json?: boolean }, { flags, terminal }: Invocation): Promise<ExitCode> {
  const here = workingDirectory(flags.cwd);
  const found = openSessionStore().list().filter((session) => options.all === true || session.cwd === here);
  if (options.json === true) terminal.answer(`${safeJson(found, 2)}\n`);
  else if (found.length === 0) terminal.note(`No sessions of ${here}; --all shows those of other folders.`);
  else showTable(['ID', 'CHANGED', 'MODEL', 'TITLE'], found.map((session) => [session.id, localTime(session.updatedMs), session.model ?? '-', titleOf(session)]), terminal);
  return Promise.resolve(exitCode.done);
}

export async function showSession(id: string, format: SessionExport, { terminal }: Invocation): Promise<ExitCode> {
  const text = openSessionStore().export(wholeId(id), format);
  terminal.answer(format === 'markdown' || terminal.answerIsTerminal ? sanitise(text) : text);
  return Promise.resolve(exitCode.done);
}

export async function removeSessions(ids: readonly string[], { terminal }: Invocation): Promise<ExitCode> {
  const store = openSessionStore();
  for (const id of ids) {
    store.remove(id);
    terminal.note(`deleted ${id}`);
  }
  return Promise.resolve(exitCode.done);
}
