/** The service behind the shell tools: how commands are run here, decided once at start. */
import { ProcessRunner, type RunOptions, type RunOutcome, type RunningProcess, type Sandbox } from '@haft/process';
import { ShellOptions } from './shell-options.js';

/** Of each stream so much is kept for the model, half from its head and half from its tail. */
const STDOUT_CHARS = 20_000;
/** Of each stream so much is passed on while the command runs: a flood must not pile up in front of whoever shows it. */
const LIVE_CHARS = 200_000;

export interface CommandRequest {
  command: string;
  /** Real, absolute. */
  cwd: string;
  timeoutMs?: number;
  signal?: AbortSignal;
  onOutput?: (chunk: string) => void;
}

export class Shell {
  /** undefined: commands run with the user's own rights. */
  sandbox: Sandbox | undefined;

  constructor(private readonly runner: ProcessRunner, readonly options: ShellOptions) {}

  run(request: CommandRequest): Promise<RunOutcome> {
    return this.runner.run(this.runOptions(request));
  }

  start(request: CommandRequest): Promise<RunningProcess> {
    return this.runner.start(this.runOptions(request));
  }

  private runOptions(request: CommandRequest): RunOptions {
    const { command, cwd, timeoutMs, signal, onOutput } = request;
    return {
      argv: ['/bin/bash', '--noprofile', '--norc', '-c', command],
      cwd,
      maxOutputChars: STDOUT_CHARS,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(signal && { signal }),
      ...(onOutput && { onOutput, maxLiveChars: LIVE_CHARS }),
      ...(this.sandbox && { sandbox: this.sandbox }),
    };
  }
}
