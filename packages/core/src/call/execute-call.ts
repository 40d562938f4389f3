/** The execute stop: audit written ahead, the run with its limits, and the finish. */
import type { AuditTrail } from './audit-trail.js';
import type { CallPorts } from './call-ports.js';
import { type ResultFormat, type ResultHead, failureResult, successResult, toFailure } from './format-result.js';
import type { Prepared } from './planned-call.js';
import { type NestedCaller, RunContext } from './run-context.js';
import { runTool } from './run-tool.js';
import type { CallContext, PlannedCall, ToolResult } from './tool-call.js';

/** Never rejects: whatever the tool does becomes a result. @throws ToolFailure only before the tool has started. */
export async function executeCall(planned: PlannedCall, prepared: Prepared, context: CallContext, ports: CallPorts, audit: AuditTrail, caller: NestedCaller): Promise<ToolResult> {
  const { tool, handler } = prepared;
  const head: ResultHead = { callId: planned.call.id, tool: tool.name, startedAt: performance.now(), queuedMs: 0, retryCount: 0 };
  const log = context.log ?? ports.log;
  const format: ResultFormat = { maxChars: tool.maxOutputChars ?? ports.limits.maxOutputChars, sessionId: context.sessionId, log, redactor: ports.redactor, spill: ports.spill };
  await audit.started(planned, context);
  const run = new RunContext(planned.call, context, log, caller);
  let result: ToolResult;
  try {
    const returned = await runTool(handler, run, { timeoutMs: tool.timeoutMs ?? ports.limits.timeoutMs, signal: context.signal });
    result = await successResult(head, returned, handler, format);
  } catch (thrown) {
    result = await failureResult(head, toFailure(thrown, log, { tool: tool.name, callId: planned.call.id }), format);
  }
  run.finish();
  await audit.finished(planned, result, context);
  return result;
}
