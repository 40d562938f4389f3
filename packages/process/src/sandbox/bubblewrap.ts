/** The bubblewrap back-end: an allow-listed read-only root, the workspace writable, no network, no capability, a seccomp filter. */
import { closeSync, existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { AllowListProxy } from '../network/allow-list-proxy.js';
import { forwarded } from '../network/inner-forwarder.js';
import { type Visible, bubblewrapArguments, isWithin, visiblePath } from './bubblewrap-arguments.js';
import { type BubblewrapOptions, DEFAULT_LIMITS, type SandboxLimits } from './bubblewrap-options.js';
import { type ControlGroup, createControlGroup } from './cgroup.js';
import { GIT_CONFIG_PATH, gitConfig } from './git-config.js';
import { boundOutside } from './host-sockets.js';
import { nodeInstallation } from './node-installation.js';
import { type ProtectedPaths, ProtectedPathScanner, removeFile } from './protected-paths.js';
import { FIRST_FILE, guarded, openRootNamespace } from './root-guard.js';
import type { Sandbox, SandboxProbe, WrapOptions, WrappedCommand } from './sandbox.js';
import { seccompFilter } from './seccomp-filter.js';
import { selfTest } from './self-test.js';
import { syscallsOf } from './syscalls.js';
import { systemView } from './system-view.js';

/** These paths, and not a copy found in PATH: distributions let only them make user namespaces. */
const BWRAP = '/usr/bin/bwrap';
const PRLIMIT = '/usr/bin/prlimit';
/** What bubblewrap says where the kernel does not let a fresh /proc be mounted. */
const PROC_REFUSED = /mount proc|\/newroot\/proc/;
const ARGUMENTS_DESCRIPTOR = 3;
const PROFILE_DESCRIPTORS = { seccomp: 4, gitConfig: 5 };
const NAMESPACE_DESCRIPTOR = 6;
/** A workspace that is, or holds, one of these would hand over the system. */
const SYSTEM = ['/usr', '/etc', '/var', '/run', '/boot', '/root', '/home', '/tmp'];
const KERNEL = ['/proc', '/sys', '/dev'];

/** `root` must exist. Nothing is run until `probe` or `wrap`. */
export function createBubblewrapSandbox(options: BubblewrapOptions): Sandbox {
  return new BubblewrapSandbox(options);
}

/** What of the machine one command needs beside the workspace. */
interface Surroundings {
  /** Descriptor of root's own mount namespace. */
  namespace: number | undefined;
  elsewhere?: Visible['elsewhere'];
}

class BubblewrapSandbox implements Sandbox {
  readonly name = 'bubblewrap';
  private readonly limits: SandboxLimits;
  /** The protected paths of each command that runs. */
  private readonly running = new Set<ReadonlySet<string>>();
  private proc = true;
  private group: ControlGroup | 'none' | undefined;
  private namespace: Promise<number> | undefined;
  private proxy: Promise<AllowListProxy> | undefined;
  private filter: Buffer | undefined;
  private scanners: ProtectedPathScanner[] | undefined;

  constructor(private readonly options: BubblewrapOptions) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  async probe(): Promise<SandboxProbe> {
    const missing = missingPart();
    if (missing !== undefined) return missing;
    const tested = await this.strongest();
    return tested.ok ? { ...tested, detail: `${tested.detail}; ${this.proc ? '' : 'without /proc; '}${this.limitsInForce()}` } : tested;
  }

  /** The strongest form that passes the self-test: with a /proc of its own, else with none. */
  private async strongest(): Promise<SandboxProbe> {
    this.proc = true;
    const full = await selfTest(this, this.options.root);
    if (full.ok || !PROC_REFUSED.test(full.cause ?? '')) return full;
    this.proc = false;
    return selfTest(this, this.options.root);
  }

  async wrap(argv: readonly string[], options: WrapOptions): Promise<WrappedCommand> {
    const namespace = process.getuid?.() === 0 ? await this.rootNamespace() : undefined;
    const { hosts = [] } = this.options;
    if (hosts.length === 0) return this.command(argv, options, { namespace });
    this.proxy ??= AllowListProxy.start({ hosts, ...(this.options.onRequest && { onRequest: this.options.onRequest }) });
    const proxy = await this.proxy;
    const through = forwarded(argv, realpathSync(process.execPath));
    return this.command(through.argv, { ...options, env: { ...options.env, ...through.env } }, { namespace, elsewhere: [[proxy.folder, through.socketFolder]] });
  }

  private async rootNamespace(): Promise<number> {
    this.namespace ??= openRootNamespace();
    try {
      return await this.namespace;
    } catch (error) {
      this.namespace = undefined;
      throw error;
    }
  }

  private command(argv: readonly string[], options: WrapOptions, { namespace, elsewhere = [] }: Surroundings): WrappedCommand {
    const system = systemView(FIRST_FILE);
    const visible = { ...this.visible(), system: system.arguments, elsewhere };
    const cwd = insideWorkspace(options.cwd, visible);
    const env = { ...options.env, HOME: '/tmp', TMPDIR: '/tmp', GIT_CONFIG_GLOBAL: GIT_CONFIG_PATH, PATH: visiblePath(options.env['PATH'] ?? '', visible) };
    const profile = bubblewrapArguments(visible, this.limits, { cwd, env }, PROFILE_DESCRIPTORS);
    // The arguments are parted by NUL: one inside would begin another argument.
    if (profile.some((argument) => argument.includes('\0'))) throw new Error('A variable of the environment holds a NUL character');
    const contents = [Buffer.from(`${profile.join('\0')}\0`), this.seccomp(), Buffer.from(gitConfig(visible.root, this.options.gitIdentity))];
    const bubblewrap = [BWRAP, '--args', String(ARGUMENTS_DESCRIPTOR), '--', ...this.countProcesses(), ...argv];
    return {
      argv: guarded(bubblewrap, { limits: this.limits, joinFiles: this.joinFiles(), files: system.files, ...(namespace !== undefined && { namespace: NAMESPACE_DESCRIPTOR }) }),
      env: {},
      descriptors: [...contents, ...(namespace === undefined ? [] : [namespace])],
      signalsAsExitCodes: true,
      release: this.guardNames(visible),
    };
  }

  private seccomp(): Buffer {
    const table = syscallsOf(process.arch);
    if (table === undefined) throw new Error(`The system calls of ${process.arch} are not known here, so they cannot be filtered.`);
    return (this.filter ??= seccompFilter(table));
  }

  /** Counted inside the user namespace: what the user runs outside does not use it up. Root is not bound by it. */
  private countProcesses(): string[] {
    return process.getuid?.() === 0 ? [] : [PRLIMIT, `--nproc=${this.limits.processes}`];
  }

  /**
   * A running command cannot move what is protected in it. What came into being since, it can: by exchanging a name for a link while
   * another command's mounts are made, it could lead them elsewhere. So then no other command is started.
   */
  private guardNames({ protected: found }: Pick<Visible, 'protected'>): () => void {
    const { forbidden, readOnly, masked, emptied, pinned } = found;
    const names = new Set([...readOnly, ...masked, ...emptied, ...pinned]);
    for (const running of this.running) {
      const added = [...names].find((name) => !running.has(name));
      if (added !== undefined) throw new Error(`${added} needs protection, and came into being while another command runs in this workspace; wait for that one or end it, then try again`);
    }
    this.running.add(names);
    return () => {
      this.running.delete(names);
      for (const path of forbidden) removeFile(path);
    };
  }

  dispose(): void {
    if (this.group !== undefined && this.group !== 'none') this.group.remove();
    this.group = undefined;
    // One that could not be started has nothing to stop.
    void this.namespace?.then((descriptor) => { closeSync(descriptor); }, () => undefined);
    this.namespace = undefined;
    void this.proxy?.then((proxy) => { proxy.stop(); }, () => undefined);
    this.proxy = undefined;
  }

  private limitsInForce(): string {
    const limited = this.group === undefined || this.group === 'none' ? [] : this.group.limited;
    const processes = limited.includes('pids') || process.getuid?.() !== 0 ? `at most ${this.limits.processes} processes` : 'no limit of processes (root, and no pids cgroup)';
    return `${processes}, ${limited.includes('memory') ? 'memory limited in all' : 'memory limited per process'}`;
  }

  private joinFiles(): readonly string[] {
    this.group ??= createControlGroup(this.limits) ?? 'none';
    return this.group === 'none' ? [] : this.group.joinFiles;
  }

  private visible(): Omit<Visible, 'system'> {
    const [root = '', ...writable] = [this.options.root, ...(this.options.writable ?? [])].map(writableFolder);
    this.scanners ??= [new ProtectedPathScanner(root, this.options.isSecret), ...writable.map((folder) => new ProtectedPathScanner(folder))];
    const found = joined(this.scanners.map((scanner) => scanner.scan()));
    const hidden = (this.options.hidden ?? []).filter((path) => existsSync(path)).map((path) => realpathSync(path)).filter((path) => isWithin(path, root) && path !== root);
    return {
      root,
      proc: this.proc,
      readable: [...nodeInstallation(process.execPath, homedir(), ['/usr', root, ...writable]), ...(this.options.readable ?? [])],
      writable: [...writable, ...found.repositories],
      protected: { ...found, emptied: [...found.emptied, ...hidden] },
      sockets: boundOutside(found.sockets),
    };
  }
}

function joined(all: readonly ProtectedPaths[]): ProtectedPaths {
  const pick = (kind: keyof ProtectedPaths): string[] => [...new Set(all.flatMap((found) => found[kind]))];
  return { pinned: pick('pinned'), readOnly: pick('readOnly'), masked: pick('masked'), emptied: pick('emptied'), forbidden: pick('forbidden'), sockets: pick('sockets'), repositories: pick('repositories') };
}

function missingPart(): SandboxProbe | undefined {
  if (process.platform !== 'linux') return { ok: false, detail: '', cause: `bubblewrap needs Linux; this is ${process.platform}`, remedy: 'run Haft on Linux or in a Linux container' };
  if (!existsSync(BWRAP)) return { ok: false, detail: '', cause: `${BWRAP} is not there`, remedy: 'apt-get install bubblewrap (or your distribution\'s package of that name)' };
  if (!existsSync(PRLIMIT)) return { ok: false, detail: '', cause: `${PRLIMIT} is not there`, remedy: 'apt-get install util-linux' };
  return undefined;
}

/** The real path of the workspace, or of another folder that may be written. */
function writableFolder(asked: string): string {
  if (!isAbsolute(asked)) throw new Error(`The workspace must be an absolute path, not ${asked}`);
  if (!existsSync(asked)) throw new Error(`There is no such workspace: ${asked}`);
  const root = realpathSync(asked);
  if (SYSTEM.some((folder) => isWithin(folder, root)) || KERNEL.some((folder) => isWithin(root, folder))) {
    throw new Error(`The workspace ${root} is a folder of the system: a sandbox that lets it be written would protect nothing. Choose a project's folder.`);
  }
  return root;
}

function insideWorkspace(asked: string, visible: Visible): string {
  const cwd = realpathSync(asked);
  if ([visible.root, ...visible.writable, ...visible.readable].some((folder) => isWithin(cwd, folder))) return cwd;
  throw new Error(`The working directory ${cwd} is outside the sandbox's workspace ${visible.root}`);
}
