/** Taking back a call that succeeded: the result remembers the instance that made it, while this process lives. */
import type { ToolFailure } from '../errors.js';
import type { ToolHandler } from '../tool/tool.js';
import type { CallEngine } from './call-engine.js';
import { toFailure } from './format-result.js';
import { RunContext } from './run-context.js';
import { guardStep } from './run-tool.js';
import type { CallContext, PlannedCall, ToolResult } from './tool-call.js';

interface Undoable {
  handler: ToolHandler;
  returned: unknown;
  planned: PlannedCall;
}

const undoable = new WeakMap<ToolResult, Undoable>();

export function rememberUndo(result: ToolResult, what: Undoable): void {
  undoable.set(result, what);
}

/**
 * Calls the tool's undo() once, audited as a call of its own. Resolves with true when it was undone, false when there is nothing to undo.
 * @throws ToolFailure when undo() fails
 */
export async function undoCall(result: ToolResult, context: CallContext, engine: CallEngine): Promise<boolean> {
  const what = undoable.get(result);
  if (!what) return false;
  undoable.delete(result);
  const { handler, returned, planned } = what;
  const log = context.log ?? engine.ports.log;
  const call = { ...planned.call, id: `${planned.call.id}/undo` };
  const record: PlannedCall = { ...JSON.parse(JSON.stringify(planned)), call } as PlannedCall;
  await engine.audit.started(record, context);
  const startedAt = engine.ports.clock.now();
  const run = new RunContext(call, context, log, engine.caller);
  let failure: ToolFailure | undefined;
  try {
    const limits = { timeoutMs: engine.ports.limits.timeoutMs, signal: context.signal };
    await guardStep(() => handler.undo?.(returned, run), run, limits);
  } catch (thrown) {
    failure = toFailure(thrown, log, planned.tool, call.id);
  }
  const status = failure ? 'error' : 'success';
  const ended = { ...result, callId: call.id, status, durationMs: engine.ports.clock.now() - startedAt } as ToolResult;
  await engine.audit.finished(record, failure ? { ...ended, code: failure.code } : ended, context);
  if (failure) throw failure;
  return true;
}
