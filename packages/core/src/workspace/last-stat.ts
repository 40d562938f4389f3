/** A fault of Node's to be lived with, see `forgetLastStat`. */
import { statSync } from 'node:fs';

/**
 * To be called when what was looked at last is a pipe or a socket. Node's resolution of imports takes the last thing that anybody looked at
 * for part of the path that it resolves, and stops at a pipe: a package behind a link would be loaded a second time, by its other name.
 */
export function forgetLastStat(): void {
  statSync('/');
}
