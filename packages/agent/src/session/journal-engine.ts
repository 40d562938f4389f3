/**
 * The embedded durable engine: steps of a run are recorded in the session's file and not run again. A call that changes something is
 * claimed before it starts; a claim of a dead attempt without a result means that nobody knows, and it is never started twice.
 */
import type { ApprovalAnswer, Json, PlannedCall, ToolResult } from '@haft/core';
import type { AgentEngine, RunStart } from '../engine/engine.js';
import { Mailbox } from '../engine/mailbox.js';
import type { AgentEvent } from '../events.js';
import { newId } from '../ids.js';
import { pause } from '../loop/pause.js';
import { unknownResult } from '../loop/results.js';
import type { SessionScope, StepValue } from '../session-scope.js';
import type { Journal } from './journal.js';
import { RunRecords } from './run-records.js';
import { storedResult } from './stored-result.js';

/** Where the engine finds the file; opened when the first record is written. */
export interface JournalSource {
  journal(): Journal;
  /** What an earlier process recorded of this run. */
  records(runId: string): RunRecords | undefined;
}

export class JournalEngine implements AgentEngine {
  private readonly mailboxes = new Map<string, Mailbox>();
  private readonly scopes = new Map<string, JournalScope>();

  constructor(private readonly source: JournalSource) {}

  async start<R>(run: RunStart, body: (scope: SessionScope) => Promise<R>): Promise<R> {
    const records = this.source.records(run.runId) ?? new RunRecords();
    const mailbox = this.mailbox(run.runId);
    for (const [key, value] of records.signals) mailbox.deliver(key, value as Json);
    const scope = new JournalScope(run, mailbox, records, this.source.journal());
    this.scopes.set(run.runId, scope);
    try {
      return await body(scope);
    } finally {
      this.mailboxes.delete(run.runId);
      this.scopes.delete(run.runId);
    }
  }

  async signal(runId: string, key: string, value: Json): Promise<void> {
    const journal = this.source.journal();
    journal.append({ t: 'signal', run: runId, key, value });
    await journal.sync();
    this.mailbox(runId).deliver(key, value);
  }

  async claim(runId: string, callId: string): Promise<void> {
    await this.scopes.get(runId)?.claim(callId);
  }

  private mailbox(runId: string): Mailbox {
    const mailbox = this.mailboxes.get(runId) ?? new Mailbox();
    this.mailboxes.set(runId, mailbox);
    return mailbox;
  }
}

class JournalScope implements SessionScope {
  readonly sessionId: string;
  readonly runId: string;
  readonly attemptId = newId('a');
  readonly signal: AbortSignal;
  /** What this attempt has claimed. */
  private readonly own = new Set<string>();

  constructor(
    private readonly run: RunStart,
    private readonly mailbox: Mailbox,
    private readonly records: RunRecords,
    private readonly journal: Journal,
  ) {
    this.sessionId = run.sessionId;
    this.runId = run.runId;
    this.signal = run.signal;
  }

  async step<T extends StepValue>(key: string, work: () => Promise<T>): Promise<T> {
    const recorded = this.records.steps.get(key);
    if (recorded !== undefined) return recorded as T;
    const value = await work();
    this.journal.appendStep(this.runId, key, value);
    // A plan is cheap to make again, and late steering is safe in its own record.
    if (!key.includes('/plan') && !key.endsWith('/more')) await this.journal.sync();
    return value;
  }

  async dispatch(planned: PlannedCall, answer: ApprovalAnswer | undefined): Promise<ToolResult> {
    const { id } = planned.call;
    const recorded = this.records.steps.get(id);
    if (recorded !== undefined) return recorded as ToolResult;
    // A claim that is on record belongs to an attempt that died: this one would have a result beside it.
    if (this.records.claims.has(id)) return this.record(id, unknownResult(planned.call));
    if (changesSomething(planned)) await this.claim(id);
    return this.record(id, await this.run.execute(planned, answer));
  }

  /** Once a call, before what it changes is begun. */
  async claim(callId: string): Promise<void> {
    if (this.own.has(callId)) return;
    this.own.add(callId);
    this.journal.append({ t: 'claim', run: this.runId, key: callId, attempt: this.attemptId });
    await this.journal.sync();
  }

  private async record(id: string, result: ToolResult): Promise<ToolResult> {
    this.journal.appendStep(this.runId, id, storedResult(result));
    if (result.status === 'unknown' || this.own.has(id)) await this.journal.sync();
    return result;
  }

  async waitFor<T extends StepValue>(key: string, options?: { timeoutMs: number }): Promise<T> {
    return (await this.mailbox.take(key, this.signal, options?.timeoutMs)) as T;
  }

  async sleep(key: string, ms: number): Promise<void> {
    const { until } = await this.step(key, () => Promise.resolve({ until: Date.now() + ms }));
    await pause(Math.max(0, until - Date.now()), this.signal);
  }

  emit(event: AgentEvent): void {
    this.run.emit(event);
  }
}

function changesSomething(planned: PlannedCall): boolean {
  return planned.scopes.some((scope) => scope !== 'read') || planned.accesses.some((access) => access.mode === 'write' || access.kind === 'command');
}
