/** Reads an audit log: whether it is whole, and what it says. */
import { createReadStream, readFileSync } from 'node:fs';
import { SetupError } from '../errors.js';
import { auditPaths } from './audit-log.js';
import { type ChainHead, checkLine, emptyHead, parseAnchor } from './audit-log-chain.js';
import type { AuditRecord } from './ports.js';
import { splitLines } from './private-file.js';

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
  const walked = await walk(paths.log, key, anchorText === undefined ? undefined : parseAnchor(anchorText, key));
  const problems = [...walked.problems];
  if (archive === undefined && anchorText === undefined && !walked.exists) return { whole: true, count: 0, problems: [], tornBytes: 0 };
  if (!/^[0-9a-f]{64}$/.test(keyText)) problems.unshift('the key is missing or damaged');
  if (!walked.anchor) problems.push('the anchor is missing, damaged, or signed with another key');
  else if (problems.length === 0) problems.push(...compareEnd(walked, walked.anchor));
  return { whole: problems.length === 0, count: walked.head.count, problems, tornBytes: walked.torn };
}

interface Walk {
  exists: boolean;
  lines: number;
  head: ChainHead;
  anchor: ChainHead | undefined;
  /** The chain's code at the anchor's count. */
  anchoredMac?: string;
  problems: string[];
  torn: number;
}

async function walk(path: string, key: Buffer, anchor: ChainHead | undefined): Promise<Walk> {
  const state: Walk = { exists: false, lines: 0, head: emptyHead, anchor, problems: [], torn: 0 };
  if (anchor?.count === 0) state.anchoredMac = emptyHead.mac;
  for await (const line of linesOf(path)) {
    state.exists = true;
    if (line.torn) state.torn = line.bytes.length;
    else if (state.problems.length === 0) step(state, line.bytes, key);
    if (!line.torn) state.lines++;
  }
  return state;
}

function step(state: Walk, line: Buffer, key: Buffer): void {
  const next = checkLine(line, state.head, key);
  if (typeof next === 'string') state.problems.push(`line ${state.lines + 1} ${next}`);
  else {
    state.head = next;
    if (next.count === state.anchor?.count) state.anchoredMac = next.mac;
  }
}

function compareEnd(walked: Walk, anchor: ChainHead): string[] {
  if (walked.head.count < anchor.count) return [`${anchor.count - walked.head.count} records were cut off the end (the anchor knows ${anchor.count})`];
  return walked.anchoredMac === anchor.mac ? [] : ['the anchor does not belong to this log'];
}

/** Every record in order, unchecked; a line that is none comes as its text. */
export async function* readAuditLog(folder: string): AsyncGenerator<AuditRecord | { unreadable: string }> {
  for await (const { bytes } of linesOf(auditPaths(folder).log)) {
    const text = bytes.toString('utf8');
    yield parseRecord(text) ?? { unreadable: text };
  }
}

function parseRecord(text: string): AuditRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as AuditRecord) : undefined;
  } catch {
    return undefined; // The caller gets the text.
  }
}

async function* linesOf(path: string): AsyncGenerator<{ bytes: Buffer; torn: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(path)) {
      const bytes = Buffer.concat([rest, chunk as Buffer]);
      const { lines, torn } = splitLines(bytes);
      for (const line of lines) yield { bytes: line, torn: false };
      rest = bytes.subarray(bytes.length - torn);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  if (rest.length > 0) yield { bytes: rest, torn: true };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
