/**
 * The audit log on disk: JSON lines chained by HMAC, one write each, under a lock between processes, with an anchor kept apart so
 * that a cut tail is found. A file that is full gets a name of its own, and the chain goes on in the next. What cannot be written rejects
 * with `audit_unavailable`.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fdatasyncSync, fstatSync, fsyncSync, ftruncateSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { ToolFailure } from '../errors.js';
import { type ChainHead, anchorBytes, checkLine, emptyHead, formatAnchor, formatLine, parseAnchor } from './audit-log-chain.js';
import { type AuditPaths, auditPart, auditParts, auditPaths } from './audit-log-files.js';
import { auditable } from './audit-record.js';
import { withFileLock } from './file-lock.js';
import type { AuditLog, AuditRecord, Redactor } from './ports.js';
import { appendWhole, makePrivateFolder, openPrivateFile, readRange, splitLines } from './private-file.js';

export interface AuditLogOptions {
  /** Applied to every text of a record, beside the redaction by key names and shapes that is always on. */
  redactor?: Redactor;
  /** Wait for the disk at every record (a few milliseconds): survives a power cut, not only the death of the process. Default false. */
  flush?: boolean;
  /** The file that has this many bytes is full; the next record begins another. Default 16 MiB. */
  maxFileBytes?: number;
}

export interface FileAuditLog extends AuditLog {
  /** The file of JSON lines. */
  readonly path: string;
  close(): void;
}

const defaultFileBytes = 16 * 2 ** 20;
const remedy = 'see `haft audit verify`, then set it aside with `haft audit archive`';

/** Nothing is touched before the first record. `folder` is made with mode 0700. */
export function createAuditLog(folder: string, options: AuditLogOptions = {}): FileAuditLog {
  const writer = new Writer(folder, options);
  let last: Promise<unknown> = Promise.resolve();
  return {
    path: auditPaths(folder).log,
    append(record) {
      const turn = last.then(() => writer.append(record));
      last = turn.catch(() => undefined); // The caller of that record has its error.
      return turn;
    },
    close: () => writer.close(),
  };
}

interface OpenFiles {
  log: number;
  anchor: number;
  key: Buffer;
}

class Writer {
  private readonly paths: AuditPaths;
  private files: OpenFiles | undefined;
  private head = emptyHead;

  constructor(
    private readonly folder: string,
    private readonly options: AuditLogOptions,
  ) {
    this.paths = auditPaths(folder);
  }

  async append(record: AuditRecord): Promise<void> {
    try {
      makePrivateFolder(this.folder);
      await withFileLock(this.paths.lock, () => this.write(record));
    } catch (error) {
      this.close();
      throw new ToolFailure('audit_unavailable', `${this.paths.log}: ${(error as Error).message}`, { cause: error });
    }
  }

  close(): void {
    if (!this.files) return;
    closeSync(this.files.log);
    closeSync(this.files.anchor);
    this.files = undefined;
  }

  private write(record: AuditRecord): void {
    const files = this.withRoom();
    const { line, head } = formatLine(auditable(record, this.options.redactor), this.head, files.key);
    appendWhole(files.log, line, this.head.bytes);
    if (this.options.flush) fdatasyncSync(files.log);
    writeAnchor(files, head);
    this.head = head;
  }

  /** The open files, up to date, with a log that is not full. */
  private withRoom(): OpenFiles {
    const files = this.reopened();
    this.catchUp(files);
    if (this.head.bytes < (this.options.maxFileBytes ?? defaultFileBytes)) return files;
    this.turn(files);
    return this.reopened();
  }

  /**
   * Two steps, each of which leaves a whole log: the full file gets its name, then the anchor says that the next one is empty. After the
   * first alone, the anchor still tells the size of the file that is named.
   */
  private turn(files: OpenFiles): void {
    renameSync(this.paths.log, auditPart(this.folder, this.head.count).path);
    if (this.options.flush) flushFolder(this.folder);
    writeAnchor(files, { ...this.head, bytes: 0 });
    if (this.options.flush) fdatasyncSync(files.anchor);
    this.close();
  }

  /** A log that was moved away is not written on. */
  private reopened(): OpenFiles {
    if (this.files && fstatSync(this.files.log).ino !== statSync(this.paths.log, { throwIfNoEntry: false })?.ino) this.close();
    if (this.files) return this.files;
    const log = openPrivateFile(this.paths.log, true);
    const anchor = openPrivateFile(this.paths.anchor);
    const isNew = fstatSync(log).size === 0 && auditParts(this.folder).length === 0;
    this.files = { log, anchor, key: readKey(this.paths.key, isNew) };
    this.head = readAnchor(this.files, isNew);
    return this.files;
  }

  /** Takes in what other processes wrote, or an earlier one before it could move the anchor; cuts off an unfinished line. */
  private catchUp(files: OpenFiles): void {
    const { size } = fstatSync(files.log);
    if (size === 0 && this.hasTurned()) this.head = { ...this.head, bytes: 0 };
    if (size === this.head.bytes) return;
    if (size < this.head.bytes) throw new Error(`it is shorter than its anchor says, so records were cut off; ${remedy}`);
    const { lines, torn } = splitLines(readRange(files.log, this.head.bytes, size));
    let head = this.head;
    for (const line of lines) {
      const next = checkLine(line, head, files.key);
      if (typeof next === 'string') throw new Error(`line ${head.count + 1} ${next}; ${remedy}`);
      head = next;
    }
    if (torn > 0) ftruncateSync(files.log, head.bytes);
    writeAnchor(files, head);
    this.head = head;
  }

  /** Whether the file that the anchor speaks of was named, and whoever did it died before the anchor could say so. */
  private hasTurned(): boolean {
    const { count, bytes } = this.head;
    return bytes > 0 && statSync(auditPart(this.folder, count).path, { throwIfNoEntry: false })?.size === bytes;
  }
}

function flushFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function readAnchor(files: OpenFiles, isNew: boolean): ChainHead {
  const text = readRange(files.anchor, 0, anchorBytes).toString('latin1');
  const head = parseAnchor(text, files.key);
  if (head) return head;
  if (text !== '' || !isNew) throw new Error(`its anchor is missing or damaged; ${remedy}`);
  // Before the first record, so that one whose writer died at once is known to belong to a new log.
  writeAnchor(files, emptyHead);
  return emptyHead;
}

function writeAnchor(files: OpenFiles, head: ChainHead): void {
  writeSync(files.anchor, formatAnchor(head, files.key), 0, 'latin1');
}

/** A key is made with a new log only: an old log whose key is gone can no longer be verified, and says so. */
function readKey(path: string, isNew: boolean): Buffer {
  const fd = openPrivateFile(path);
  try {
    const key = readRange(fd, 0, 64).toString('latin1');
    if (/^[0-9a-f]{64}$/.test(key)) return Buffer.from(key, 'hex');
    if (!isNew || key !== '') throw new Error(`its key is missing or damaged; ${remedy}`);
    const made = randomBytes(32);
    writeSync(fd, made.toString('hex'), 0, 'latin1');
    return made;
  } finally {
    closeSync(fd);
  }
}
