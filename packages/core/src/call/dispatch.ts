/** The one door to a tool: plan → approve → execute, each step throwing ToolFailure, and one place that turns it into a result. */
import { ToolFailure } from '../errors.js';
import type { ApprovalAnswer } from '../permission/approval.js';
import type { Class } from '../tool/tool.js';
import { admit, askApproval } from './approve-call.js';
import { AuditTrail } from './audit-trail.js';
import { type CallPorts, type DispatcherOptions, silentLogger } from './call-ports.js';
import { defaultPolicy, literalResolver } from './default-ports.js';
import { executeCall } from './execute-call.js';
import { failureResult, toFailure } from './format-result.js';
import { planCall } from './plan-call.js';
import { Plan, type Prepared } from './planned-call.js';
import type { NestedCaller, RunContext } from './run-context.js';
import type { CallContext, Dispatcher, PlanOutcome, PlannedCall, ToolCall, ToolResult } from './tool-call.js';

/** How often one call may be edited at its approval before it is given up. */
const maxEdits = 10;

/** A dispatcher over a registry. Without a policy the defaults of the rules hold; without an audit log nothing is audited. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const limits = { timeoutMs: 120_000, maxOutputChars: 30_000, maxArgumentChars: 4 * 1024 * 1024, ...options.limits };
  return new ToolDispatcher({ ...options, policy: options.policy ?? defaultPolicy, resolver: options.resolver ?? literalResolver, limits, log: options.log ?? silentLogger });
}

class ToolDispatcher implements Dispatcher, NestedCaller {
  readonly #audit: AuditTrail;

  constructor(private readonly ports: CallPorts) {
    this.#audit = new AuditTrail(ports);
  }

  async plan(call: ToolCall, context: CallContext): Promise<PlanOutcome> {
    try {
      return { kind: 'planned', planned: await planCall(call, context, this.ports, { caller: this }) };
    } catch (thrown) {
      return { kind: 'refused', result: await this.#refuse(call, thrown, context) };
    }
  }

  async execute(planned: PlannedCall, answer: ApprovalAnswer | undefined, context: CallContext): Promise<ToolResult> {
    try {
      if (answer?.answer === 'edit') return await this.#replan(planned, answer.arguments, context);
      const prepared = Plan.take(planned, context) ?? (await this.#prepareAgain(planned, context));
      await admit(planned, answer, context, this.ports, this.#audit);
      return await executeCall(planned, prepared, context, this.ports, this.#audit, this);
    } catch (thrown) {
      return this.#refuse(planned.call, thrown, context);
    }
  }

  async dispatch(call: ToolCall, context: CallContext): Promise<ToolResult> {
    return this.#dispatch(call, context, 0);
  }

  async #dispatch(call: ToolCall, context: CallContext, edits: number): Promise<ToolResult> {
    const outcome = await this.plan(call, context);
    if (outcome.kind === 'refused') return outcome.result;
    if (outcome.planned.decision.verdict === 'allow') return this.execute(outcome.planned, undefined, context);
    try {
      const answer = await askApproval(outcome.planned, context, this.ports);
      if (answer?.answer !== 'edit') return await this.execute(outcome.planned, answer, context);
      if (edits >= maxEdits) throw new ToolFailure('approval_declined', `The call was edited ${maxEdits} times without a decision.`);
      return await this.#dispatch({ ...call, arguments: JSON.stringify(answer.arguments) }, context, edits + 1);
    } catch (thrown) {
      return this.#refuse(call, thrown, context);
    }
  }

  /** An edited call is a new call: planned from the start, and asked again where policy still says so. */
  #replan(planned: PlannedCall, edited: object, context: CallContext): Promise<ToolResult> {
    return this.#dispatch({ ...planned.call, arguments: JSON.stringify(edited) }, context, 1);
  }

  /** A plan that comes back from JSON, or a second run of one: planned again, and only good if it is still the same call. */
  async #prepareAgain(planned: PlannedCall, context: CallContext): Promise<Prepared> {
    const call = { ...planned.call, name: planned.tool, arguments: JSON.stringify(planned.arguments) };
    const again = await planCall(call, context, this.ports, { caller: this, again: true });
    const prepared = Plan.take(again, context);
    if (!prepared || again.hash !== planned.hash) throw new ToolFailure('permission_denied', 'What was planned is not what would run now; plan the call again.');
    if (again.decision.verdict === 'ask' && planned.decision.verdict === 'allow') throw new ToolFailure('approval_unavailable', 'The rules changed since the call was planned, and it must now be approved; plan it again.');
    return prepared;
  }

  /** A call from inside a running tool: same session, same policy, and it ends when its parent does. */
  async callFrom(parent: RunContext, tool: Class | string, args: object): Promise<ToolResult> {
    const name = typeof tool === 'string' ? tool : (this.ports.registry.list().find(({ target }) => target === tool)?.name ?? tool.name);
    const { idempotencyKey: _ofTheParent, ...context } = parent.outer;
    return this.dispatch({ id: parent.nextChildId(), name, arguments: JSON.stringify(args) }, { ...context, signal: parent.signal });
  }

  async #refuse(call: ToolCall, thrown: unknown, context: CallContext): Promise<ToolResult> {
    const log = context.log ?? this.ports.log;
    const failure = toFailure(thrown, log, { tool: call.name, callId: call.id });
    const head = { callId: call.id, tool: call.name, startedAt: performance.now(), queuedMs: 0, retryCount: 0 };
    const result = await failureResult(head, failure, { maxChars: this.ports.limits.maxOutputChars, sessionId: context.sessionId, log, redactor: this.ports.redactor, spill: undefined });
    if (this.ports.audit) await this.#audit.refused(call, result, context);
    return result;
  }
}
