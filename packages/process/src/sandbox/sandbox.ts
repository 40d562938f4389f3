/** The port that every sandbox back-end implements: say whether it works here, and wrap a command. */

export interface SandboxProbe {
  ok: boolean;
  /** What was tried and passed, e.g. `bubblewrap 0.8.0, seccomp, pids cgroup`. */
  detail: string;
  /** Why it does not work here. */
  cause?: string;
  /** What the user can do, e.g. `apt-get install bubblewrap`. */
  remedy?: string;
}

export interface WrapOptions {
  /** Absolute, inside the sandbox's workspace. */
  cwd: string;
  /** The whole environment that the command shall see. */
  env: Readonly<Record<string, string>>;
}

export interface WrappedCommand {
  argv: readonly string[];
  /** The environment of the outermost process: as good as empty, since it can be read from inside. */
  env: Readonly<Record<string, string>>;
  /** Descriptors 3, 4, … of the command: contents to read, closed after the last byte; or a descriptor of ours, by number. */
  descriptors: readonly (Buffer | number)[];
  /** The outermost process tells a signal that ended the command as exit code 128 + its number. */
  signalsAsExitCodes?: boolean;
  /** Called once, when the command has ended. Must not throw. */
  release?: () => void;
}

export interface Sandbox {
  readonly name: string;
  /** Really tries it: runs commands inside that attempt what must not succeed. Never rejects. */
  probe(): Promise<SandboxProbe>;
  /** Rejects with an Error that says why, where this command cannot be confined. */
  wrap(argv: readonly string[], options: WrapOptions): Promise<WrappedCommand>;
  /** Gives back what the back-end holds on the system. */
  dispose?(): void;
}
