/** The one door for every child process of Haft. */
import { randomBytes } from 'node:crypto';
import { RunningChild } from './child-process.js';
import { MARKER_NAME, childEnvironment } from './environment.js';
import { type OutputPipe, PipePool } from './output/pipe-pool.js';
import type { RunOptions, RunOutcome, RunningProcess } from './run-options.js';
import type { WrappedCommand } from './sandbox/sandbox.js';
import { sweepMarked } from './tree/kill-tree.js';
import { type Watchdog, startWatchdog } from './tree/watchdog.js';

export class ProcessRunner {
  private readonly id = randomBytes(9).toString('hex');
  private readonly running = new Map<RunningChild, string>();
  private readonly pipes = new PipePool();
  private count = 0;
  private watchdog: Watchdog | undefined;

  /**
   * Runs a command to its end: its own process group, no stdin, a clean environment, bounded output. When the command
   * exits, what it left in the background is killed. Never rejects: what goes wrong is the outcome's `reason`.
   */
  async run(options: RunOptions): Promise<RunOutcome> {
    try {
      return await (await this.start(options)).outcome;
    } catch (error) {
      return notStarted(error);
    }
  }

  /**
   * Starts a command and does not wait for it: a background job, which lives at most as long as this runner.
   * Rejects where the sandbox cannot confine the command; a program that cannot be started is told by its outcome.
   */
  async start(options: RunOptions): Promise<RunningProcess> {
    this.watchdog ??= startWatchdog(`${MARKER_NAME}=${this.id}\\.`, this.pipes.open());
    const marker = `${this.id}.${this.count += 1}`;
    const command = await prepare(options, marker);
    const child = new RunningChild(command, options.sandbox ? { ...options, cwd: '/' } : options, marker, this.outputPipes());
    this.running.set(child, marker);
    void child.outcome.finally(() => this.running.delete(child));
    return child;
  }

  /** Two, or none where they cannot be made. */
  private outputPipes(): OutputPipe[] {
    const stdout = this.pipes.take();
    if (stdout === undefined) return [];
    const stderr = this.pipes.take();
    return stderr === undefined ? [stdout] : [stdout, stderr];
  }

  /** Kills every child that still runs and waits for their ends. */
  async dispose(): Promise<void> {
    const ends = [...this.running.keys()].map((child) => child.outcome);
    for (const child of this.running.keys()) child.kill();
    await Promise.all(ends);
    if (this.count > 0) sweepMarked(`${this.id}.`);
    this.pipes.dispose();
    this.watchdog?.stop();
    this.watchdog = undefined;
  }
}

async function prepare(options: RunOptions, marker: string): Promise<WrappedCommand> {
  const mark = { [MARKER_NAME]: marker };
  if (options.sandbox === undefined) return { argv: options.argv, env: childEnvironment({ ...options.env, ...mark }), descriptors: [] };
  const wrapped = await options.sandbox.wrap(options.argv, { cwd: options.cwd, env: childEnvironment(options.env) });
  return { ...wrapped, env: { ...wrapped.env, ...mark } };
}

function notStarted(error: unknown): RunOutcome {
  const nothing = { text: '', totalChars: 0, truncated: false };
  const message = error instanceof Error ? error.message : String(error);
  return { exitCode: null, signal: null, reason: 'spawn_failed', stdout: nothing, stderr: nothing, durationMs: 0, error: message };
}
