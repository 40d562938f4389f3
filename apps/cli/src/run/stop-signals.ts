// SIGINT and SIGTERM: the first one stops the run in order, a second one leaves at once.
import { type ExitCode, exitCode } from '../exit-code.js';

export interface StopSignals {
  readonly signal: AbortSignal;
  /** As if Ctrl-C had been pressed. */
  interrupt(): void;
  /** The exit status that a signal asks for; undefined when none came. */
  status(): ExitCode | undefined;
  release(): void;
}

export function onStopSignals(): StopSignals {
  const controller = new AbortController();
  let status: ExitCode | undefined;
  const stop = (code: ExitCode): void => {
    if (status !== undefined) process.exit(code);
    status = code;
    controller.abort(new Error('stopped by the user'));
  };
  const onInterrupt = (): void => stop(exitCode.interrupted);
  const onTerminate = (): void => stop(exitCode.terminated);
  process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate);
  const release = (): void => void process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate);
  return { signal: controller.signal, interrupt: onInterrupt, status: () => status, release };
}
