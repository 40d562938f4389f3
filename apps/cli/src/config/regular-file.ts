// Reads what a project or the user keeps only when it is a file of a sensible size: a pipe or a device, also behind a link, would be waited
// for without end.
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { CliError } from '../exit-code.js';

const mostBytes = 16 * 2 ** 20;

/** The text. Throws a CliError that names the file and what to do, or the system's error where it cannot be opened. */
export function readRegularFile(path: string): string {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(fd);
    requireFile(path, stats);
    if (stats.size > mostBytes) throw new CliError(`${path} has ${stats.size} bytes; more than ${mostBytes} are not read. Make it smaller, or take it away.`);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

/** For files that somebody else opens. Throws a CliError for what is no file. */
export function requireRegularFile(path: string): void {
  requireFile(path, statSync(path));
}

/** Whether there is a file, also behind links. */
export function isRegularFile(path: string): boolean {
  try {
    return isFile(statSync(path));
  } catch {
    return false; // Missing, or below something that is no folder.
  }
}

function requireFile(path: string, stats: Stats): void {
  if (!isFile(stats)) throw new CliError(`${path} is ${kindOf(stats)}, not a file, so nothing was read from it. Put a file in its place, or take it away.`);
}

/** Node's realpath, which imports go through, takes the last thing looked at for part of its own path, and stops at a pipe: look at a folder. */
function isFile(stats: Stats): boolean {
  if (stats.isFile()) return true;
  statSync('/');
  return false;
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'a pipe';
  if (stats.isDirectory()) return 'a folder';
  return stats.isSocket() ? 'a socket' : 'a device';
}
