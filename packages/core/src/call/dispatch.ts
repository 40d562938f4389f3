/** The one door to a tool: plan → approve → execute, each step throwing ToolFailure, and one place that turns it into a result. */
import { ToolFailure } from '../errors.js';
import type { ApprovalAnswer } from '../permission/approval.js';
import type { Class } from '../tool/tool.js';
import { admit, askApproval } from './approve-call.js';
import { type CallEngine, createEngine } from './call-engine.js';
import type { CallPorts, DispatcherOptions } from './call-ports.js';
import { withDefaults } from './default-ports.js';
import { executeCall } from './execute-call.js';
import { cutResult, failureResult, needsCut, toFailure } from './format-result.js';
import { type PlanOptions, planCall } from './plan-call.js';
import { Plan, type Prepared } from './planned-call.js';
import { WrongArguments } from './refusal.js';
import { type NestedCaller, type NestedContext, type RunContext, parentRun } from './run-context.js';
import type { CallContext, Dispatcher, PlanOutcome, PlannedCall, ToolCall, ToolResult } from './tool-call.js';
import { undoCall } from './undo-call.js';

/** How often one call may be edited at its approval before it is given up. */
const maxEdits = 10;
/** Ends the id of a call that stands in for one of a paused tool. */
const degradedMark = '/degraded';

/** A dispatcher over a registry. Without a policy the default rules hold; without an audit log nothing is audited. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  return new ToolDispatcher(withDefaults(options));
}

class ToolDispatcher implements Dispatcher, NestedCaller {
  readonly #engine: CallEngine;
  readonly #options: PlanOptions = { caller: this };

  constructor(private readonly ports: CallPorts) {
    this.#engine = createEngine(ports, this);
  }

  async plan(call: ToolCall, context: CallContext): Promise<PlanOutcome> {
    try {
      const planned = await planCall(call, context, this.ports, this.#options);
      return planned instanceof WrongArguments ? { kind: 'refused', result: await this.#refuse(call, planned, context) } : { kind: 'planned', planned };
    } catch (thrown) {
      return { kind: 'refused', result: await this.#refuse(call, thrown, context) };
    }
  }

  async execute(planned: PlannedCall, answer: ApprovalAnswer | undefined, context: CallContext): Promise<ToolResult> {
    try {
      if (answer?.answer === 'edit') return await this.#replan(planned, answer.arguments, context);
      const live = Plan.take(planned, context);
      const plan = live ? planned : await this.#planAgain(planned, context);
      await admit(planned, answer, context, this.ports, this.#engine.audit);
      return await executeCall(plan, live ?? takeNew(plan, context), context, this.#engine);
    } catch (thrown) {
      return (await this.#degrade(planned, thrown, context)) ?? this.#refuse(planned.call, thrown, context);
    }
  }

  dispatch(call: ToolCall, context: CallContext): Promise<ToolResult> {
    return this.#dispatch(call, context, 0);
  }

  async undo(result: ToolResult, context: CallContext): Promise<boolean> {
    return undoCall(result, context, this.#engine);
  }

  forgetSession(sessionId: string): void {
    this.#engine.ledger.forget(sessionId);
  }

  async #dispatch(call: ToolCall, context: CallContext, edits: number): Promise<ToolResult> {
    let planned: Plan | undefined;
    try {
      const planning = planCall(call, context, this.ports, this.#options);
      if (planning instanceof WrongArguments) {
        const refusing = this.#refuse(call, planning, context);
        return refusing instanceof Promise ? await refusing : refusing;
      }
      planned = planning instanceof Promise ? await planning : planning;
      if (planned.decision.verdict !== 'allow') return await this.#askAndExecute(planned, context, edits);
      const executing = executeCall(planned, takeNew(planned, context), context, this.#engine);
      return executing instanceof Promise ? await executing : executing;
    } catch (thrown) {
      return (planned && (await this.#degrade(planned, thrown, context))) ?? this.#refuse(call, thrown, context);
    }
  }

  async #askAndExecute(planned: Plan, context: CallContext, edits: number): Promise<ToolResult> {
    const answer = await askApproval(planned, context, this.ports);
    if (answer?.answer !== 'edit') return this.execute(planned, answer, context);
    if (edits >= maxEdits) throw new ToolFailure('approval_declined', `The call was edited ${maxEdits} times without a decision.`);
    return this.#dispatch({ ...planned.call, arguments: JSON.stringify(answer.arguments) }, context, edits + 1);
  }

  /** A paused tool is replaced by the one it names, as a call of its own under the same policy; not twice in a row. */
  async #degrade(planned: PlannedCall, thrown: unknown, context: CallContext): Promise<ToolResult | undefined> {
    const name = this.ports.registry.get(planned.tool)?.degradeTo;
    if (name === undefined || !(thrown instanceof ToolFailure) || thrown.code !== 'circuit_open' || planned.call.id.endsWith(degradedMark)) return undefined;
    const call = { id: `${planned.call.id}${degradedMark}`, name, arguments: JSON.stringify(planned.arguments) };
    return { ...(await this.dispatch(call, context)), callId: planned.call.id };
  }

  /** An edited call is a new call: planned from the start, and asked again where policy still says so. */
  #replan(planned: PlannedCall, edited: object, context: CallContext): Promise<ToolResult> {
    return this.#dispatch({ ...planned.call, arguments: JSON.stringify(edited) }, context, 1);
  }

  /** A plan that comes back from JSON, or a second run of one: planned again, and only good if it is still the same call. */
  async #planAgain(planned: PlannedCall, context: CallContext): Promise<Plan> {
    const call = { ...planned.call, name: planned.tool, arguments: JSON.stringify(planned.arguments) };
    const again = await planCall(call, context, this.ports, { caller: this, again: true });
    if (again instanceof WrongArguments) throw new ToolFailure(again.code, again.message, { details: again.details });
    if (again.hash !== planned.hash) throw new ToolFailure('permission_denied', 'What was planned is not what would run now; plan the call again.');
    if (again.decision.verdict === 'ask' && planned.decision.verdict === 'allow') throw new ToolFailure('approval_unavailable', 'The rules changed since the call was planned, and it must now be approved; plan it again.');
    return again;
  }

  /** A call from inside a running tool: same session, same policy, and it ends when its parent does. */
  async callFrom(parent: RunContext, tool: Class | string, args: object): Promise<ToolResult> {
    const name = typeof tool === 'string' ? tool : (this.ports.registry.list().find(({ target }) => target === tool)?.name ?? tool.name);
    const { idempotencyKey: _ofTheParent, ...context } = parent.outer;
    return this.dispatch({ id: parent.nextChildId(), name, arguments: JSON.stringify(args) }, { ...context, signal: parent.signal, [parentRun]: parent } as NestedContext);
  }

  /** With the signal of the whole call: what was done is taken back also when the parent itself has run out of time. */
  undoFrom(parent: RunContext, result: ToolResult): Promise<boolean> {
    return this.undo(result, parent.outer);
  }

  /** The result of a call that was not carried out; without a promise where nothing has to be waited for. */
  #refuse(call: ToolCall, thrown: unknown, context: CallContext): ToolResult | Promise<ToolResult> {
    const { ports } = this;
    const failure = thrown instanceof WrongArguments ? thrown : toFailure(thrown, context.log ?? ports.log, call.name, call.id);
    const result = failureResult({ callId: call.id, tool: call.name, startedAt: ports.clock.now(), queuedMs: 0, retryCount: 0 }, failure, ports);
    return ports.audit || needsCut(result, undefined, ports) ? this.#recordRefusal(call, result, context) : result;
  }

  async #recordRefusal(call: ToolCall, result: ToolResult, context: CallContext): Promise<ToolResult> {
    if (needsCut(result, undefined, this.ports)) await cutResult(result, undefined, context, this.ports);
    if (this.ports.audit) await this.#engine.audit.refused(call, result, context);
    return result;
  }
}

/** The live half of a plan that was made a moment ago for this very context. */
function takeNew(planned: PlannedCall, context: CallContext): Prepared {
  const prepared = Plan.take(planned, context);
  if (!prepared) throw new Error('a new plan has no live half');
  return prepared;
}
