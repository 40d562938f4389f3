/** The seatbelt profile as text (SBPL): everything is denied but what is listed; a later rule wins over an earlier one. */

export interface SeatbeltPaths {
  /** Real paths, absolute. */
  readable: readonly string[];
  writable: readonly string[];
  /** Inside what is writable. */
  readOnly: readonly string[];
  /** May not be renamed or deleted themselves. */
  pinned: readonly string[];
  /** Neither read nor written. */
  hidden: readonly string[];
}

const SYSTEM_READABLE = ['/usr', '/bin', '/sbin', '/System', '/Library', '/opt/homebrew', '/opt/local', '/private/etc', '/private/var/db/timezone', '/private/var/select', '/dev', '/Applications/Xcode.app'];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/stdout', '/dev/stderr', '/dev/dtracehelper'];

export function seatbeltProfile(paths: SeatbeltPaths): string {
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork)',
    '(allow signal process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.notification_center") (global-name "com.apple.system.logger"))',
    '(allow file-read-metadata)',
    `(allow file-read* (literal "/") ${subpaths([...SYSTEM_READABLE, ...paths.readable])})`,
    `(allow file-write-data file-ioctl ${literals(DEVICES)})`,
    `(allow file-read* file-write* ${subpaths(paths.writable)})`,
    ...(paths.readOnly.length > 0 ? [`(deny file-write* ${subpaths(paths.readOnly)})`] : []),
    ...(paths.pinned.length > 0 ? [`(deny file-write-unlink file-write-create ${literals(paths.pinned)})`] : []),
    ...(paths.hidden.length > 0 ? [`(deny file-read* file-write* ${subpaths(paths.hidden)})`] : []),
    '(deny file-write-setugid)',
    '(deny network*)',
  ].join('\n');
}

function subpaths(paths: readonly string[]): string {
  return paths.map((path) => `(subpath ${quoted(path)})`).join(' ');
}

function literals(paths: readonly string[]): string {
  return paths.map((path) => `(literal ${quoted(path)})`).join(' ');
}

/** A string of the profile's language, which is Scheme. */
function quoted(text: string): string {
  if (/[\0\n\r]/.test(text)) throw new Error(`The path ${JSON.stringify(text)} cannot be written into a sandbox profile`);
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
