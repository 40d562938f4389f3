/** Asks for the calls that a running tool makes: the same events and the same answerers as the loop's own questions. */
import type { ApprovalAnswer, ApprovalRequest, Approver } from '@haft/core';
import { timestamp } from '../loop/event-emitter.js';
import type { ActiveRun } from './active-run.js';
import type { AgentEventBody } from '../events.js';

export class NestedApprover implements Approver {
  constructor(
    private readonly active: ActiveRun,
    private readonly sessionId: string,
    /** The application's approver; without it `agent.answer` answers. */
    private readonly approver: Approver | undefined,
  ) {}

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { callId } = request;
    const key = `${callId}/approval/nested`;
    this.emit(key, { type: 'tool_call_approval', callId, request });
    const answer = await this.answerTo(request, signal);
    this.emit(`${key}/answer`, { type: 'tool_call_approval', callId, request, answer });
    return answer;
  }

  /** A question that cannot be answered, or whose call was stopped meanwhile, is answered too: readers wait for its end. */
  private async answerTo(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    try {
      return this.approver === undefined ? await this.active.nestedAnswer(request.callId, signal) : await this.approver.ask(request, signal);
    } catch (error) {
      return { answer: 'deny', reason: signal.aborted ? 'the call was stopped' : `the question could not be asked: ${String(error)}` };
    }
  }

  private emit(key: string, body: AgentEventBody): void {
    const { runId } = this.active;
    this.active.emit({ id: `${runId}/${key}`, runId, sessionId: this.sessionId, at: timestamp(), ...body });
  }
}
