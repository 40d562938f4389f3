/** The execute stop, in its order: circuit, budget, audit written ahead, the run with its limits and retries, audit of the result. */
import type { ToolFailure } from '../errors.js';
import type { ToolHandler } from '../tool/tool.js';
import type { CallEngine } from './call-engine.js';
import { settledWithin } from './deadline.js';
import { type ResultHead, cutResult, failureResult, needsCut, successResult, toFailure } from './format-result.js';
import { leaveGates } from './gate.js';
import { type Prepared, parseAgain } from './planned-call.js';
import { retryDelay } from './retry-policy.js';
import { RunContext } from './run-context.js';
import { cancelled, runTool } from './run-tool.js';
import type { CallContext, PlannedCall, ToolResult } from './tool-call.js';
import { rememberUndo } from './undo-call.js';

/** How long the places of a stopped tool are kept after its grace, so that its successor does not run into it. */
const lateMs = 1_000;

/** What one call's attempts share, and the head of its result. */
interface Execution extends ResultHead {
  planned: PlannedCall;
  prepared: Prepared;
  context: CallContext;
  engine: CallEngine;
}

/**
 * Without a promise where nothing has to be waited for. Never rejects for what the tool does.
 * @throws ToolFailure only before the tool has started.
 */
export function executeCall(planned: PlannedCall, prepared: Prepared, context: CallContext, engine: CallEngine): ToolResult | Promise<ToolResult> {
  engine.circuits.enter(prepared.tool);
  engine.ledger.open(planned, context.sessionId, prepared.tool.cost);
  const execution: Execution = {
    callId: planned.call.id, tool: prepared.tool.name, startedAt: engine.ports.clock.now(), queuedMs: 0, retryCount: 0, planned, prepared, context, engine,
  };
  return engine.ports.audit || claims(planned, context) ? runRecorded(execution) : run(execution);
}

/** Whether the host wants to know before the call changes something. */
function claims(planned: PlannedCall, context: CallContext): boolean {
  return context.beforeEffect !== undefined && planned.scopes.some((scope) => scope !== 'read');
}

/** The start is on record, and claimed where it can change something, before the tool runs; the end, when its result is known. */
async function runRecorded(execution: Execution): Promise<ToolResult> {
  const { planned, prepared, context, engine } = execution;
  try {
    await engine.audit.started(planned, context);
    if (claims(planned, context)) await context.beforeEffect?.(planned);
  } catch (error) {
    engine.circuits.leave(prepared.tool, { status: 'cancelled' });
    throw error;
  }
  const result = await run(execution);
  await engine.audit.finished(planned, result, context);
  return result;
}

function run(execution: Execution): ToolResult | Promise<ToolResult> {
  const { handler } = execution.prepared;
  try {
    const returned = attempt(handler, execution);
    return returned instanceof Promise ? settleLater(returned, execution) : settle(succeeded(returned, handler, execution), execution);
  } catch (thrown) {
    return settleLater(Promise.reject(thrown as Error), execution);
  }
}

async function settleLater(returned: Promise<unknown>, execution: Execution): Promise<ToolResult> {
  const { prepared, context, engine, tool, callId } = execution;
  let result: ToolResult;
  try {
    result = succeeded(await returned, prepared.handler, execution);
  } catch (thrown) {
    result = await retry(toFailure(thrown, context.log ?? engine.ports.log, tool, callId), execution);
  }
  return settle(result, execution);
}

function settle(result: ToolResult, { planned, prepared, context, engine }: Execution): ToolResult | Promise<ToolResult> {
  engine.ledger.close(planned, context.sessionId, result);
  engine.circuits.leave(prepared.tool, result);
  return needsCut(result, prepared.tool, engine.ports) ? cutResult(result, prepared.tool, context, engine.ports) : result;
}

/** Tries again as the tool's retry options allow; the result of the last attempt. */
async function retry(first: ToolFailure, execution: Execution): Promise<ToolResult> {
  const { prepared, context, engine, callId } = execution;
  const { tool } = prepared;
  const { clock } = engine.ports;
  for (let failure = first; ; ) {
    const delayMs = retryDelay(tool, failure, execution.retryCount + 1, clock.random);
    if (delayMs === undefined || context.signal.aborted) return failureResult(execution, failure, engine.ports);
    execution.retryCount += 1;
    context.onEvent?.({ type: 'retrying', callId, attempt: execution.retryCount + 1, delayMs, reason: failure.code });
    await clock.sleep(delayMs, context.signal);
    if (context.signal.aborted) return failureResult(execution, cancelled(context.signal), engine.ports);
    try {
      const handler = freshHandler(prepared, context);
      return succeeded(await attempt(handler, execution), handler, execution);
    } catch (thrown) {
      failure = toFailure(thrown, context.log ?? engine.ports.log, tool.name, callId);
    }
  }
}

function succeeded(returned: unknown, handler: ToolHandler, execution: Execution): ToolResult {
  const result = successResult(execution, returned, handler, execution.context, execution.engine.ports);
  if (handler.undo) rememberUndo(result, { handler, returned, planned: execution.planned });
  return result;
}

/** One attempt; without a promise where neither a place nor the tool has to be waited for. */
function attempt(handler: ToolHandler, execution: Execution): unknown {
  const { planned, prepared, context, engine } = execution;
  const run = new RunContext(planned.call, context, context.log ?? engine.ports.log, engine.caller, engine.ports.redactor);
  run.begin();
  let returned: unknown;
  try {
    const waiting = engine.admission.enter(prepared.tool, planned.accesses, run, context.signal);
    returned = waiting ? runWhenAdmitted(waiting, handler, run, execution) : start(handler, run, execution);
  } catch (error) {
    end(run);
    throw error;
  }
  if (returned instanceof Promise) return returned.finally(() => end(run));
  end(run);
  return returned;
}

function start(handler: ToolHandler, run: RunContext, { prepared, engine }: Execution): unknown {
  const { timeoutMs, graceMs } = engine.ports.limits;
  return runTool(handler, run, prepared.tool.timeoutMs ?? timeoutMs, graceMs);
}

async function runWhenAdmitted(waiting: Promise<void>, handler: ToolHandler, run: RunContext, execution: Execution): Promise<unknown> {
  const { clock } = execution.engine.ports;
  const since = clock.now();
  try {
    await waiting;
  } finally {
    execution.queuedMs = Math.round((execution.queuedMs + clock.now() - since) * 1000) / 1000;
  }
  return start(handler, run, execution);
}

/** Gives the places back, at once or when a stopped tool has really ended. */
function end(run: RunContext): void {
  run.finish();
  if (run.lateEnd) void leaveLate(run, run.lateEnd);
  else leaveGates(run);
}

async function leaveLate(run: RunContext, lateEnd: Promise<void>): Promise<void> {
  await settledWithin(lateEnd, lateMs);
  leaveGates(run);
}

/** Each attempt has an instance of its own, from arguments that no former attempt has touched. */
function freshHandler({ tool, text }: Prepared, context: CallContext): ToolHandler {
  return tool.instantiate(parseAgain(tool, text).value, context.services, context.injected ?? {});
}
