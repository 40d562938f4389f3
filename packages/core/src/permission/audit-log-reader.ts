/** Reads an audit log, all its files in order: whether it is whole, and what it says. */
import { SetupError } from '../errors.js';
import { type ChainHead, checkLine, emptyHead, parseAnchor } from './audit-log-chain.js';
import { type AuditFile, type AuditLine, auditPaths, withAuditFiles } from './audit-log-files.js';
import type { AuditRecord } from './ports.js';
import { readPrivateFile } from './private-file.js';

export interface AuditVerification {
  whole: boolean;
  /** Records that were checked and are good. */
  count: number;
  /** Plain sentences. Empty when the log is whole. */
  problems: string[];
  /** Bytes of an unfinished last record that was never acknowledged; the next write removes them. */
  tornBytes: number;
}

/** Checks every line, the chain between them, and the end against the anchor. Never throws for what is in the files. `archive`: the name of a log set aside. */
export async function verifyAuditLog(folder: string, archive?: string): Promise<AuditVerification> {
  if (archive !== undefined && !/^[\w-]+$/.test(archive)) throw new SetupError(`${JSON.stringify(archive)} is not the name of an archived audit log.`);
  const paths = auditPaths(folder, archive);
  // The anchor first: a running writer only adds to the log after it.
  const anchorText = readText(paths.anchor);
  const keyText = readText(paths.key) ?? '';
  const key = Buffer.from(keyText, 'hex');
  const anchor = anchorText === undefined ? undefined : parseAnchor(anchorText, key);
  const walked = await withAuditFiles(folder, archive, (files) => walk(files, key, anchor));
  const problems = [...walked.problems];
  // Also while a writer is making the files.
  if (archive === undefined && !anchorText && !walked.exists) return { whole: true, count: 0, problems: [], tornBytes: 0 };
  if (!/^[0-9a-f]{64}$/.test(keyText)) problems.unshift('the key is missing or damaged');
  if (!walked.anchor) problems.push('the anchor is missing, damaged, or signed with another key');
  else if (problems.length === 0) problems.push(...compareEnd(walked, walked.anchor));
  // The log came into being while it was read.
  if (problems.length > 0 && !anchorText && readText(paths.anchor)) return verifyAuditLog(folder, archive);
  return { whole: problems.length === 0, count: walked.head.count, problems, tornBytes: walked.torn };
}

interface Walk {
  /** There is a record, or a file that was full. */
  exists: boolean;
  head: ChainHead;
  anchor: ChainHead | undefined;
  /** The chain's code at the anchor's count. */
  anchoredMac?: string;
  problems: string[];
  torn: number;
}

/** Stops at the first problem, since nothing after it can be checked. */
async function walk(files: readonly AuditFile[], key: Buffer, anchor: ChainHead | undefined): Promise<Walk> {
  const state: Walk = { exists: files.some(({ part }) => part !== undefined), head: emptyHead, anchor, problems: [], torn: 0 };
  if (anchor?.count === 0) state.anchoredMac = emptyHead.mac;
  for (const file of files) {
    if (state.problems.length > 0) break;
    try {
      await walkFile(state, file, key);
    } catch (error) {
      state.exists = true;
      state.problems.push(`${file.part?.name ?? 'the log'} cannot be read: ${(error as Error).message}`);
    }
  }
  return state;
}

async function walkFile(state: Walk, { part, lines }: AuditFile, key: Buffer): Promise<void> {
  const where = part === undefined ? '' : `${part.name} `;
  let number = 0;
  for await (const { bytes, torn } of lines()) {
    number++;
    state.exists = true;
    if (torn && part === undefined) state.torn = bytes.length;
    else step(state, bytes, key, `${where}line ${number}`);
    if (state.problems.length > 0) return;
  }
  if (part !== undefined && state.head.count !== part.last) state.problems.push(`${part.name} ends with record ${state.head.count}`);
}

function step(state: Walk, line: Buffer, key: Buffer, where: string): void {
  const next = checkLine(line, state.head, key);
  if (typeof next === 'string') state.problems.push(`${where} ${next}`);
  else {
    state.head = next;
    if (next.count === state.anchor?.count) state.anchoredMac = next.mac;
  }
}

function compareEnd(walked: Walk, anchor: ChainHead): string[] {
  if (walked.head.count < anchor.count) return [`${anchor.count - walked.head.count} records were cut off the end (the anchor knows ${anchor.count})`];
  return walked.anchoredMac === anchor.mac ? [] : ['the anchor does not belong to this log'];
}

export type ReadRecord = AuditRecord | { unreadable: string };

/**
 * Passes every record to `visit`, in order and unchecked; a line that is none comes as its text. `last`: at least so many from the end, as far
 * as there are any, and older files are not opened.
 */
export async function readAuditLog(folder: string, visit: (record: ReadRecord) => void, last = Infinity): Promise<void> {
  await withAuditFiles(folder, undefined, async (files) => {
    for (const { lines } of await lastFiles(files, last)) {
      for await (const { bytes } of readable(lines)) {
        const text = bytes.toString('utf8');
        visit(parseRecord(text) ?? { unreadable: text });
      }
    }
  });
}

/** A file that cannot be read comes as one line that says so. */
async function* readable(lines: AuditFile['lines']): AsyncGenerator<AuditLine> {
  try {
    yield* lines();
  } catch (error) {
    yield { bytes: Buffer.from((error as Error).message), torn: false };
  }
}

/** The newest files that hold `last` records; how many a full one holds, the names tell. */
async function lastFiles(files: readonly AuditFile[], last: number): Promise<readonly AuditFile[]> {
  let held = 0;
  for (const [fromEnd, { part, lines }] of files.toReversed().entries()) {
    const at = files.length - 1 - fromEnd;
    if (part) held += part.last - (files[at - 1]?.part?.last ?? 0);
    else for await (const line of readable(lines)) held += line.torn ? 0 : 1;
    if (held >= last) return files.slice(at);
  }
  return files;
}

function parseRecord(text: string): AuditRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as AuditRecord) : undefined;
  } catch {
    return undefined; // The caller gets the text.
  }
}

/** What is there and is no file is as good as damaged. */
function readText(path: string): string | undefined {
  try {
    return readPrivateFile(path);
  } catch {
    return 'unreadable';
  }
}
