/**
 * Replaces a file's content so that a reader, or whoever looks after a crash, sees the old or the new one, whole: a temporary file on
 * the same file system, flushed, then renamed over the name, then the folder flushed.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, fchownSync, fsync, type Stats, writev, fstatSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Directory } from './directory.js';
import { isGone } from './living-process.js';

const flush = promisify(fsync);
const temporaryName = /^\.haft-(\d+)-[0-9a-f]{16}\.tmp$/;
/** Written at one go, by a thread of its own; between two of them an abort is heeded. */
const sliceBytes = 64 * 1024 * 1024;

export interface AtomicWriteOptions {
  /** What is replaced: its mode and owner are kept. */
  existing?: Stats;
  /** Mode of a new file, before the umask. */
  mode?: number;
  signal?: AbortSignal;
  /** Where the temporary file is made; default the folder itself. Throws `EXDEV` where it cannot be moved from there. */
  staging?: Directory;
  /** Called when all is ready, just before the new content takes the place of the old; may throw. */
  beforeRename?: () => void;
}

/** Throws the system's error, with nothing changed and no temporary file left. */
export async function writeAtomically(directory: Directory, name: string, parts: readonly Uint8Array[], options: AtomicWriteOptions = {}): Promise<void> {
  const { staging = directory } = options;
  const temporary = `.haft-${process.pid}-${randomBytes(8).toString('hex')}.tmp`;
  const fd = staging.createFile(temporary, 0o600);
  try {
    await writeParts(fd, parts, options.signal);
    takeOver(fd, options);
    await flush(fd);
    options.signal?.throwIfAborted();
    options.beforeRename?.();
    staging.rename(temporary, name, directory);
    await flushDirectory(directory);
  } catch (error) {
    removeQuietly(staging, temporary);
    throw error;
  } finally {
    closeSync(fd);
  }
}

async function writeParts(fd: number, parts: readonly Uint8Array[], signal: AbortSignal | undefined): Promise<void> {
  for (let batch = nextBatch(parts, 0); batch.buffers.length > 0; batch = nextBatch(parts, batch.end)) {
    signal?.throwIfAborted();
    await writeAll(fd, batch.buffers);
  }
}

/** Up to `sliceBytes` from byte `start` of the concatenation on, as views. */
function nextBatch(parts: readonly Uint8Array[], start: number): { buffers: Uint8Array[]; end: number } {
  const buffers: Uint8Array[] = [];
  let offset = 0;
  let room = sliceBytes;
  let end = start;
  for (const part of parts) {
    const from = Math.max(start - offset, 0);
    offset += part.length;
    if (from >= part.length) continue;
    const view = part.subarray(from, from + room);
    buffers.push(view);
    room -= view.length;
    end += view.length;
    if (room === 0 || buffers.length === 512) break;
  }
  return { buffers, end };
}

async function writeAll(fd: number, buffers: Uint8Array[]): Promise<void> {
  for (let rest = buffers; rest.length > 0; ) {
    let written = await writeOnce(fd, rest);
    if (written === 0) throw Object.assign(new Error('Nothing was written.'), { code: 'EIO' });
    rest = rest.flatMap((buffer) => {
      const skip = Math.min(written, buffer.length);
      written -= skip;
      return skip === buffer.length ? [] : [buffer.subarray(skip)];
    });
  }
}

function writeOnce(fd: number, buffers: Uint8Array[]): Promise<number> {
  return new Promise((resolve, reject) => {
    writev(fd, buffers, (error, count) => (error ? reject(error) : resolve(count)));
  });
}

/** Gives the temporary file the mode and owner that the name had. Where the owner cannot be kept, set-id bits are dropped. */
function takeOver(fd: number, { existing, mode = 0o666 }: AtomicWriteOptions): void {
  if (existing === undefined) {
    fchmodSync(fd, mode & ~process.umask());
    return;
  }
  const own = fstatSync(fd);
  let kept = existing.mode & 0o7777;
  if (own.uid !== existing.uid || own.gid !== existing.gid) {
    try {
      fchownSync(fd, existing.uid, existing.gid);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
      kept &= 0o777;
    }
  }
  fchmodSync(fd, kept);
}

async function flushDirectory(directory: Directory): Promise<void> {
  const fd = directory.openSelf();
  try {
    await flush(fd);
  } catch (error) {
    // Some file systems cannot flush a folder; the rename itself has happened.
    if (!['EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    closeSync(fd);
  }
}

/** Removes what writers that died left in this folder. */
export function sweepTemporaries(directory: Directory): void {
  for (const { name } of directory.entries()) {
    const owner = temporaryName.exec(name)?.[1];
    if (owner !== undefined && isGone({ pid: Number(owner), start: '' })) removeQuietly(directory, name);
  }
}

function removeQuietly(directory: Directory, name: string): void {
  try {
    directory.remove(name);
  } catch {
    // Already gone, or not ours to remove: the error that led here is the one to report.
  }
}
