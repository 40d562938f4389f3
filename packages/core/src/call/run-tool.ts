/** Runs one attempt of a tool: sync, async or generator, under its time-out and the caller's signal. */
import { ToolFailure } from '../errors.js';
import type { Progress, ToolHandler } from '../tool/tool.js';
import { followAbort } from './abort-hub.js';
import { startDeadline } from './deadline.js';
import type { RunContext } from './run-context.js';

export interface RunLimits {
  timeoutMs: number;
  /** The caller's signal. */
  signal: AbortSignal;
}

/**
 * What `execute` returns, awaited. Rejects with `timeout` or `cancelled` as soon as that is known; a tool that goes on after that
 * is not waited for here, its late result or error is dropped, and `whenSettled` is told when it ends.
 */
export function runTool(handler: ToolHandler, run: RunContext, limits: RunLimits, whenSettled?: (settled: Promise<void>) => void): unknown {
  if (limits.signal.aborted) throw cancelled(limits.signal);
  const returned: unknown = handler.execute(run);
  if (isGenerator(returned)) return guard(drain(returned, run), run, limits, whenSettled);
  if (isThenable(returned)) return guard(returned, run, limits, whenSettled);
  return returned;
}

/** The same limits for another step of a call that the tool's author wrote: check() and preview(). */
export async function guardStep<T>(step: () => T | PromiseLike<T>, run: RunContext, limits: RunLimits): Promise<T> {
  const returned = step();
  return isThenable(returned) ? ((await guard(returned, run, limits)) as T) : returned;
}

function guard(running: PromiseLike<unknown>, run: RunContext, limits: RunLimits, whenSettled?: (settled: Promise<void>) => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stop = (failure: ToolFailure) => {
      clear();
      run.stop(failure);
      whenSettled?.(Promise.resolve(running).then(ignore, ignore));
      reject(failure);
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

/** Yields are progress, the return value is the result. */
async function drain(generator: AsyncGenerator<Progress, unknown> | Generator<Progress, unknown>, run: RunContext): Promise<unknown> {
  for (;;) {
    const step = await generator.next();
    if (step.done) return step.value;
    run.progress(step.value);
    if (run.stopped) {
      await generator.return(undefined);
      return undefined;
    }
  }
}

export function cancelled(signal: AbortSignal): ToolFailure {
  const reason: unknown = signal.reason;
  const text = typeof reason === 'string' && reason !== '' ? `: ${reason}` : '';
  return new ToolFailure('cancelled', `The call was cancelled${text}.`);
}

function timedOut(timeoutMs: number): ToolFailure {
  return new ToolFailure('timeout', `The tool did not finish within ${timeoutMs} ms and was stopped.`, { kind: 'timeout' });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

function isGenerator(value: unknown): value is AsyncGenerator<Progress, unknown> | Generator<Progress, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const tag = (value as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag];
  return tag === 'AsyncGenerator' || tag === 'Generator';
}

function ignore(): void {
  // A late end after the result is decided is of no interest.
}
