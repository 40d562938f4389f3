/** The engine without a memory: steps simply run. For sessions that are not kept, and for tests. */
import type { ApprovalAnswer, Json, PlannedCall, ToolResult } from '@haft/core';
import type { AgentEvent } from '../events.js';
import { newId } from '../ids.js';
import { pause } from '../loop/pause.js';
import type { SessionScope, StepValue } from '../session-scope.js';
import type { AgentEngine, RunStart } from './engine.js';
import { Mailbox } from './mailbox.js';

export class InProcessEngine implements AgentEngine {
  private readonly mailboxes = new Map<string, Mailbox>();

  async start<R>(run: RunStart, body: (scope: SessionScope) => Promise<R>): Promise<R> {
    const mailbox = new Mailbox();
    this.mailboxes.set(run.runId, mailbox);
    try {
      return await body(new InProcessScope(run, mailbox));
    } finally {
      this.mailboxes.delete(run.runId);
    }
  }

  signal(runId: string, key: string, value: Json): Promise<void> {
    this.mailboxes.get(runId)?.deliver(key, value);
    return Promise.resolve();
  }
}

class InProcessScope implements SessionScope {
  readonly sessionId: string;
  readonly runId: string;
  readonly attemptId = newId('a');
  readonly signal: AbortSignal;

  constructor(
    private readonly run: RunStart,
    private readonly mailbox: Mailbox,
  ) {
    this.sessionId = run.sessionId;
    this.runId = run.runId;
    this.signal = run.signal;
  }

  step<T extends StepValue>(_key: string, work: () => Promise<T>): Promise<T> {
    return work();
  }

  dispatch(planned: PlannedCall, answer: ApprovalAnswer | undefined): Promise<ToolResult> {
    return this.run.execute(planned, answer);
  }

  async waitFor<T extends StepValue>(key: string, options?: { timeoutMs: number }): Promise<T> {
    return (await this.mailbox.take(key, this.signal, options?.timeoutMs)) as T;
  }

  sleep(_key: string, ms: number): Promise<void> {
    return pause(ms, this.signal);
  }

  emit(event: AgentEvent): void {
    this.run.emit(event);
  }
}
