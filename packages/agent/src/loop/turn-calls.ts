/**
 * The calls of one turn: plan in the model's order; run together what is disjoint, one group after the other; ask where policy
 * asks; append the results in the model's order. Whatever happens, every call ends with exactly one result.
 */
import type { ApprovalAnswer, PlannedCall, ToolCall, ToolResult } from '@haft/core';
import type { AssistantMessage, ToolCallPart } from '../messages.js';
import { Approvals } from './approvals.js';
import { CallGuard } from './call-guard.js';
import { conflict, isReadOnly } from './conflicts.js';
import { Lanes } from './lanes.js';
import { cancelledResult, toolMessage, truncatedCallResult } from './results.js';
import type { RunState } from './run-state.js';
import { defaultTurnChars, fitTurn } from './turn-output.js';

/** A call on its way: planned, then done. */
interface OpenCall {
  call: ToolCall;
  planned?: PlannedCall;
  result?: ToolResult;
  announced?: true;
}

export class TurnCalls {
  readonly guard: CallGuard;
  private readonly approvals: Approvals;
  private readonly lanes: Lanes;

  constructor(private readonly run: RunState) {
    this.guard = new CallGuard(run.job.limits);
    this.approvals = new Approvals(run);
    this.lanes = new Lanes(run.job.limits.maxParallelCalls ?? 8);
  }

  /** Carries out the calls of `message` and appends their results. `cut` says that the answer was cut off: then none runs. */
  async carryOut(turn: number, message: AssistantMessage, cut: boolean): Promise<void> {
    const calls = message.parts.filter((part) => part.type === 'tool_call').map(openCall);
    this.approvals.startTurn();
    try {
      if (!cut) await this.runAll(calls);
    } finally {
      for (const open of calls) {
        if (open.result === undefined) await this.settle(open, cut ? truncatedCallResult(open.call) : cancelledResult(open.call));
      }
      await this.append(turn, calls);
    }
  }

  private async append(turn: number, calls: readonly OpenCall[]): Promise<void> {
    const results = calls.map(({ call, result }) => ({ call, result: result as ToolResult, message: toolMessage(call, result as ToolResult) }));
    const shortened = fitTurn(results.map(({ message }) => message), this.run.job.limits.maxTurnOutputChars ?? defaultTurnChars);
    if (shortened !== undefined) await this.run.scope.step(`t${turn}/shortened`, () => Promise.resolve(shortened));
    this.run.addResults(results, shortened);
  }

  private async runAll(calls: readonly OpenCall[]): Promise<void> {
    let group: OpenCall[] = [];
    /** Those of the group that do more than read: calls that only read need to be held against no others. */
    let changing: OpenCall[] = [];
    for (const open of calls) {
      if (this.run.scope.signal.aborted) break;
      const refused = this.guard.count(open.call);
      if (refused === undefined) await this.plan(open, 'plan');
      else open.result = refused;
      if (mustWait(open, group, changing)) {
        await this.runGroup(group);
        group = [];
        changing = [];
        // What it names may exist only now, or lie elsewhere now.
        await this.plan(open, 'plan/2');
      }
      group.push(open);
      if (open.planned !== undefined && !isReadOnly(open.planned)) changing.push(open);
    }
    await this.runGroup(group);
  }

  private async plan(open: OpenCall, key: string): Promise<void> {
    delete open.planned;
    delete open.result;
    const outcome = await this.run.scope.step(`${open.call.id}/${key}`, () => this.run.job.plan(open.call));
    if (outcome.kind === 'planned') open.planned = outcome.planned;
    else open.result = outcome.result;
  }

  /** Starts what is allowed, then asks for the rest one after the other while those run. */
  private async runGroup(group: readonly OpenCall[]): Promise<void> {
    const running: Promise<void>[] = [];
    const asked = group.filter((open) => open.planned?.decision.verdict === 'ask');
    for (const open of group) this.announce(open);
    try {
      for (const open of group) if (!asked.includes(open)) running.push(this.start(open, undefined));
      for (const open of asked) await this.ask(open, running);
    } finally {
      await Promise.allSettled(running);
    }
    await Promise.all(running);
  }

  private announce(open: OpenCall): void {
    const { call, planned } = open;
    open.announced = true;
    const shown = planned === undefined ? call.arguments : this.run.job.shown(planned);
    this.run.emit(`${call.id}/started`, {
      type: 'tool_call_started', callId: call.id, tool: planned?.tool ?? call.name, arguments: shown,
      ...(planned?.plugin === undefined ? {} : { plugin: planned.plugin }),
    });
  }

  private async ask(open: OpenCall, running: Promise<void>[]): Promise<void> {
    const answer = await this.approvals.ask(open.planned as PlannedCall, 1);
    if (answer?.answer !== 'edit') {
      running.push(this.start(open, answer));
      return;
    }
    // Edited arguments may touch what the others touch: they run alone, planned and asked anew.
    await Promise.allSettled(running);
    await this.askEdited(open, answer);
  }

  private async askEdited(open: OpenCall, edit: Extract<ApprovalAnswer, { answer: 'edit' }>): Promise<void> {
    let answer: ApprovalAnswer | undefined = edit;
    for (let round = 2; answer?.answer === 'edit'; round += 1) {
      open.call = { ...open.call, arguments: JSON.stringify(answer.arguments) };
      this.run.job.edited(open.call);
      answer = undefined;
      await this.plan(open, `plan/edit-${round}`);
      if (open.planned?.decision.verdict === 'ask') answer = await this.approvals.ask(open.planned, round);
    }
    await this.start(open, answer);
  }

  private async start(open: OpenCall, answer: ApprovalAnswer | undefined): Promise<void> {
    const { planned } = open;
    if (planned === undefined) {
      await this.settle(open, open.result ?? cancelledResult(open.call));
      return;
    }
    await this.lanes.run(async () => {
      if (this.run.scope.signal.aborted) return;
      const repeated = this.guard.refuseRepeated(open.call, planned);
      if (repeated !== undefined) {
        await this.settle(open, repeated);
        return;
      }
      open.result = await this.run.scope.dispatch(planned, answer);
      this.guard.finished(planned, open.result);
      this.emitFinished(open, open.result);
    });
  }

  /** Records a result that no tool gave. */
  private async settle(open: OpenCall, result: ToolResult): Promise<void> {
    if (open.announced === undefined) this.announce(open);
    open.result = await this.run.scope.step(open.call.id, () => Promise.resolve(result));
    this.emitFinished(open, open.result);
  }

  private emitFinished({ call }: OpenCall, result: ToolResult): void {
    this.run.emit(`${call.id}/finished`, { type: 'tool_call_finished', callId: call.id, tool: result.tool, result });
  }
}

function openCall(part: ToolCallPart): OpenCall {
  return { call: { id: part.id, name: part.name, arguments: part.arguments } };
}

/** Whether the group must be finished before this call is started, or planned for good. */
function mustWait(open: OpenCall, group: readonly OpenCall[], changing: readonly OpenCall[]): boolean {
  const { planned, result } = open;
  if (planned !== undefined) return (isReadOnly(planned) ? changing : group).some((other) => other.planned !== undefined && conflict(other.planned, planned));
  if (result === undefined || result.code === 'unknown_tool' || result.code === 'invalid_arguments' || result.code === 'budget_exceeded') return false;
  return changing.length > 0;
}
