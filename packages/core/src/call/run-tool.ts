/** Runs one attempt of a tool: sync, async or generator, under its time-out and the caller's signal. */
import { setImmediate } from 'node:timers/promises';
import { ToolFailure, isToolFailure } from '../errors.js';
import type { Progress, ToolHandler } from '../tool/tool.js';
import { followAbort } from './abort-hub.js';
import { settledWithin, startDeadline } from './deadline.js';
import { refusal } from './refusal.js';
import type { RunContext } from './run-context.js';

/** A generator that yields without ever waiting lets nothing else run, not even its own time-out: after so long it is made to. Milliseconds. */
const breathMs = 10;

export interface RunLimits {
  timeoutMs: number;
  /** The caller's signal. */
  signal: AbortSignal;
  /** How long a stopped tool that listens to its signal may take to end by itself; milliseconds. Default 0. */
  graceMs?: number;
}

/**
 * What `execute` returns, awaited. Rejects with `timeout` or `cancelled` when the tool is stopped: with the tool's own failure of that
 * code (it may tell what was done so far) if it ends within the grace. A tool that goes on is not waited for; its late result or error
 * is dropped, and `run.lateEnd` says when it ends.
 */
export function runTool(handler: ToolHandler, run: RunContext, timeoutMs: number, graceMs: number): unknown {
  const { signal } = run.outer;
  if (signal.aborted) throw cancelled(signal);
  const returned: unknown = handler.execute(run);
  if (typeof returned !== 'object' || returned === null) return returned;
  if (isGenerator(returned)) return guard(drain(returned, run), run, { timeoutMs, signal, graceMs });
  return isThenable(returned) ? guard(Promise.resolve(returned), run, { timeoutMs, signal, graceMs }) : returned;
}

/** The same limits for another step of a call that the tool's author wrote: check() and preview(). */
export async function guardStep<T>(step: () => T | PromiseLike<T>, run: RunContext, limits: RunLimits): Promise<T> {
  const returned = step();
  return isThenable(returned) ? ((await guard(Promise.resolve(returned), run, limits)) as T) : returned;
}

/** A promise of the language, which never settles with another: a thenable might, and that one would have neither time-out nor abort. */
function guard(running: Promise<unknown>, run: RunContext, limits: RunLimits): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stop = (failure: ToolFailure) => {
      clear();
      run.stop(failure);
      resolve(endStopped(running, run, failure, limits.graceMs ?? 0));
    };
    const clearDeadline = startDeadline(limits.timeoutMs, () => stop(timedOut(limits.timeoutMs)));
    const clearAbort = followAbort(limits.signal, () => stop(cancelled(limits.signal)));
    const clear = () => {
      clearDeadline();
      clearAbort();
    };
    if (limits.signal.aborted) stop(cancelled(limits.signal));
    running.then(
      (value) => {
        clear();
        resolve(value);
      },
      (error: unknown) => {
        clear();
        reject(error as Error);
      },
    );
  });
}

/** Gives a stopped tool that listens a moment to end by itself; rejects with its own account of the stop, or with `failure`. */
async function endStopped(running: Promise<unknown>, run: RunContext, failure: ToolFailure, graceMs: number): Promise<never> {
  let ended = false;
  let own: unknown;
  const end = running
    .then(ignore, (error: unknown) => void (own = error))
    .then(() => void (ended = true));
  if (run.listens && graceMs > 0) await settledWithin(end, graceMs);
  if (!ended) run.lateEnd = end;
  if (isToolFailure(own) && (own.code === 'cancelled' || own.code === 'timeout')) {
    throw new ToolFailure(failure.code, own.message, { ...(failure.kind && { kind: failure.kind }), ...(own.data !== undefined && { data: own.data }), cause: own });
  }
  throw failure;
}

/** Yields are progress, the return value is the result. */
async function drain(generator: AsyncGenerator<Progress, unknown> | Generator<Progress, unknown>, run: RunContext): Promise<unknown> {
  for (let breath = performance.now(); ; ) {
    const step = await generator.next();
    if (step.done) return step.value;
    run.progress(step.value);
    if (performance.now() - breath > breathMs) {
      await setImmediate();
      breath = performance.now();
    }
    if (run.stopped) {
      await generator.return(undefined);
      return undefined;
    }
  }
}

/** For a signal that has aborted. */
export function cancelled(signal: AbortSignal): ToolFailure {
  const reason: unknown = signal.reason;
  const text = typeof reason === 'string' && reason !== '' ? `: ${reason}` : '';
  return refusal('cancelled', `The call was cancelled${text}.`);
}

function timedOut(timeoutMs: number): ToolFailure {
  return refusal('timeout', `The tool did not finish within ${timeoutMs} ms and was stopped.`, { kind: 'timeout' });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

function isGenerator(value: object): value is AsyncGenerator<Progress, unknown> | Generator<Progress, unknown> {
  const tag = (value as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag];
  return tag === 'AsyncGenerator' || tag === 'Generator';
}

function ignore(): void {
  // A late end after the result is decided is of no interest.
}
