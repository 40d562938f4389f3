/** The approve stop: who may answer, what they are shown, and what their answer does. */
import { ToolFailure } from '../errors.js';
import type { ApprovalAnswer, ApprovalRequest } from '../permission/approval.js';
import { followAbort } from './abort-hub.js';
import type { AuditTrail } from './audit-trail.js';
import type { CallPorts } from './call-ports.js';
import { maskedArguments } from './planned-call.js';
import { cancelled } from './run-tool.js';
import type { CallContext, PlannedCall } from './tool-call.js';

/** Asks, where the decision is "ask". A rejection of the approver counts as deny; an abort while waiting as cancel. */
export async function askApproval(planned: PlannedCall, context: CallContext, ports: CallPorts): Promise<ApprovalAnswer | undefined> {
  if (planned.decision.verdict !== 'ask' || !context.approver) return undefined;
  const request = approvalRequest(planned, context, ports);
  try {
    return await orAborted(context.approver.ask(request, context.signal), context.signal);
  } catch (error) {
    if (context.signal.aborted) throw cancelled(context.signal);
    ports.log.warn('the approver failed; the call is declined', { callId: planned.call.id, error: error instanceof Error ? error.message : String(error) });
    return { answer: 'deny', reason: 'the question could not be answered' };
  }
}

/** An approver that does not heed the signal is not waited for either. */
function orAborted<T>(asked: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(cancelled(signal));
  return new Promise((resolve, reject) => {
    const unfollow = followAbort(signal, () => reject(cancelled(signal)));
    asked.then(resolve, reject).finally(unfollow);
  });
}

function approvalRequest(planned: PlannedCall, context: CallContext, ports: CallPorts): ApprovalRequest {
  const request: ApprovalRequest = {
    callId: planned.call.id,
    sessionId: context.sessionId,
    tool: planned.tool,
    scopes: planned.scopes,
    arguments: maskedArguments(ports.registry.get(planned.tool), planned.arguments),
    accesses: planned.accesses,
    decision: planned.decision,
    hash: planned.hash,
  };
  if (planned.plugin !== undefined) request.plugin = planned.plugin;
  if (planned.preview) request.preview = planned.preview;
  return request;
}

/**
 * Lets an approved call pass and stores what "session" and "always" grant. `edit` is not handled here: it is a new plan.
 * @throws ToolFailure `approval_unavailable`, `approval_declined`, or `permission_denied` for a plan that was denied.
 */
export async function admit(planned: PlannedCall, answer: ApprovalAnswer | undefined, context: CallContext, ports: CallPorts, audit: AuditTrail): Promise<void> {
  if (planned.decision.verdict === 'allow') return;
  if (planned.decision.verdict === 'deny') throw new ToolFailure('permission_denied', `${planned.tool} is denied by the permission rules.`);
  if (!answer) throw unavailable(planned);
  await audit.approval(planned, answer, context);
  if (answer.answer === 'deny') throw declined(planned, answer.reason);
  if (answer.answer === 'session' || answer.answer === 'always') await grant(planned, answer.answer, context, ports);
  else if (answer.answer !== 'once') throw declined(planned, `the answer ${JSON.stringify((answer as { answer?: unknown }).answer)} is not known`);
}

async function grant(planned: PlannedCall, scope: 'session' | 'always', context: CallContext, ports: CallPorts): Promise<void> {
  const rules = planned.decision.suggestion ?? [];
  if (rules.length === 0 || !ports.grants) return;
  try {
    await ports.grants.add(rules, scope, context.sessionId);
  } catch (error) {
    // The person did approve this call; only the wish to remember it could not be met.
    ports.log.warn('the approval could not be remembered', { rules, scope, error: error instanceof Error ? error.message : String(error) });
  }
}

function unavailable(planned: PlannedCall): ToolFailure {
  const { reasons: [first], suggestion } = planned.decision;
  const rule = suggestion === undefined ? 'A rule' : `The rule ${suggestion.join(' with ')}`;
  return new ToolFailure('approval_unavailable', `${planned.tool} must be approved (${first?.rule ?? 'the permission rules'}), and nobody can be asked here. ${rule} or --yes would allow it.`);
}

function declined(planned: PlannedCall, reason: string | undefined): ToolFailure {
  const why = reason === undefined || reason === '' ? '' : `: ${reason}`;
  return new ToolFailure('approval_declined', `The user declined ${planned.tool}${why}.`);
}
