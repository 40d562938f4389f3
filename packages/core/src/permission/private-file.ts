/** Files of the state folder: folders 0700, files 0600, no links followed, whole writes. */
import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { forgetLastStat } from '../workspace/last-stat.js';

export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Opens for reading and writing, made if absent; appends always go to the end where `append` is set. @throws Error where it is not a regular file. */
export function openPrivateFile(path: string, append = false): number {
  const { O_RDWR, O_CREAT, O_APPEND } = constants;
  const fd = openRegular(path, O_RDWR | O_CREAT | (append ? O_APPEND : 0));
  // The process mask may have taken bits away, an older file may have too many.
  if ((fstatSync(fd).mode & 0o777) !== 0o600) fchmodSync(fd, 0o600);
  return fd;
}

/** Without following a link, and without waiting for the other end of a pipe. */
function openRegular(path: string, flags: number): number {
  const fd = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  forgetLastStat();
  throw new Error('it is not a regular file');
}

/** The whole text, or undefined where there is no such file. @throws Error where it is not a regular file. */
export function readPrivateFile(path: string): string | undefined {
  let fd: number;
  try {
    fd = openRegular(path, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return readRange(fd, 0, fstatSync(fd).size).toString('latin1');
  } finally {
    closeSync(fd);
  }
}

/**
 * Appends all or nothing: what a full disk cut short is taken back.
 * @throws the system's error, or one that names the shortfall.
 */
export function appendWhole(fd: number, text: string, sizeBefore: number): void {
  const bytes = Buffer.from(text, 'utf8');
  let written = 0;
  try {
    written = writeSync(fd, bytes);
  } finally {
    if (written !== bytes.length) ftruncateSync(fd, sizeBefore);
  }
  if (written !== bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes could be written`);
}

export function readRange(fd: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  let read = 0;
  while (read < bytes.length) {
    const count = readSync(fd, bytes, read, bytes.length - read, from + read);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read);
}

/** Whole lines without their ends, and how many bytes of an unfinished one follow. */
export function splitLines(bytes: Buffer): { lines: Buffer[]; torn: number } {
  const lines: Buffer[] = [];
  let from = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
    lines.push(bytes.subarray(from, end));
    from = end + 1;
  }
  return { lines, torn: bytes.length - from };
}
