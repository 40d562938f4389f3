/** The execute stop, in its order: circuit, budget, audit written ahead, the run with its limits and retries, audit of the result. */
import { ToolFailure } from '../errors.js';
import type { ToolDefinition, ToolHandler } from '../tool/tool.js';
import type { CallEngine } from './call-engine.js';
import { type ResultFormat, type ResultHead, failureResult, successResult, toFailure } from './format-result.js';
import type { Prepared } from './planned-call.js';
import { retryDelay } from './retry-policy.js';
import { RunContext } from './run-context.js';
import { cancelled, runTool } from './run-tool.js';
import type { CallContext, PlannedCall, ToolResult } from './tool-call.js';
import { rememberUndo } from './undo-call.js';

/** How long the places of a stopped tool are kept after its grace, so that its successor does not run into it. */
const lateMs = 1_000;

/** Never rejects for what the tool does. @throws ToolFailure only before the tool has started. */
export async function executeCall(planned: PlannedCall, prepared: Prepared, context: CallContext, engine: CallEngine): Promise<ToolResult> {
  const { tool } = prepared;
  engine.circuits.enter(tool);
  engine.ledger.open(planned, context.sessionId, tool.cost);
  if (engine.ports.audit) await engine.audit.started(planned, context);
  const result = await runAttempts(planned, prepared, context, engine);
  engine.ledger.close(planned, context.sessionId, result);
  engine.circuits.leave(tool, result);
  if (engine.ports.audit) await engine.audit.finished(planned, result, context);
  return result;
}

async function runAttempts(planned: PlannedCall, prepared: Prepared, context: CallContext, engine: CallEngine): Promise<ToolResult> {
  const { tool } = prepared;
  const { clock } = engine.ports;
  const head: ResultHead = { callId: planned.call.id, tool: tool.name, startedAt: clock.now(), queuedMs: 0, retryCount: 0 };
  const format = formatOf(tool, context, engine);
  let handler = prepared.handler;
  for (;;) {
    const run = new RunContext(planned.call, context, format.log, engine.caller);
    let failure: ToolFailure;
    try {
      const returned = await runAttempt(tool, handler, run, planned, head, engine);
      const result = await successResult(head, returned, handler, format);
      if (handler.undo) rememberUndo(result, { handler, returned, planned });
      return result;
    } catch (thrown) {
      failure = toFailure(thrown, format.log, { tool: tool.name, callId: planned.call.id });
    }
    const delayMs = retryDelay(tool, failure, head.retryCount + 1, clock.random);
    if (delayMs === undefined || context.signal.aborted) return failureResult(head, failure, format);
    head.retryCount += 1;
    context.onEvent?.({ type: 'retrying', callId: planned.call.id, attempt: head.retryCount + 1, delayMs, reason: failure.code });
    await clock.sleep(delayMs, context.signal);
    if (context.signal.aborted) return failureResult(head, cancelled(context.signal), format);
    handler = freshHandler(tool, planned, context);
  }
}

/** One attempt: waits for its places, runs, gives them back when the tool has really ended. */
async function runAttempt(tool: ToolDefinition, handler: ToolHandler, run: RunContext, planned: PlannedCall, head: ResultHead, engine: CallEngine): Promise<unknown> {
  const { limits, clock } = engine.ports;
  const { signal } = run.outer;
  run.begin();
  try {
    const waiting = engine.admission.enter(tool, planned.accesses, run, signal);
    if (waiting) {
      const since = clock.now();
      await waiting.finally(() => void (head.queuedMs += clock.now() - since));
    }
    const returned = runTool(handler, run, { timeoutMs: tool.timeoutMs ?? limits.timeoutMs, signal, graceMs: limits.graceMs });
    return returned instanceof Promise ? await returned : returned;
  } finally {
    run.finish();
    if (run.lateEnd) void leaveLate(run, run.lateEnd, engine);
    else engine.admission.leave(run);
  }
}

async function leaveLate(run: RunContext, lateEnd: Promise<void>, engine: CallEngine): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, lateMs).unref();
  });
  await Promise.race([lateEnd, limit]);
  clearTimeout(timer);
  engine.admission.leave(run);
}

/** Each attempt has an instance of its own, from arguments that no former attempt has touched. */
function freshHandler(tool: ToolDefinition, planned: PlannedCall, context: CallContext): ToolHandler {
  const outcome = tool.parse(planned.arguments);
  if (!outcome.ok) throw new ToolFailure('invalid_arguments', 'The arguments changed since they were checked.', { details: outcome.issues });
  return tool.instantiate(outcome.value, context.services, context.injected ?? {});
}

function formatOf(tool: ToolDefinition, context: CallContext, { ports }: CallEngine): ResultFormat {
  return {
    maxChars: tool.maxOutputChars ?? ports.limits.maxOutputChars,
    sessionId: context.sessionId,
    log: context.log ?? ports.log,
    now: ports.clock.now,
    redactor: ports.redactor,
    spill: ports.spill,
  };
}
