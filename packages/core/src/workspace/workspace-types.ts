/** What the file gateway offers to tools. `Workspace` (the class that tools inject) implements it on the real file system. */
import type { CanonicalAccess } from '../permission/access.js';

export interface WorkspaceOptions {
  /** Absolute. */
  root: string;
  /** More folders, absolute. */
  extraRoots?: readonly { path: string; access: 'read' | 'write' }[];
  /** Glob patterns, relative to the root, that nothing may touch (asked or real path). */
  deny?: readonly string[];
  /** Glob patterns that may be read but not written, e.g. `.git/hooks/**`. */
  readOnly?: readonly string[];
  maxFileBytes?: number;
}

export interface ResolvedPath {
  /** Real, absolute. */
  absolute: string;
  /** Relative to the root with `/`; absolute when outside. `.` for the root. */
  relative: string;
  inside: boolean;
  exists: boolean;
}

export type PathResolver = (path: string, mode: 'read' | 'write') => Promise<Pick<CanonicalAccess, 'resource' | 'inside'>>;
