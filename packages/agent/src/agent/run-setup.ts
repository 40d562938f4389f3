/** Turns an agent's options into what one run needs: the loop's job and the engine's start. */
import { type ApprovalAnswer, type ApprovalRequest, type Approver, type CallContext, type Class, type Dispatcher, type ServiceProvider, SetupError, type ToolRegistry, Workspace, createDispatcher, maskedArguments } from '@haft/core';
import { costOf, priceOf } from '../accounting/cost.js';
import type { Price } from '../accounting/prices.js';
import type { ActiveRun } from './active-run.js';
import type { AgentOptions } from './agent-options.js';
import { checkLimits, checkModel, checkRetry, checkToolNames, problemOfAnswer } from './check-options.js';
import type { AgentEngine, RunStart } from '../engine/engine.js';
import type { AgentEvent } from '../events.js';
import { callEventBody, timestamp } from '../loop/event-emitter.js';
import { defaultRetryPolicy } from '../loop/retry-policy.js';
import { withEditNote } from '../loop/results.js';
import type { RunJob } from '../loop/run-job.js';
import type { Message, UserMessage } from '../messages.js';
import { NestedApprover } from './nested-approver.js';
import type { AgentSession } from '../session/agent-session.js';
import { outputOf } from './structured-output.js';
import { VisibleTools } from './visible-tools.js';

type AnswerCall = (callId: string, answer: ApprovalAnswer) => Promise<boolean>;

export class RunSetup {
  readonly engine: AgentEngine;
  readonly modelName: string;
  readonly steering: UserMessage[] = [];
  private readonly registry: ToolRegistry;
  private readonly price: Price | undefined;
  private ownDispatcher: Dispatcher | undefined;
  private sessionServices: (ServiceProvider & { dispose(): Promise<void> | void }) | undefined;
  private readonly tools: VisibleTools;
  /** Questions that the approver is or will be asked, by call. */
  private readonly questions = new Map<string, AbortController>();

  constructor(
    private readonly options: AgentOptions,
    private readonly session: AgentSession,
  ) {
    checkModel(options.model);
    checkToolNames(options.tools);
    const registry = options.host?.registry ?? options.registry;
    if (registry === undefined) throw new SetupError('createAgent needs tools: give `host` (a PluginHost) or `registry` (a ToolRegistry; it may be empty).');
    checkLimits(options.limits ?? {});
    checkRetry(options.retry ?? {});
    this.registry = registry;
    this.tools = new VisibleTools(registry, options.tools);
    this.engine = options.engine ?? session.engine;
    this.price = priceOf(`${options.model.provider}:${options.model.model}`, options.prices);
    if (options.limits?.maxCost !== undefined && this.price === undefined) {
      throw new SetupError(`maxCost needs the price of ${options.model.provider}:${options.model.model}, which is not known. Give it in \`prices\`.`);
    }
    this.modelName = `${options.model.provider}:${options.model.model}`;
  }

  /** Made when it is first needed: a workspace among the services is where paths are resolved. */
  private get dispatcher(): Dispatcher {
    return this.options.dispatcher ?? (this.ownDispatcher ??= this.makeDispatcher());
  }

  private makeDispatcher(): Dispatcher {
    const { log } = this.options;
    const services = this.services();
    const workspace = services.has?.(Workspace) === true ? services.get(Workspace) : undefined;
    return createDispatcher({ registry: this.registry, ...(workspace === undefined ? {} : { workspace }), ...(log === undefined ? {} : { log }) });
  }

  private get canAsk(): boolean {
    return this.options.approver !== undefined || this.options.canAsk !== false;
  }

  get maxMs(): number | undefined {
    return this.options.limits?.maxMs;
  }

  prepare(active: ActiveRun, input: UserMessage, history: Message[], answer: AnswerCall): { job: RunJob; run: RunStart } {
    const { options, session } = this;
    const context = this.callContext(active);
    const edited = new Map<string, string>();
    const emit = (event: AgentEvent): void => {
      active.emit(event);
      this.askApprover(event, active, answer);
    };
    const job: RunJob = {
      input,
      history,
      ...this.modelJob(active.options.output),
      tools: () => this.tools.list(),
      noteResult: (result) => this.tools.noteResult(result),
      plan: (call) => this.dispatcher.plan(call, context),
      shown: (planned) => maskedArguments(this.registry.get(planned.tool), planned.arguments),
      edited: (call) => edited.set(call.id, call.arguments),
      canAsk: this.canAsk,
      limits: options.limits ?? {},
      compactFirst: active.options.compact === true,
      retry: { ...defaultRetryPolicy, ...options.retry },
      takeSteering: () => this.steering.splice(0),
      returnSteering: (messages) => this.steering.unshift(...messages),
      failedUnexpectedly: (error) => options.log?.error('the run failed unexpectedly', { runId: active.runId, error: error instanceof Error ? error.stack : String(error) }),
      costOf: (usage) => (this.price === undefined ? undefined : costOf(usage, this.price)),
      ...(options.approvalTimeoutMs === undefined ? {} : { approvalTimeoutMs: options.approvalTimeoutMs }),
    };
    const run: RunStart = {
      runId: active.runId, sessionId: session.id, signal: active.signal, emit,
      execute: async (planned, given) => {
        const result = await this.dispatcher.execute(planned, given, context);
        const values = edited.get(planned.call.id);
        return values === undefined ? result : withEditNote(result, values);
      },
    };
    return { job, run };
  }

  async dispose(): Promise<void> {
    (this.options.dispatcher ?? this.ownDispatcher)?.forgetSession?.(this.session.id);
    await this.sessionServices?.dispose();
    this.sessionServices = undefined;
  }

  private modelJob(target: Class<object> | undefined): Pick<RunJob, 'model' | 'system' | 'output' | 'maxOutputTokens' | 'temperature'> {
    const { model, maxOutputTokens, temperature } = this.options;
    const output = target === undefined ? undefined : outputOf(target);
    const system = [this.options.system, output?.instruction].filter((text) => text !== undefined).join('\n\n');
    return {
      model,
      ...(system === '' ? {} : { system }),
      ...(output === undefined ? {} : { output }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(temperature === undefined ? {} : { temperature }),
    };
  }

  private callContext(active: ActiveRun): CallContext {
    const { user, injected, log, tools } = this.options;
    let count = 0;
    return {
      sessionId: this.session.id,
      signal: active.signal,
      services: this.services(),
      onEvent: (event) => {
        const id = `${active.runId}/${event.callId}/live/${active.attempt}/${count++}`;
        active.emit({ id, runId: active.runId, sessionId: this.session.id, at: timestamp(), ...callEventBody(event) });
      },
      ...(this.engine.claim === undefined ? {} : { beforeEffect: (planned) => this.claim(active.runId, planned.call.id) }),
      ...(this.canAsk ? { approver: new NestedApprover(active, this.session.id, this.options.approver) } : {}),
      ...(user === undefined ? {} : { user }),
      ...(injected === undefined ? {} : { injected }),
      ...(log === undefined ? {} : { log }),
      ...(tools === undefined ? {} : { visibleTools: new Set(tools) }),
    };
  }

  /** A tool's own calls have its id and a number: `r1:t1.1/2`. What they change is claimed for the call that the engine knows. */
  private async claim(runId: string, callId: string): Promise<void> {
    await this.engine.claim?.(runId, callId.split('/', 1)[0] ?? callId);
  }

  private services(): ServiceProvider {
    if (this.options.services !== undefined) return this.options.services;
    this.sessionServices ??= this.options.host?.openSession(this.session.id);
    return this.sessionServices ?? noServices;
  }

  private askApprover(event: AgentEvent, active: ActiveRun, answer: AnswerCall): void {
    const { approver } = this.options;
    if (approver === undefined || event.type !== 'tool_call_approval' || event.id.endsWith('/nested')) return;
    const { callId, request } = event;
    this.questions.get(callId)?.abort(new Error('the question is answered'));
    if (event.answer !== undefined) return void this.questions.delete(callId);
    const question = new AbortController();
    this.questions.set(callId, question);
    // The answer to a question of an earlier process is on record and comes at once: then nobody is asked again.
    setImmediate(() => {
      if (!question.signal.aborted) this.ask(approver, request, AbortSignal.any([active.signal, question.signal]), active, (given) => answer(callId, given));
    });
  }

  private ask(approver: Approver, request: ApprovalRequest, signal: AbortSignal, active: ActiveRun, answer: (given: ApprovalAnswer) => Promise<boolean>): void {
    approver
      .ask(request, signal)
      .then(usable, (error: unknown): ApprovalAnswer => ({ answer: 'deny', reason: `the question could not be asked: ${String(error)}` }))
      .then(answer)
      .catch((error: unknown) => active.stop(error instanceof Error ? error : new Error(String(error))));
  }
}

/** An answer that cannot be understood is no consent. */
function usable(answer: ApprovalAnswer): ApprovalAnswer {
  const problem = problemOfAnswer(answer);
  return problem === undefined ? answer : { answer: 'deny', reason: `the answer could not be used: ${problem}` };
}

const noServices: ServiceProvider = {
  get: (id) => {
    throw new SetupError(`No service ${String(id)}: this agent was created without a host and without services.`);
  },
  create: <T>(target: unknown): T => new (target as new () => T)(),
};
