/** One append-only file of JSON lines. A record is one write; nothing that was written is ever changed. */
import { closeSync, constants, fdatasync, fstatSync, readSync, writeSync } from 'node:fs';
import { openRegular, readRegular } from './read-regular.js';
import { type SessionRecord, parseRecord } from './records.js';
import { SessionError } from './session-error.js';

/** A line that could not be read. `line` counts from 1. */
export interface LineProblem {
  line: number;
  reason: string;
}

export interface ReadLines {
  records: SessionRecord[];
  problems: LineProblem[];
}

const NEWLINE = 0x0a;

export class SessionFile {
  private readonly fd: number;
  /** Whether the file ends inside a line: after a crash, or a write that failed half way. */
  private torn: boolean;
  private syncing: Promise<void> | undefined;
  private waiting: Promise<void> | undefined;

  private constructor(
    readonly path: string,
    flags: number,
    private readonly durable: boolean,
  ) {
    this.fd = openRegular(path, flags | constants.O_RDWR | constants.O_APPEND, 0o600);
    this.torn = endsInsideLine(this.fd);
  }

  /** `durable` false leaves out the fdatasync: safe against the death of the process, not of the machine. */
  static create(path: string, durable = true): SessionFile {
    return new SessionFile(path, constants.O_CREAT | constants.O_EXCL, durable);
  }

  static open(path: string, durable = true): SessionFile {
    return new SessionFile(path, 0, durable);
  }

  /** Several records are one write too. */
  append(...records: readonly SessionRecord[]): void {
    this.write(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }

  private write(text: string): void {
    const line = Buffer.from(this.torn ? `\n${text}` : text);
    this.torn = true;
    try {
      for (let written = 0; written < line.length; ) written += writeSync(this.fd, line, written);
    } catch (error) {
      throw unwritable(this.path, error);
    }
    this.torn = false;
  }

  /** Resolves when everything appended so far is on the disk. Calls that come while one runs share the next. */
  sync(): Promise<void> {
    if (!this.durable) return Promise.resolve();
    if (this.syncing === undefined) return (this.syncing = this.datasync());
    this.waiting ??= this.afterThis(this.syncing);
    return this.waiting;
  }

  close(): void {
    closeSync(this.fd);
  }

  private async afterThis(running: Promise<void>): Promise<void> {
    // Whoever waits for the running one is told of its failure; this one tries again.
    await Promise.allSettled([running]);
    this.waiting = undefined;
    this.syncing = this.datasync();
    await this.syncing;
  }

  private datasync(): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      fdatasync(this.fd, (error) => {
        this.syncing = undefined;
        if (error) reject(unwritable(this.path, error));
        else resolve();
      });
    });
  }
}

/** The whole file. Throws `session_not_found` or `session_unreadable`. */
export function bytesOf(path: string): Buffer {
  try {
    return readRegular(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new SessionError('session_not_found', `There is no session file ${path}.`, { cause: error });
    throw new SessionError('session_unreadable', `The session file ${path} cannot be read (${message}).`, { cause: error });
  }
}

function unwritable(path: string, error: unknown): SessionError {
  const cause = error instanceof Error ? error.message : String(error);
  return new SessionError('session_unwritable', `The session file ${path} cannot be written (${cause}). What was written before is whole.`, { cause: error });
}

function endsInsideLine(fd: number): boolean {
  const { size } = fstatSync(fd);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  return last[0] !== NEWLINE;
}

/**
 * Reads every line that can be read. Lines end at \n alone (U+2028 and \r may stand inside a JSON string). A bad line is reported and
 * passed over; a last line without its \n was torn by a crash and was never acknowledged.
 */
export function readLines(path: string): ReadLines {
  const bytes = bytesOf(path);
  const records: SessionRecord[] = [];
  const problems: LineProblem[] = [];
  for (let start = 0, line = 1; start < bytes.length; line += 1) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    const text = bytes.toString('utf8', start, end);
    start = end + 1;
    if (text === '') continue;
    const parsed = parseRecord(text);
    if ('record' in parsed) records.push(parsed.record);
    else if ('problem' in parsed) problems.push({ line, reason: newline < 0 ? 'cut off in the middle of a write' : parsed.problem });
    else problems.push({ line, reason: `a record of the unknown kind ${JSON.stringify(parsed.unknown)}` });
  }
  return { records, problems };
}
