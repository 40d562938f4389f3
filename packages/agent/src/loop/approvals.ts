/** Asks for calls: says so by an event, then waits for an answer that may come in another process. */
import type { ApprovalAnswer, ApprovalRequest, JsonObject, PlannedCall } from '@haft/core';
import type { RunState } from './run-state.js';

export class Approvals {
  /** What was allowed for longer than one call during this turn, by its suggested rules: the same is not asked twice. */
  private readonly lasting = new Set<string>();

  constructor(private readonly run: RunState) {}

  startTurn(): void {
    this.lasting.clear();
  }

  /** The answer; undefined when nobody can be asked, so that the dispatcher refuses. Rejects only when the run is stopped. */
  async ask(planned: PlannedCall, round: number): Promise<ApprovalAnswer | undefined> {
    const { scope, job, emit } = this.run;
    if (!job.canAsk || scope.signal.aborted) return undefined;
    const rules = planned.decision.suggestion?.join('\n');
    if (rules !== undefined && this.lasting.has(rules)) return { answer: 'once' };
    const key = approvalKey(planned.call.id, round);
    const request = requestOf(planned, scope.sessionId, job.shown(planned));
    emit(key, { type: 'tool_call_approval', callId: planned.call.id, request });
    const answer = await this.wait(key);
    if (answer === undefined) return undefined;
    if (rules !== undefined && (answer.answer === 'session' || answer.answer === 'always')) this.lasting.add(rules);
    const shown = answer.answer === 'edit' ? { ...answer, arguments: job.shown({ ...planned, arguments: answer.arguments }) } : answer;
    emit(`${key}/answer`, { type: 'tool_call_approval', callId: planned.call.id, request, answer: shown });
    return answer;
  }

  private async wait(key: string): Promise<ApprovalAnswer | undefined> {
    const { scope, job } = this.run;
    try {
      return await scope.waitFor<ApprovalAnswer>(key, job.approvalTimeoutMs === undefined ? undefined : { timeoutMs: job.approvalTimeoutMs });
    } catch (error) {
      if (scope.signal.aborted) return undefined;
      if (error instanceof WaitTimeout) return { answer: 'deny', reason: 'Nobody answered in time.' };
      throw error;
    }
  }
}

/** What `waitFor` rejects with when its time is over. */
export class WaitTimeout extends Error {
  override readonly name = 'WaitTimeout';
}

/** The key under which the answer to a call's question is delivered; `round` counts from 1, one more after each edit. */
export function approvalKey(callId: string, round: number): string {
  return round === 1 ? `${callId}/approval` : `${callId}/approval/${round}`;
}

function requestOf(planned: PlannedCall, sessionId: string, values: JsonObject): ApprovalRequest {
  const { call, tool, plugin, scopes, accesses, decision, hash, preview } = planned;
  return {
    callId: call.id, sessionId, tool, scopes, arguments: values, accesses, decision, hash,
    ...(plugin === undefined ? {} : { plugin }), ...(preview === undefined ? {} : { preview }),
  };
}
