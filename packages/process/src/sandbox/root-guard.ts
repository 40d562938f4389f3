/**
 * What runs before bubblewrap: joins the control group and, as root, closes what bubblewrap leaves open to root. Inside,
 * root still owns files of the real root, and three of them can be reached on writable mounts: the device nodes,
 * bubblewrap's own program (`/proc/1/exe`) and the standard input. In a mount namespace of its own, they are made read-only.
 */
import { MARKER_NAME } from '../environment.js';

const UNSHARE = '/usr/bin/unshare';
const SHELL = '/bin/sh';

const JOIN = 'while [ "$1" != -- ]; do echo 0 >"$1" || exit 125; shift; done; shift';
const READ_ONLY = 'mount -o bind,ro /dev /dev && mount -o bind,ro /usr/bin/bwrap /usr/bin/bwrap || exit 125';
/** A shell adds variables of its own; what starts bubblewrap is read from inside as the environment of process 1. */
const CLEAN_START = `exec /usr/bin/env -i "${MARKER_NAME}=$${MARKER_NAME}" "$@" </dev/null`;

/** `argv` of bubblewrap with what goes before it. `joinFiles` are the control group's. */
export function guarded(argv: readonly string[], joinFiles: readonly string[], isRoot: boolean): string[] {
  if (!isRoot && joinFiles.length === 0) return [...argv];
  const script = [JOIN, ...(isRoot ? [READ_ONLY] : []), CLEAN_START].join('; ');
  const command = [SHELL, '-c', script, 'haft-sandbox', ...joinFiles, '--', ...argv];
  return isRoot ? [UNSHARE, '--mount', '--propagation', 'private', '--', ...command] : command;
}
