/** Sets an audit log aside, whole or damaged, so that a new one begins: nothing is deleted, and the old one can still be verified. */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { auditParts, auditPaths } from './audit-log-files.js';
import { withFileLock } from './file-lock.js';

/**
 * Moves log, full files, anchor and key to names that carry the time; the next record starts a new log with a new key.
 * Resolves with the archive's name, as `verifyAuditLog` takes it, or undefined when there is nothing to set aside.
 */
export async function archiveAuditLog(folder: string): Promise<string | undefined> {
  if (!existsSync(folder)) return undefined;
  const archive = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const from = auditPaths(folder);
  const to = auditPaths(folder, archive);
  return withFileLock(from.lock, () => {
    const full = auditParts(folder);
    for (const { name, path } of full) renameSync(path, join(folder, name.replace('audit', `audit.${archive}`)));
    const moved = (['log', 'anchor', 'key'] as const).filter((part) => existsSync(from[part]));
    for (const part of moved) renameSync(from[part], to[part]);
    return moved.length + full.length === 0 ? undefined : archive;
  });
}
