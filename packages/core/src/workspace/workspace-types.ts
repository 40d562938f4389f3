/** What the file gateway offers to tools. `Workspace` (the class that tools inject) implements it on the real file system. */
import type { CanonicalAccess } from '../permission/access.js';
import type { NodeKind } from './directory.js';

export interface WorkspaceOptions {
  /** Absolute. */
  root: string;
  /** More folders, absolute. */
  extraRoots?: readonly { path: string; access: 'read' | 'write' }[];
  /** Glob patterns, relative to the root, that nothing may touch (asked or real path). */
  deny?: readonly string[];
  /** Glob patterns that may be read but not written, e.g. `.git/hooks/**`. */
  readOnly?: readonly string[];
  /** Glob patterns of files that usually hold secrets (secret-files.ts) and that searches read all the same. */
  openSecrets?: readonly string[];
  /**
   * A folder of ours outside the workspace, made when missing, in which new content is written before it takes a file's place, so that even
   * `kill -9` leaves nothing in the workspace. Used where it lies on the same file system; elsewhere, and by default, the file's own folder is.
   */
  stagingDir?: string;
  /** Largest content held in memory at once, in bytes: whole-file reads, edits and writes. Default 256 MiB. */
  maxFileBytes?: number;
}

export interface ResolvedPath {
  /** Real, absolute. */
  absolute: string;
  /** Relative to the root with `/`; absolute when outside. `.` for the root. */
  relative: string;
  inside: boolean;
  exists: boolean;
  /** Other names (hard links) of the same file under which it usually holds secrets. */
  otherNames?: readonly string[];
}

export type PathResolver = (path: string, mode: 'read' | 'write') => Promise<Pick<CanonicalAccess, 'resource' | 'inside'>>;

export interface FileInfo {
  kind: NodeKind;
  /** Bytes. */
  size: number;
  /** Permission bits. */
  mode: number;
  /** Names (hard links) of the file. */
  links: number;
  modifiedMs: number;
  /** Real path from the root; absolute inside an extra root. */
  relative: string;
}

export interface DirectoryEntry {
  name: string;
  kind: NodeKind;
}

export interface WriteOptions {
  /** Which session's reads the file is compared with; absent: no comparison. */
  sessionId?: string;
  signal?: AbortSignal;
  /** Fails with `already_exists` when there is something. */
  createOnly?: boolean;
  /** From `readVersion`, or `none` when there was no file: fails with `stale_file` when, just before it would be replaced, the file is no longer as it was then. */
  version?: string;
}

export interface WriteOutcome {
  /** Real path from the root; absolute inside an extra root. */
  relative: string;
  created: boolean;
  bytes: number;
  /** Other names of the same file that still hold the old content, because they lie where they may not be changed or were not found. */
  brokenLinks: number;
}
