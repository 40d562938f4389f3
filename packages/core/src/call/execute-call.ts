/** The execute stop, in its order: circuit, budget, audit written ahead, the run with its limits and retries, audit of the result. */
import type { ToolFailure } from '../errors.js';
import type { ToolDefinition, ToolHandler } from '../tool/tool.js';
import type { CallEngine } from './call-engine.js';
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

/** Never rejects for what the tool does. @throws ToolFailure only before the tool has started. */
export async function executeCall(planned: PlannedCall, prepared: Prepared, context: CallContext, engine: CallEngine): Promise<ToolResult> {
  const { ports, ledger, circuits, audit } = engine;
  const { tool } = prepared;
  circuits.enter(tool);
  ledger.open(planned, context.sessionId, tool.cost);
  if (ports.audit) await audit.started(planned, context);
  const head: ResultHead = { callId: planned.call.id, tool: tool.name, startedAt: ports.clock.now(), queuedMs: 0, retryCount: 0 };
  const result = await runAttempts(planned, prepared, context, engine, head);
  ledger.close(planned, context.sessionId, result);
  circuits.leave(tool, result);
  if (needsCut(result, tool, ports)) await cutResult(result, tool, context, ports);
  if (ports.audit) await audit.finished(planned, result, context);
  return result;
}

/** The first attempt, and the further ones that the tool's retry options allow. */
async function runAttempts(planned: PlannedCall, prepared: Prepared, context: CallContext, engine: CallEngine, head: ResultHead): Promise<ToolResult> {
  const { tool } = prepared;
  const { clock } = engine.ports;
  const log = context.log ?? engine.ports.log;
  for (let { handler } = prepared; ; handler = freshHandler(tool, planned, context)) {
    const run = new RunContext(planned.call, context, log, engine.caller);
    let failure: ToolFailure;
    try {
      const waiting = begin(tool, planned, run, head, engine);
      if (waiting) await waiting;
      const returned = runTool(handler, run, tool.timeoutMs ?? engine.ports.limits.timeoutMs, engine.ports.limits.graceMs);
      const value = returned instanceof Promise ? await returned : returned;
      const result = successResult(head, value, handler, context, engine.ports);
      if (handler.undo) rememberUndo(result, { handler, returned: value, planned });
      return result;
    } catch (thrown) {
      failure = toFailure(thrown, log, tool.name, planned.call.id);
    } finally {
      end(run);
    }
    const delayMs = retryDelay(tool, failure, head.retryCount + 1, clock.random);
    if (delayMs === undefined || context.signal.aborted) return failureResult(head, failure, engine.ports);
    head.retryCount += 1;
    context.onEvent?.({ type: 'retrying', callId: planned.call.id, attempt: head.retryCount + 1, delayMs, reason: failure.code });
    await clock.sleep(delayMs, context.signal);
    if (context.signal.aborted) return failureResult(head, cancelled(context.signal), engine.ports);
  }
}

/** Waits for the places of one attempt, where it has to. */
function begin(tool: ToolDefinition, planned: PlannedCall, run: RunContext, head: ResultHead, { admission, ports }: CallEngine): Promise<void> | undefined {
  run.begin();
  const waiting = admission.enter(tool, planned.accesses, run, run.outer.signal);
  if (!waiting) return undefined;
  const since = ports.clock.now();
  return waiting.finally(() => void (head.queuedMs += ports.clock.now() - since));
}

/** Gives the places back, at once or when a stopped tool has really ended. */
function end(run: RunContext): void {
  run.finish();
  if (run.lateEnd) void leaveLate(run, run.lateEnd);
  else leaveGates(run);
}

async function leaveLate(run: RunContext, lateEnd: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, lateMs).unref();
  });
  await Promise.race([lateEnd, limit]);
  clearTimeout(timer);
  leaveGates(run);
}

/** Each attempt has an instance of its own, from arguments that no former attempt has touched. */
function freshHandler(tool: ToolDefinition, planned: PlannedCall, context: CallContext): ToolHandler {
  return tool.instantiate(parseAgain(tool, planned.call.arguments).value, context.services, context.injected ?? {});
}
