/**
 * The macOS back-end, on `sandbox-exec`. NOT TESTED on a Mac by this project: its self-test must pass before anything runs in it,
 * so a mistake here withholds the tool and does not open it.
 */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWithin } from './bubblewrap-arguments.js';
import { ProtectedPathScanner } from './protected-paths.js';
import type { Sandbox, SandboxProbe, WrapOptions, WrappedCommand } from './sandbox.js';
import { type SeatbeltPaths, seatbeltProfile } from './seatbelt-profile.js';
import { selfTest } from './self-test.js';

const SANDBOX_EXEC = '/usr/bin/sandbox-exec';

export interface SeatbeltOptions {
  /** The workspace: absolute, and writable. */
  root: string;
  readable?: readonly string[];
  writable?: readonly string[];
  hidden?: readonly string[];
  /** As in `BubblewrapOptions`. */
  isSecret?: (path: string) => boolean;
}

/** No limits of processes and memory, and no network allow-list: macOS offers neither to an unprivileged program. */
export function createSeatbeltSandbox(options: SeatbeltOptions): Sandbox {
  return new SeatbeltSandbox(options);
}

class SeatbeltSandbox implements Sandbox {
  readonly name = 'seatbelt';
  private scanner: ProtectedPathScanner | undefined;
  private readonly temporary = new Set<string>();

  constructor(private readonly options: SeatbeltOptions) {}

  async probe(): Promise<SandboxProbe> {
    if (process.platform !== 'darwin') return { ok: false, detail: '', cause: `seatbelt is part of macOS; this is ${process.platform}`, remedy: 'use bubblewrap' };
    if (!existsSync(SANDBOX_EXEC)) return { ok: false, detail: '', cause: `${SANDBOX_EXEC} is not there`, remedy: 'run Haft in a Linux container' };
    const tested = await selfTest(this, this.options.root);
    return tested.ok ? { ...tested, detail: `${tested.detail}; this back-end has not been tested by the project` } : tested;
  }

  wrap(argv: readonly string[], options: WrapOptions): Promise<WrappedCommand> {
    try {
      return Promise.resolve(this.command(argv, options));
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  dispose(): void {
    for (const folder of this.temporary) rmSync(folder, { recursive: true, force: true });
  }

  private command(argv: readonly string[], options: WrapOptions): WrappedCommand {
    const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'haft-sandbox-')));
    this.temporary.add(temporary);
    const paths = this.paths(temporary);
    const cwd = realpathSync(options.cwd);
    if (!paths.writable.some((folder) => isWithin(cwd, folder))) throw new Error(`The working directory ${cwd} is outside the sandbox's workspace ${this.options.root}`);
    const enter = ['/bin/sh', '-c', 'cd "$0" && exec "$@"', cwd, ...argv];
    return {
      argv: [SANDBOX_EXEC, '-p', seatbeltProfile(paths), '--', ...enter],
      env: { ...options.env, HOME: temporary, TMPDIR: temporary },
      descriptors: [],
      release: () => {
        rmSync(temporary, { recursive: true, force: true });
        this.temporary.delete(temporary);
      },
    };
  }

  private paths(temporary: string): SeatbeltPaths {
    const root = realpathSync(this.options.root);
    if (root.split('/').length < 3) throw new Error(`The workspace ${root} is a folder of the system. Choose a project's folder.`);
    this.scanner ??= new ProtectedPathScanner(root, this.options.isSecret);
    const { readOnly, masked, emptied, pinned, forbidden, repositories } = this.scanner.scan();
    return {
      readable: this.options.readable ?? [],
      writable: [root, temporary, ...repositories, ...(this.options.writable ?? [])],
      readOnly: [...readOnly, ...forbidden],
      pinned,
      hidden: [...masked, ...emptied, ...(this.options.hidden ?? [])],
    };
  }
}
