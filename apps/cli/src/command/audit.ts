// `haft audit show|verify|archive`.
import { type ReadRecord, archiveAuditLog, readAuditLog, verifyAuditLog } from '@haft/core';
import { ensureFolder, namesIn, stateFolder } from '../config/paths.js';
import { CliError, type ExitCode, exitCode } from '../exit-code.js';
import { safeJson } from '../output/safe-json.js';
import { sanitise } from '../output/sanitise.js';
import { didYouMean } from '../text/did-you-mean.js';
import { auditLine } from './audit-line.js';
import type { Invocation } from './program.js';

/** The last `count` records, or all. */
export async function showAudit(count: number | undefined, asJson: boolean, { terminal }: Invocation): Promise<ExitCode> {
  const last: ReadRecord[] = [];
  await readAuditLog(stateFolder(), (entry) => {
    last.push(entry);
    if (count !== undefined && last.length > count) last.shift();
  }, count);
  for (const entry of last) terminal.answer(`${asJson ? safeJson(entry) : auditLine(entry)}\n`);
  if (last.length === 0) terminal.note('The audit log is empty.');
  return exitCode.done;
}

export async function verifyAudit(archive: string | undefined, asJson: boolean, { terminal }: Invocation): Promise<ExitCode> {
  if (archive !== undefined) requireArchive(archive);
  const verification = await verifyAuditLog(stateFolder(), archive);
  const { whole, count, problems, tornBytes } = verification;
  if (asJson) terminal.answer(`${safeJson(verification)}\n`);
  else if (whole) terminal.answer(`whole: ${count} records${tornBytes > 0 ? `, and ${tornBytes} bytes of one that was never finished` : ''}\n`);
  else terminal.answer(sanitise(`NOT whole: ${count} records are good, then: ${problems.join('; ')}\n`));
  return whole ? exitCode.done : exitCode.failed;
}

/** What was never set aside is neither whole nor damaged. Throws a CliError. */
function requireArchive(archive: string): void {
  const names = namesIn(stateFolder()).flatMap((file) => /^audit\.(.+?)(?:-\d{12,})?\.(?:jsonl|anchor|key)$/.exec(file)?.[1] ?? []);
  if (names.includes(archive)) return;
  const known = [...new Set(names)].sort();
  throw new CliError(`There is no archive ${archive}.${didYouMean(archive, known)}`, exitCode.usage, known.length === 0 ? 'No audit log has been set aside yet.' : `Archives: ${known.join(', ')}.`);
}

export async function archiveAudit({ terminal }: Invocation): Promise<ExitCode> {
  const archive = await archiveAuditLog(ensureFolder(stateFolder()));
  if (archive === undefined) terminal.note('There is no audit log to set aside.');
  else terminal.note(`set aside as ${archive}; haft audit verify ${archive} checks it`);
  return exitCode.done;
}
