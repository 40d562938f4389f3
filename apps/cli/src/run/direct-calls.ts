// Calls without a model, through the same dispatcher: what `tools call` and `tools run` stand on.
import type { CallContext, ToolCall, ToolResult } from '@haft/core';
import { chooseApprover } from '../approval/choose-approver.js';
import type { Invocation } from '../command/program.js';
import { type ExitCode, exitCode } from '../exit-code.js';
import { sanitise } from '../output/sanitise.js';
import { openRuntime, type Runtime, type RuntimeOptions } from './runtime.js';
import { onStopSignals, type StopSignals } from './stop-signals.js';

export interface DirectCalls {
  readonly runtime: Runtime;
  readonly context: CallContext;
  readonly stop: StopSignals;
  call(call: ToolCall): Promise<ToolResult>;
}

/** Opens a runtime with one session for the calls of `body`, and takes it down again. */
export async function withDirectCalls(invocation: Invocation, body: (calls: DirectCalls) => Promise<ExitCode>, options: RuntimeOptions = {}): Promise<ExitCode> {
  const runtime = await openRuntime(invocation, options);
  const sessionId = `cli-${process.pid}-${Date.now().toString(36)}`;
  const services = runtime.host.openSession(sessionId);
  const stop = onStopSignals();
  const approver = chooseApprover(invocation, () => stop.interrupt());
  const context: CallContext = {
    sessionId,
    services,
    signal: stop.signal,
    log: runtime.log,
    visibleTools: new Set(runtime.tools.map((tool) => tool.name)),
    ...(approver === undefined ? {} : { approver }),
    onEvent: (event) => {
      if (event.type === 'output' && invocation.terminal.verbose) invocation.terminal.show(sanitise(event.chunk));
    },
  };
  try {
    return await body({ runtime, context, stop, call: (call) => runtime.dispatcher.dispatch(call, context) });
  } finally {
    stop.release();
    await services.dispose();
    await runtime.dispose();
  }
}

/** The exit status for one result: 1 when it is no success, 5 when nobody could be asked, 130 when it was interrupted. */
export function exitStatusOfResult(result: ToolResult, stop: StopSignals): ExitCode {
  const signalled = stop.status();
  if (signalled !== undefined) return signalled;
  if (result.success) return exitCode.done;
  return result.code === 'approval_unavailable' ? exitCode.unanswered : exitCode.failed;
}
