/** One run on its way: its stop signal, its events, its open questions. */
import type { ApprovalAnswer } from '@haft/core';
import type { RunOptions } from './agent-options.js';
import { Countdown } from './countdown.js';
import { EventQueue } from './event-queue.js';
import type { AgentEvent } from '../events.js';
import { newId } from '../ids.js';
import { TimeBudgetExceeded } from '../loop/ending.js';
import type { RunResult } from '../run-result.js';

export class ActiveRun {
  readonly events = new EventQueue();
  /** Tells the live events of this attempt from those of an earlier process. */
  readonly attempt = newId('a');
  /** Resolves when the run is over, however it ended. */
  ended: Promise<void> = Promise.resolve();
  private readonly controller = new AbortController();
  /** The run's time; what people take for their answers is not counted. */
  private countdown: Countdown | undefined;
  private readonly questions = new Map<string, string>();
  private readonly nested = new Map<string, (answer: ApprovalAnswer) => void>();

  constructor(
    readonly runId: string,
    readonly options: RunOptions,
    private readonly maxMs: number | undefined,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  stop(reason: Error): void {
    this.controller.abort(reason);
  }

  begin(body: () => Promise<RunResult>): Promise<RunResult> {
    const forward = (): void => this.controller.abort(this.options.signal?.reason);
    if (this.options.signal?.aborted === true) forward();
    this.options.signal?.addEventListener('abort', forward, { once: true });
    const { maxMs } = this;
    if (maxMs !== undefined) this.countdown = new Countdown(maxMs, () => this.stop(new TimeBudgetExceeded(maxMs)));
    const result = body();
    const end = (): void => {
      this.countdown?.stop();
      this.options.signal?.removeEventListener('abort', forward);
      this.events.close();
    };
    this.ended = result.then(end, end);
    return result;
  }

  emit(event: AgentEvent): void {
    if (event.type === 'tool_call_approval') {
      // An event's id is the run's id and the key of what it tells of.
      if (event.answer === undefined) this.questions.set(event.callId, event.id.slice(this.runId.length + 1));
      else this.questions.delete(event.callId);
      if (event.answer === undefined) this.countdown?.hold();
      else this.countdown?.release();
    }
    this.events.push(event);
  }

  /** Waits for `agent.answer` to a question of a running tool's own call. Rejects when the call is stopped. */
  nestedAnswer(callId: string, signal: AbortSignal): Promise<ApprovalAnswer> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.nested.delete(callId);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', stop, { once: true });
      this.nested.set(callId, (answer) => {
        signal.removeEventListener('abort', stop);
        resolve(answer);
      });
    });
  }

  /** Whether the question came from a running tool; then it is answered. */
  answerNested(callId: string, answer: ApprovalAnswer): boolean {
    const resolve = this.nested.get(callId);
    this.nested.delete(callId);
    if (resolve === undefined) return false;
    this.questions.delete(callId);
    resolve(answer);
    return true;
  }

  /** The key to answer under; each question is answered once. */
  takeQuestion(callId: string): string | undefined {
    const key = this.questions.get(callId);
    this.questions.delete(callId);
    return key;
  }
}
