/**
 * What of the system a command sees. Folders are bound read-only; single files are copied in by bubblewrap, since every mount costs some
 * 200 µs, and reading a small file next to nothing.
 */
import { type Stats, accessSync, constants, existsSync, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';

/** Loader, names, certificates and formats; nothing here tells of users' secrets or of services. Few, since each takes its time. */
const ETC = [
  'alternatives', 'ld.so.cache', 'localtime', 'nsswitch.conf', 'passwd', 'group', 'hosts', 'protocols', 'services',
  'ssl/certs', 'ssl/openssl.cnf', 'ca-certificates/extracted', 'pki', 'crypto-policies', 'os-release', 'mime.types', 'fonts',
].map((name) => `/etc/${name}`);
/** Folders of the system that are links into /usr on merged systems. */
const SYSTEM_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
const JAVA_RUNTIMES = '/usr/lib/jvm';
/** A larger file is bound: each command would hold it in memory. */
const MAX_COPY_BYTES = 2 ** 20;

export interface SystemView {
  arguments: string[];
  /** Files that must be open for reading at the descriptors `first`, `first + 1`, … when bubblewrap starts. */
  files: string[];
}

export function systemView(first: number): SystemView {
  const view: SystemView = { arguments: ['--ro-bind', '/usr', '/usr'], files: [] };
  for (const path of [...SYSTEM_FOLDERS, ...ETC, ...javaSettings()]) {
    const link = linkIntoUsr(path);
    if (link !== undefined) view.arguments.push('--symlink', link, path);
    else if (isCopied(path)) view.arguments.push('--perms', '0644', '--file', String(first + view.files.push(path) - 1), path);
    else if (entryAt(path) !== undefined) view.arguments.push('--ro-bind', path, path);
  }
  return view;
}

/** A link stays a link where it leads into /usr: it costs no mount, and what it leads to is seen. */
function linkIntoUsr(path: string): string | undefined {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return undefined;
  const target = readlinkSync(path);
  return /^(?:\.\.)?\/?usr\//.test(target) ? target : undefined;
}

function isCopied(path: string): boolean {
  const entry = entryAt(path);
  if (entry?.isFile() !== true || entry.size > MAX_COPY_BYTES) return false;
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    // A command of the same user cannot read it either; bound, it shows that it is there.
    return false;
  }
}

function entryAt(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** A Java runtime's own settings are links into /etc on Debian. /etc itself has too many entries to be listed at every command. */
function javaSettings(): string[] {
  const runtimes = existsSync(JAVA_RUNTIMES) ? readdirSync(JAVA_RUNTIMES) : [];
  const versions = runtimes.flatMap((name) => /^java-\d+-openjdk/.exec(name) ?? []);
  return ['java', ...new Set(versions)].map((name) => `/etc/${name}`);
}
