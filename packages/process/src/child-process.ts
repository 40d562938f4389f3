/** The life of one child: start, output, time-out, end, drain, and no survivor. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { OutputStream } from './output/output-stream.js';
import type { EndReason, RunOptions, RunOutcome, RunningProcess } from './run-options.js';
import type { WrappedCommand } from './sandbox/sandbox.js';
import { killGroup, killTree, sweepMarked } from './tree/kill-tree.js';

const DEFAULT_OUTPUT_CHARS = 30_000;
/** After the exit, output may still lie in the pipe: it is read until it pauses for so long … */
const DRAIN_PAUSE_MS = 60;
/** … and at most for so long, since a background child may hold the pipe and go on writing. */
const DRAIN_LIMIT_MS = 1_000;

interface End {
  exitCode: number | null;
  signal: string | null;
  error?: string;
}

export class RunningChild implements RunningProcess {
  readonly outcome: Promise<RunOutcome>;
  private readonly started = performance.now();
  private readonly stdout: OutputStream;
  private readonly stderr: OutputStream;
  private child: ChildProcess | undefined;
  /** Settles when every end of its pipes is closed. */
  private closed: Promise<true> | undefined;
  /** Why we killed it; undefined while it ends by itself. */
  private killedFor: EndReason | undefined;
  private lastOutput = 0;

  constructor(private readonly command: WrappedCommand, private readonly options: RunOptions, private readonly marker: string) {
    const limit = options.maxOutputChars ?? DEFAULT_OUTPUT_CHARS;
    const { onOutput } = options;
    this.stdout = new OutputStream(limit, onOutput && ((text) => { onOutput(text, 'stdout'); }));
    this.stderr = new OutputStream(limit, onOutput && ((text) => { onOutput(text, 'stderr'); }));
    this.outcome = this.live();
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  output(): Pick<RunOutcome, 'stdout' | 'stderr'> {
    return { stdout: this.stdout.read(), stderr: this.stderr.read() };
  }

  takeOutput(): Pick<RunOutcome, 'stdout' | 'stderr'> {
    return { stdout: this.stdout.take(), stderr: this.stderr.take() };
  }

  kill(): void {
    this.killFor('aborted');
  }

  private async live(): Promise<RunOutcome> {
    if (this.options.signal?.aborted) return this.result({ exitCode: null, signal: null }, 'aborted');
    const ended = this.spawn();
    const release = this.limit();
    const end = await ended;
    release();
    if (end.error === undefined) await this.drain();
    this.stdout.end();
    this.stderr.end();
    this.command.release?.();
    return this.result(end, this.killedFor ?? naturalReason(end));
  }

  private spawn(): Promise<End> {
    const { command, options } = this;
    const [program = '', ...args] = command.argv;
    return new Promise((resolve) => {
      const failed = (error: unknown): void => { resolve({ exitCode: null, signal: null, error: spawnError(error, program, options.cwd) }); };
      try {
        const child = spawn(program, args, {
          cwd: options.cwd,
          env: command.env,
          // Its own session and process group: the terminal's signals do not reach it, ours reach all of it.
          detached: true,
          stdio: ['ignore', 'pipe', 'pipe', ...command.descriptors.map(() => 'pipe' as const)],
        });
        this.child = child;
        child.once('error', failed);
        this.closed = new Promise((close) => { child.once('close', () => { close(true); }); });
        child.once('exit', (exitCode, signal) => { resolve({ exitCode, signal }); });
        this.connect(child);
      } catch (error) {
        failed(error);
      }
    });
  }

  private connect(child: ChildProcess): void {
    for (const [stream, output] of [[child.stdout, this.stdout], [child.stderr, this.stderr]] as const) {
      stream?.on('error', () => undefined);
      stream?.on('data', (chunk: Buffer) => { this.receive(output, chunk); });
    }
    for (const [index, content] of this.command.descriptors.entries()) {
      const pipe = child.stdio[3 + index] as Writable & Readable;
      // EPIPE where the command ended before it read: its exit says why.
      pipe.on('error', () => undefined);
      pipe.end(content);
    }
  }

  private receive(output: OutputStream, chunk: Buffer): void {
    this.lastOutput = performance.now();
    output.push(chunk);
    const { maxOutputBytes } = this.options;
    if (maxOutputBytes !== undefined && this.stdout.bytes + this.stderr.bytes > maxOutputBytes) this.killFor('output_limit');
  }

  /** Arms time-out and abort; the returned function disarms them. */
  private limit(): () => void {
    const { timeoutMs, signal } = this.options;
    const abort = (): void => { this.killFor('aborted'); };
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => { this.killFor('timeout'); }, timeoutMs);
    signal?.addEventListener('abort', abort, { once: true });
    return () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
  }

  private killFor(reason: EndReason): void {
    this.killedFor ??= reason;
    if (this.pid !== undefined) killTree(this.pid, this.marker);
  }

  /** Ends what the command left behind, and takes the output that is still on its way. */
  private async drain(): Promise<void> {
    const { child, closed } = this;
    if (child?.pid === undefined || closed === undefined) return;
    killGroup(child.pid);
    if (await this.settled(closed)) return;
    // Somebody outside the process group still holds the pipe.
    sweepMarked(this.marker);
    if (await this.settled(closed)) return;
    for (const stream of child.stdio) stream?.destroy();
  }

  private async settled(closed: Promise<true>): Promise<boolean> {
    const started = performance.now();
    while (performance.now() - started < DRAIN_LIMIT_MS) {
      if (await Promise.race([closed, pause(DRAIN_PAUSE_MS)])) return true;
      if (performance.now() - this.lastOutput > DRAIN_PAUSE_MS) return false;
    }
    return false;
  }

  private result(end: End, reason: EndReason): RunOutcome {
    const { error, ...status } = end;
    const durationMs = Math.round(performance.now() - this.started);
    return { ...status, reason, ...this.output(), durationMs, ...(error === undefined ? {} : { error }) };
  }
}

function naturalReason(end: End): EndReason {
  if (end.error !== undefined) return 'spawn_failed';
  return end.signal === null ? 'exit' : 'signal';
}

function pause(ms: number): Promise<false> {
  return new Promise((resolve) => { setTimeout(() => { resolve(false); }, ms); });
}

/** Node reports a missing working directory as a missing program. */
function spawnError(error: unknown, program: string, cwd: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && !existsSync(cwd)) return `The working directory does not exist: ${cwd}`;
  if (code === 'ENOENT') return `No such program: ${program}`;
  if (code === 'EACCES') return `Not allowed to run ${program} in ${cwd}`;
  if (code === 'E2BIG') return 'The command line is too long for the operating system';
  return message;
}
