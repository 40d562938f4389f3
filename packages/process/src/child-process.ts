/** The life of one child: start, output, time-out, end, drain, and no survivor. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { OutputStream } from './output/output-stream.js';
import type { OutputPipe } from './output/pipe-pool.js';
import type { EndReason, RunOptions, RunOutcome, RunningProcess } from './run-options.js';
import type { WrappedCommand } from './sandbox/sandbox.js';
import { killGroup, killTree, sweepMarked } from './tree/kill-tree.js';

const DEFAULT_OUTPUT_CHARS = 30_000;
const DEFAULT_LIVE_CHARS = Infinity;
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
  private streams: Readable[] = [];
  /** Settles when both output streams are closed. */
  private closed: Promise<true> | undefined;
  /** Why we killed it; undefined while it ends by itself. */
  private killedFor: EndReason | undefined;
  /** Its id may belong to somebody else by now. */
  private hasExited = false;
  private lastOutput = 0;

  /** `pipes` are for stdout and stderr; without them Node's own are used. */
  constructor(private readonly command: WrappedCommand, private readonly options: RunOptions, private readonly marker: string, private readonly pipes: readonly OutputPipe[] = []) {
    const limit = options.maxOutputChars ?? DEFAULT_OUTPUT_CHARS;
    const { onOutput, maxLiveChars = DEFAULT_LIVE_CHARS } = options;
    this.stdout = new OutputStream(limit, onOutput && { limit: maxLiveChars, onText: (text) => { onOutput(text, 'stdout'); } });
    this.stderr = new OutputStream(limit, onOutput && { limit: maxLiveChars, onText: (text) => { onOutput(text, 'stderr'); } });
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
    if (this.options.signal?.aborted) this.killedFor = 'aborted';
    const ended = this.killedFor === undefined ? this.spawn() : Promise.resolve({ exitCode: null, signal: null });
    for (const pipe of this.pipes) closeSync(pipe.writer);
    const release = this.limit();
    const end = await ended;
    release();
    if (this.pid !== undefined) await this.drain(this.pid);
    for (const stream of [...this.streams, ...this.pipes.map((pipe) => pipe.reader)]) stream.destroy();
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
          stdio: ['ignore', this.pipes[0]?.writer ?? 'pipe', this.pipes[1]?.writer ?? 'pipe', ...command.descriptors.map((content) => (typeof content === 'number' ? content : 'pipe' as const))],
        });
        this.child = child;
        child.once('error', failed);
        child.once('exit', (exitCode, signal) => {
          this.hasExited = true;
          resolve(command.signalsAsExitCodes ? decodeSignal({ exitCode, signal }) : { exitCode, signal });
        });
        this.connect(child);
      } catch (error) {
        failed(error);
      }
    });
  }

  private connect(child: ChildProcess): void {
    const [stdout = child.stdout, stderr = child.stderr] = this.pipes.map((pipe) => pipe.reader);
    const streams = [[stdout, this.stdout], [stderr, this.stderr]] as const;
    this.closed = Promise.all(streams.map(([stream, output]) => this.read(stream, output))).then(() => true);
    for (const [index, content] of this.command.descriptors.entries()) {
      if (typeof content === 'number') continue;
      const pipe = child.stdio[3 + index] as Writable & Readable;
      // EPIPE where the command ended before it read: its exit says why.
      pipe.on('error', () => undefined);
      pipe.end(content);
    }
  }

  /** Resolves when the stream is closed. */
  private read(stream: Readable | null, output: OutputStream): Promise<void> {
    if (stream === null) return Promise.resolve();
    this.streams.push(stream);
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => { this.receive(output, chunk); });
    return new Promise((resolve) => { stream.once('close', resolve); });
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
    if (this.hasExited || this.killedFor !== undefined) return;
    this.killedFor = reason;
    if (this.pid !== undefined) killTree(this.pid, this.marker);
  }

  /** Ends what the command left behind, and takes the output that is still on its way. */
  private async drain(pid: number): Promise<void> {
    killGroup(pid);
    if (await this.settled()) return;
    // Somebody outside the process group still holds the pipe.
    sweepMarked(this.marker);
    await this.settled();
  }

  private async settled(): Promise<boolean> {
    const started = performance.now();
    while (performance.now() - started < DRAIN_LIMIT_MS) {
      if (await Promise.race([this.closed, pause(DRAIN_PAUSE_MS)])) return true;
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

/** 128 + the number of a signal that ends a process, in the words of a signal; the exit code stays to be seen. */
function decodeSignal(end: End): End {
  const number = (end.exitCode ?? 0) - 128;
  const name = number > 0 && Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return name ? { exitCode: end.exitCode, signal: name } : end;
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
