/** The bubblewrap profile as arguments. Order matters: a later mount covers an earlier one. */
import { dirname } from 'node:path';
import type { SandboxLimits } from './bubblewrap-options.js';
import { GIT_CONFIG_PATH } from './git-config.js';
import type { ProtectedPaths } from './protected-paths.js';
import type { WrapOptions } from './sandbox.js';

export interface Visible {
  /** Of a `SystemView`. */
  system: readonly string[];
  /** Real path of the workspace. */
  root: string;
  readable: readonly string[];
  writable: readonly string[];
  protected: ProtectedPaths;
  /** Sockets of programs outside: not to be connected to. */
  sockets: readonly string[];
  /** Whether a fresh /proc can be mounted; where the container masks parts of it, the kernel does not let it be. */
  proc: boolean;
  /** More folders, read-only, at another path inside: source, target. */
  elsewhere?: readonly (readonly [string, string])[];
}

/** Numbers of the descriptors that bubblewrap reads. */
export interface ProfileDescriptors {
  seccomp: number;
  gitConfig: number;
}

/** Everything but the command itself. */
export function bubblewrapArguments(visible: Visible, limits: SandboxLimits, options: WrapOptions, descriptors: ProfileDescriptors): string[] {
  return [
    '--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--unshare-net',
    '--disable-userns', '--assert-userns-disabled', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--hostname', 'sandbox',
    ...visible.system,
    ...visible.readable.flatMap((path) => ['--ro-bind', path, path]),
    ...(visible.elsewhere ?? []).flatMap(([source, target]) => ['--ro-bind', source, target]),
    '--file', String(descriptors.gitConfig), GIT_CONFIG_PATH,
    ...kernelMounts(limits, visible.proc),
    ...workspaceMounts(visible),
    '--remount-ro', '/',
    '--seccomp', String(descriptors.seccomp),
    '--clearenv', ...Object.entries(options.env).flatMap(([name, value]) => ['--setenv', name, value]),
    '--chdir', options.cwd,
  ];
}

/** Root inside owns what root owns outside: without the read-only remounts it could open kernel settings. */
function kernelMounts(limits: SandboxLimits, proc: boolean): string[] {
  const size = String(limits.tmpBytes);
  return [
    '--dev', '/dev',
    '--size', size, '--tmpfs', '/dev/shm', '--remount-ro', '/dev',
    ...(proc ? ['--proc', '/proc'] : ['--size', '4096', '--tmpfs', '/proc']), '--remount-ro', '/proc',
    '--perms', '1777', '--size', size, '--tmpfs', '/tmp',
  ];
}

function workspaceMounts(visible: Visible): string[] {
  const { pinned, readOnly, masked, emptied } = visible.protected;
  return [
    ...[visible.root, ...visible.writable, ...pinned].flatMap((path) => ['--bind', path, path]),
    ...readOnly.flatMap((path) => ['--ro-bind', path, path]),
    ...[...masked, ...visible.sockets].flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...emptied.flatMap((path) => ['--size', '4096', '--tmpfs', path, '--remount-ro', path]),
  ];
}

/** The entries of PATH that lead to something inside. */
export function visiblePath(path: string, visible: Visible): string {
  const shown = ['/usr', '/bin', '/sbin', visible.root, ...visible.readable, ...visible.writable];
  // A single program may be shown, too: then its folder is there, with nothing else in it.
  const kept = path.split(':').filter((entry) => shown.some((folder) => isWithin(entry, folder) || (folder !== '/usr' && dirname(folder) === entry)));
  return [...new Set([...kept, '/usr/local/bin', '/usr/bin', '/bin'])].join(':');
}

/** Whether `path` is `folder` or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
