/**
 * One opened folder, and the ways to reach its children without following a link. On Linux a child is named
 * `/proc/self/fd/N/name`: the folder cannot be swapped under us. Elsewhere the real path is used, and what was opened is
 * compared with what was seen: the best available, not free of races.
 */
import {
  closeSync, constants, existsSync, fstatSync, lstatSync, mkdirSync, openSync, readdirSync, readlinkSync, renameSync, type Stats, unlinkSync, linkSync,
} from 'node:fs';
import { decodeName, encodeName } from './file-name.js';
import { versionOf } from './fingerprint.js';
import { forgetLastStat } from './last-stat.js';
import { joinPath } from './path-segments.js';

/** Names a file without opening it for reading or writing: no FIFO blocks, no device is touched. Not in Node's constants. */
const openPathOnly = 0o10000000;
const raceFree = process.platform === 'linux' && existsSync('/proc/self/fd');

export type NodeKind = 'file' | 'directory' | 'link' | 'fifo' | 'socket' | 'device';

export function kindOf(stats: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink' | 'isFIFO' | 'isSocket'>): NodeKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isFIFO()) return 'fifo';
  return stats.isSocket() ? 'socket' : 'device';
}

function kindSeen(stats: Stats): NodeKind {
  const kind = kindOf(stats);
  if (kind === 'fifo' || kind === 'socket') forgetLastStat();
  return kind;
}

/** A child that was seen. `fd` names it for good (Linux), or is absent (elsewhere, and for anything not opened). */
export interface FoundNode {
  fd?: number;
  kind: NodeKind;
  stats: Stats;
}

export class Directory {
  private readonly fd: number | undefined;

  /** `absolute` is the real path; `fd` the descriptor that this object owns from now on. */
  constructor(readonly absolute: string, fd?: number) {
    this.fd = fd;
  }

  /** Makes a folder of our own, closed to others, and opens it. */
  static openPrivate(absolute: string): Directory {
    mkdirSync(absolute, { recursive: true, mode: 0o700 });
    return Directory.openRoot(absolute);
  }

  static openRoot(absolute: string): Directory {
    return new Directory(absolute, raceFree ? openSync(absolute, openPathOnly | constants.O_DIRECTORY) : undefined);
  }

  /** What `name` is, without following it. Throws the system's error, `ENOENT` included. */
  find(name: string): FoundNode {
    if (!raceFree) {
      const stats = lstatSync(this.pathTo(name));
      return { kind: kindSeen(stats), stats };
    }
    const fd = openSync(this.pathTo(name), openPathOnly | constants.O_NOFOLLOW);
    try {
      const stats = fstatSync(fd);
      return { fd, kind: kindSeen(stats), stats };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** As `find`, for what is not to be opened: of a regular file only the state is taken, which is one step in place of three. */
  look(name: string): FoundNode {
    const stats = lstatSync(this.pathTo(name));
    return stats.isFile() ? { kind: 'file', stats } : this.find(name);
  }

  /** Takes over a found folder. */
  enter(name: string, node: FoundNode): Directory {
    return new Directory(joinPath(this.absolute, name), node.fd);
  }

  /** Opens a child folder that is no link. */
  openFolder(name: string): Directory {
    const fd = raceFree ? openSync(this.pathTo(name), openPathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW) : undefined;
    if (fd === undefined && !lstatSync(this.pathTo(name)).isDirectory()) throw Object.assign(new Error('Not a folder.'), { code: 'ENOTDIR' });
    return new Directory(joinPath(this.absolute, name), fd);
  }

  /** Opens a found regular file for reading; the caller closes it. */
  openFound(name: string, node: FoundNode): number {
    if (node.fd !== undefined) return openSync(`/proc/self/fd/${node.fd}`, constants.O_RDONLY | constants.O_NONBLOCK);
    const fd = openSync(this.pathTo(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const opened = fstatSync(fd);
    if (opened.ino === node.stats.ino && opened.dev === node.stats.dev) return fd;
    closeSync(fd);
    throw Object.assign(new Error('The file was replaced while it was opened.'), { code: 'EAGAIN' });
  }

  /**
   * Opens a child that its folder lists as a regular file, and makes sure that it is one: `EINVAL` otherwise. One step less than `find` and
   * `openFound`; a pipe that was put there meanwhile does not block.
   */
  openListedFile(name: string): { fd: number; stats: Stats } {
    const fd = openSync(this.pathTo(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(fd);
      if (stats.isFile()) return { fd, stats };
      forgetLastStat();
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    closeSync(fd);
    throw Object.assign(new Error('Not a regular file.'), { code: 'EINVAL' });
  }

  /** See `versionOf`; undefined when there is no such regular file. */
  versionOf(name: string): string | undefined {
    try {
      const { fd } = this.openListedFile(name);
      const version = versionOf(fd);
      closeSync(fd);
      return version;
    } catch {
      return undefined;
    }
  }

  /** A new file for writing; fails if anything has that name. */
  createFile(name: string, mode: number): number {
    return openSync(this.pathTo(name), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, mode);
  }

  makeFolder(name: string): void {
    mkdirSync(this.pathTo(name));
  }

  /** Replaces whatever has the name `to` (in another folder, when one is given), a link included; never follows it. */
  rename(from: string, to: string, into: Directory = this): void {
    renameSync(this.pathTo(from), into.pathTo(to));
  }

  /** Gives a file of this folder a further name in another. */
  linkInto(existing: string, other: Directory, name: string): void {
    linkSync(this.pathTo(existing), other.pathTo(name));
  }

  remove(name: string): void {
    unlinkSync(this.pathTo(name));
  }

  readLink(name: string): string {
    return decodeName(readlinkSync(this.pathTo(name), 'buffer'));
  }

  /** Names with their kinds as the folder states them, in the system's order. */
  entries(): { name: string; kind: NodeKind }[] {
    const path = this.ownPath();
    const entries = readdirSync(path, { withFileTypes: true });
    if (!entries.some((entry) => entry.name.includes('\ufffd'))) return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
    return readdirSync(path, { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({ name: decodeName(entry.name), kind: kindOf(entry) }));
  }

  stats(): Stats {
    return this.fd === undefined ? lstatSync(this.absolute) : fstatSync(this.fd);
  }

  /** Opens the folder itself for reading, e.g. to flush it; the caller closes it. */
  openSelf(): number {
    return openSync(this.ownPath(), constants.O_RDONLY | constants.O_DIRECTORY);
  }

  close(): void {
    if (this.fd !== undefined) closeSync(this.fd);
  }

  private ownPath(): string | Buffer {
    return this.fd === undefined ? encodeName(this.absolute) : `/proc/self/fd/${this.fd}/.`;
  }

  private pathTo(name: string): string | Buffer {
    const base = this.fd === undefined ? this.absolute : `/proc/self/fd/${this.fd}`;
    return encodeName(joinPath(base, name));
  }
}

/** Makes the folders one below the other; returns the last one, opened (the first itself when there is nothing to make). */
export function makeFolders(from: Directory, names: readonly string[]): Directory {
  let here = from;
  for (const name of names) {
    try {
      here.makeFolder(name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const node = here.find(name);
    const next = node.kind === 'directory' ? here.enter(name, node) : undefined;
    if (here !== from) here.close();
    if (next === undefined) throw Object.assign(new Error('Not a folder.'), { code: 'ENOTDIR' });
    here = next;
  }
  return here;
}
