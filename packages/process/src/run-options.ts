/** What a caller asks of the process runner, and what it gets back. */
import type { Sandbox } from './sandbox/sandbox.js';

export interface RunOptions {
  /** Program and arguments; never a shell string. */
  argv: readonly string[];
  /** Absolute. */
  cwd: string;
  /** Added to the allow-listed base environment. */
  env?: Readonly<Record<string, string>>;
  /** Kills the whole tree after so many milliseconds. Absent: no limit. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Characters kept of each stream, half from its head and half from its tail. Default 30,000. */
  maxOutputChars?: number;
  /** Kills the tree once stdout and stderr together passed so many bytes. Absent: it may run on, bounded in memory. */
  maxOutputBytes?: number;
  /** Live text, cleaned of escape sequences. Must not throw. */
  onOutput?: (chunk: string, stream: OutputStreamName) => void;
  /** Of each stream so many characters are passed on live, then a word that there is more. Absent: all, which makes a flood slow. */
  maxLiveChars?: number;
  /** Absent: plain. */
  sandbox?: Sandbox;
}

export type OutputStreamName = 'stdout' | 'stderr';

export type EndReason = 'exit' | 'signal' | 'timeout' | 'aborted' | 'spawn_failed' | 'output_limit';

/** Head and tail of one stream. `text` says in its middle how much was left out. */
export interface BoundedText {
  text: string;
  /** Characters of the whole, after cleaning; of a flood's middle, which nobody looks at, bytes. */
  totalChars: number;
  truncated: boolean;
}

export interface RunOutcome {
  /** null where a signal ended it (in a sandbox: 128 + the signal's number), or it never started. */
  exitCode: number | null;
  /** The signal that ended it, e.g. `SIGSEGV`. */
  signal: string | null;
  reason: EndReason;
  stdout: BoundedText;
  stderr: BoundedText;
  durationMs: number;
  /** Why it could not be started. */
  error?: string;
}

/** A child that was started and not awaited: a background job. */
export interface RunningProcess {
  readonly pid: number | undefined;
  /** Settles at its end; never rejects. */
  readonly outcome: Promise<RunOutcome>;
  /** What it printed so far, head and tail. */
  output(): { stdout: BoundedText; stderr: BoundedText };
  /** What it printed since the last call of this, head and tail. */
  takeOutput(): { stdout: BoundedText; stderr: BoundedText };
  /** Kills the whole tree; `outcome` then settles with reason `aborted`. */
  kill(): void;
}
