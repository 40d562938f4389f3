/** System errors → coded failures whose text names the asked path, never a path of the host or a link's target. */
import { type KnownErrorCode, ToolFailure } from '../errors.js';
import type { NodeKind } from './directory.js';

const byCode: Readonly<Record<string, readonly [KnownErrorCode, string]>> = {
  ENOENT: ['not_found', 'does not exist'],
  ENOTDIR: ['not_a_directory', 'goes through something that is not a folder'],
  EISDIR: ['not_a_file', 'is a folder'],
  ELOOP: ['invalid_path', 'goes through too many links, or links that lead in a circle'],
  ENAMETOOLONG: ['invalid_path', 'is too long'],
  EACCES: ['no_permission', 'may not be accessed: the operating system says permission denied'],
  EPERM: ['no_permission', 'may not be changed: the operating system says not permitted'],
  EROFS: ['no_permission', 'is on a read-only file system'],
  EEXIST: ['already_exists', 'exists already'],
};

const writeCauses: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be over the size that the system allows',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open on this system',
  EIO: 'the disk reported an error',
};

/** Turns an error met while using `path` into a `ToolFailure`; a `ToolFailure` passes unchanged. `doing` says for what: `read` or `write`. */
export function fileFailure(error: unknown, path: string, doing: 'read' | 'write'): ToolFailure {
  if (error instanceof ToolFailure) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const known = byCode[code];
  if (known) return new ToolFailure(known[0], `${quotePath(path)} ${known[1]}.`, { cause: error });
  const cause = writeCauses[code] ?? `the system reported ${code || 'an unknown error'}`;
  if (doing === 'write') return new ToolFailure('write_failed', `${quotePath(path)} was not written: ${cause}. What was there before is whole.`, { cause: error });
  return new ToolFailure('execution_failed', `${quotePath(path)} could not be read: ${cause}.`, { cause: error });
}

export function outsideFailure(path: string): ToolFailure {
  return new ToolFailure('path_outside_workspace', `${quotePath(path)} leads outside the workspace. Use a path relative to the workspace root, without leaving it by ".." or a link.`);
}

/** For a path that must be a regular file and is something else. */
export function notAFile(path: string, kind: NodeKind): ToolFailure {
  if (kind === 'directory') return new ToolFailure('not_a_file', `${quotePath(path)} is a folder. Use list_dir to see what is in it.`);
  const what = { fifo: 'a named pipe', socket: 'a socket', device: 'a device', link: 'a link', file: 'a file' }[kind];
  return new ToolFailure('not_a_file', `${quotePath(path)} is ${what}, not a regular file; it is not opened.`);
}

/** A path in a message or a list: as it is when it is plain, else as a JSON string, which every tool takes back (see `unquotedPath`). */
export function quotePath(path: string): string {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+(?: [\p{L}\p{M}\p{N}\p{P}\p{S}]+)*$/u.test(path) && !/["\\]/.test(path) ? path : JSON.stringify(path);
}

/** The path that a JSON string, as lists show strange names, stands for; undefined for any other text. */
export function unquotedPath(text: string): string | undefined {
  if (!/^".+"$/s.test(text)) return undefined;
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}
