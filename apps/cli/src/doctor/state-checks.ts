// Where Haft keeps sessions, grants and the audit log: private, writable, whole.
import { createGrantStore, verifyAuditLog } from '@haft/core';
import { stateFolderProblem } from '../config/state-folder.js';
import { stateFolder } from '../config/paths.js';
import { openSessionStore } from '../run/open-session.js';
import { type Finding, ok, problem, problemOf, warning } from './check.js';

export async function stateChecks(root: string): Promise<Finding[]> {
  const folder = stateFolder();
  const trouble = stateFolderProblem(folder);
  if (trouble !== undefined) return [problem('state', trouble, 'Mend its owner and mode, or set HAFT_HOME to another folder.')];
  return [ok('state', folder), checkSessions(), await checkAudit(folder), checkGrants(folder, root)];
}

function checkSessions(): Finding {
  try {
    return ok('sessions', `${openSessionStore().list().length} stored`);
  } catch (error) {
    return problemOf('sessions', error);
  }
}

async function checkAudit(folder: string): Promise<Finding> {
  const { whole, count, problems } = await verifyAuditLog(folder);
  if (whole) return ok('audit', `${count} records, whole`);
  return problem('audit', `the log is not whole: ${problems.join('; ')}`, 'Somebody or something changed it. `haft audit archive` sets it aside, and a new one begins.');
}

function checkGrants(folder: string, root: string): Finding {
  const store = createGrantStore(folder, { root });
  const trouble = store.problem();
  if (trouble !== undefined) return warning('grants', `stored answers do not count: ${trouble}`, 'Move the grants file away; you will be asked again.');
  return ok('grants', `${store.list().length} for this folder`);
}
