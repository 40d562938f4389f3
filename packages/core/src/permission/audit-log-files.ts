/**
 * The files of an audit log: the one that is written, and the full ones before it (`audit-000000012345.jsonl`, named after their last
 * record), through which one chain runs. The same for a log set aside, under its own name.
 */
import { type BigIntStats, constants, lstatSync, readdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { splitLines } from './private-file.js';

export interface AuditPaths {
  log: string;
  anchor: string;
  key: string;
  lock: string;
}

/** Of the log in use, or of one that `archiveAuditLog` set aside. */
export function auditPaths(folder: string, archive?: string): AuditPaths {
  const name = baseName(archive);
  return { log: join(folder, `${name}.jsonl`), anchor: join(folder, `${name}.anchor`), key: join(folder, `${name}.key`), lock: join(folder, 'audit.lock') };
}

function baseName(archive?: string): string {
  return archive === undefined ? 'audit' : `audit.${archive}`;
}

/** A full file of the log. */
export interface AuditPart {
  name: string;
  path: string;
  /** Number of its last record, by its name. */
  last: number;
}

const digits = 12;

export function auditPart(folder: string, last: number): AuditPart {
  const name = `${baseName()}-${String(last).padStart(digits, '0')}.jsonl`;
  return { name, path: join(folder, name), last };
}

/** In the order of their records. */
export function auditParts(folder: string, archive?: string): AuditPart[] {
  const before = `${baseName(archive)}-`;
  const parts = namesIn(folder).flatMap((name): AuditPart[] => {
    const number = name.startsWith(before) ? name.slice(before.length, -'.jsonl'.length) : '';
    return name.endsWith('.jsonl') && new RegExp(`^\\d{${digits},}$`).test(number) ? [{ name, path: join(folder, name), last: Number(number) }] : [];
  });
  return parts.toSorted((a, b) => a.last - b.last);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export interface AuditLine {
  /** Without its end. */
  bytes: Buffer;
  /** It has none: the last one, whose writer did not come to its end. */
  torn: boolean;
}

export interface AuditFile {
  /** Absent for the file that is written. */
  part?: AuditPart;
  /** @throws Error where it is not a regular file, or cannot be read. */
  lines(): AsyncGenerator<AuditLine>;
}

const chunkBytes = 65_536;

/**
 * All files in order. The one that is written is opened first: if it becomes a full one while they are read, it is not read twice, and what
 * was opened is read to its end.
 */
export async function withAuditFiles<T>(folder: string, archive: string | undefined, read: (files: readonly AuditFile[]) => Promise<T>): Promise<T> {
  const { log } = auditPaths(folder, archive);
  const current = await openIfThere(log);
  try {
    const own = typeof current === 'string' ? undefined : await current?.stat({ bigint: true });
    const all = auditParts(folder, archive);
    const turned = all.findIndex(({ path }) => own !== undefined && isSameFile(lstatSync(path, { bigint: true, throwIfNoEntry: false }), own));
    const parts = turned === -1 ? all : all.slice(0, turned);
    const files = parts.map((part): AuditFile => ({ part, lines: () => linesOfPart(part.path) }));
    if (current === undefined) return await read(files);
    return await read([...files, { lines: () => (typeof current === 'string' ? linesOfPart(current) : linesOf(current)) }]);
  } finally {
    if (typeof current === 'object') await current.close();
  }
}

/** The path where something else is there, which its reader is told. */
async function openIfThere(path: string): Promise<FileHandle | string | undefined> {
  try {
    return await openRegular(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : path;
  }
}

/** Without waiting for the other end of a pipe. */
async function openRegular(path: string): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new Error('it is not a regular file');
}

function isSameFile(one: BigIntStats | undefined, other: BigIntStats): boolean {
  return one?.ino === other.ino && one.dev === other.dev;
}

async function* linesOfPart(path: string): AsyncGenerator<AuditLine> {
  const handle = await openRegular(path);
  try {
    yield* linesOf(handle);
  } finally {
    await handle.close();
  }
}

async function* linesOf(handle: FileHandle): AsyncGenerator<AuditLine> {
  let rest: Buffer = Buffer.alloc(0);
  let position = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(chunkBytes), 0, chunkBytes, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const { lines, torn } = splitLines(bytes);
    for (const line of lines) yield { bytes: line, torn: false };
    rest = bytes.subarray(bytes.length - torn);
  }
  if (rest.length > 0) yield { bytes: rest, torn: true };
}
