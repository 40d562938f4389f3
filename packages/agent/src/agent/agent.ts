/** The agent: a model, tools and a conversation put together. `run` gives the events of one run and returns its result. */
import { type ApprovalAnswer, type Json, SetupError } from '@haft/core';
import { textOf } from '../adapter/content.js';
import type { AgentInput, AgentOptions, RunOptions } from './agent-options.js';
import { ActiveRun } from './active-run.js';
import { inputMessage, problemOfAnswer } from './check-options.js';
import type { AgentEvent } from '../events.js';
import { newId } from '../ids.js';
import { runLoop } from '../loop/run-loop.js';
import type { Message, UserMessage } from '../messages.js';
import type { RunResult } from '../run-result.js';
import { RunSetup } from './run-setup.js';
import { type AgentSession, type RunEnd, memorySession, steeringKey } from '../session/agent-session.js';
import { endsWithImages, leaveOutLastImages } from '../session/refused-images.js';

/** Failures that the request itself caused: what was new in it, the prompt or images of results, would make every later one fail too, so it is taken back. */
const poisonCodes = new Set(['invalid_request', 'too_large']);

/** Throws a SetupError when neither `host` nor `registry` is given. */
export function createAgent(options: AgentOptions): Agent {
  return new Agent(options);
}

export class Agent {
  readonly session: AgentSession;
  private readonly setup: RunSetup;
  private active: ActiveRun | undefined;
  /** A prompt that the provider refused: taken out of the conversation when the next run begins. */
  private withdrawn: UserMessage | undefined;
  /** The last request failed with new images in it: they are left out when the next run begins. */
  private imagesRefused = false;

  constructor(options: AgentOptions) {
    this.session = options.session ?? memorySession(options.engine === undefined ? {} : { engine: options.engine });
    this.setup = new RunSetup(options, this.session);
  }

  /**
   * Runs the agent on one input: yields events, returns the result. What a model or a tool does wrong is in the result, never thrown.
   * Leaving the loop early (`break`) stops the run. One run at a time: a second one is a SetupError.
   */
  async *run<Output extends object = object>(input: AgentInput, options: RunOptions<Output> = {}): AsyncGenerator<AgentEvent, RunResult<Output>> {
    const message = inputMessage(input);
    const active = this.activate(newId('r'), options);
    const begin = { runId: active.runId, input: message, model: this.setup.modelName };
    return yield* this.drive(active, async () => {
      this.takeBackWithdrawn();
      await this.session.beginRun(begin);
      return this.loop(active, message, this.session.messages);
    });
  }

  /** Goes on with a run whose process died, from its last finished step; what was asked is asked again. A SetupError when there is none. */
  async *resume<Output extends object = object>(options: RunOptions<Output> = {}): AsyncGenerator<AgentEvent, RunResult<Output>> {
    const { unfinished } = this.session;
    if (unfinished === undefined) throw new SetupError(`Session ${this.session.id} has no unfinished run to resume.`);
    const active = this.activate(unfinished.runId, options);
    this.setup.steering.unshift(...unfinished.steering);
    return yield* this.drive(active, () => this.loop(active, unfinished.input, unfinished.history));
  }

  /** Answers an open `tool_call_approval`. False when no question is open for this call. A SetupError for an answer of no known shape. */
  async answer(callId: string, answer: ApprovalAnswer): Promise<boolean> {
    const problem = problemOfAnswer(answer);
    if (problem !== undefined) throw new SetupError(`The answer for ${callId} cannot be used: ${problem}.`);
    if (this.active?.answerNested(callId, answer) === true) return true;
    const key = this.active?.takeQuestion(callId);
    if (key === undefined || this.active === undefined) return false;
    await this.setup.engine.signal(this.active.runId, key, answer as Json);
    return true;
  }

  /**
   * A message for the model while it works: it reads it with its next request; without a run, with the first of the next one.
   * Resolves when the message cannot get lost any more.
   */
  async steer(text: string): Promise<void> {
    const message: UserMessage = { role: 'user', content: [{ type: 'text', text }], origin: 'steering' };
    this.setup.steering.push(message);
    if (this.active !== undefined) await this.setup.engine.signal(this.active.runId, `${steeringKey}${newId('')}`, message as unknown as Json);
  }

  /** Takes back, in order, what was sent with `steer` and no request has carried; the next run does not get it. Empty while a run goes on. */
  takeBackSteering(): string[] {
    if (this.active !== undefined) return [];
    return this.setup.steering.splice(0).map(({ content }) => textOf(content));
  }

  /** Stops the run that goes on: open calls get a cancelled result, the history stays valid. */
  abort(reason: Error = new Error('stopped by the user')): void {
    this.active?.stop(reason);
  }

  /** Stops a run, disposes the session's services, closes the session. */
  async dispose(): Promise<void> {
    this.abort();
    await this.active?.ended;
    await this.setup.dispose();
    await this.session.close();
  }

  private takeBackWithdrawn(): void {
    const { messages } = this.session;
    if (this.withdrawn !== undefined && messages.at(-1) === this.withdrawn) messages.pop();
    if (this.imagesRefused) leaveOutLastImages(messages);
    this.withdrawn = undefined;
    this.imagesRefused = false;
  }

  private activate(runId: string, options: RunOptions): ActiveRun {
    if (this.active !== undefined) throw new SetupError('This agent is already running. Wait for the run to end, or create one agent per conversation.');
    this.active = new ActiveRun(runId, options, this.setup.maxMs);
    return this.active;
  }

  private async *drive<Output>(active: ActiveRun, body: () => Promise<RunResult>): AsyncGenerator<AgentEvent, RunResult<Output>> {
    try {
      const result = active.begin(body);
      for (let events = await active.events.take(); events.length > 0; events = await active.events.take()) {
        // Not `yield*`: that waits once more for each event.
        for (const event of events) yield event;
      }
      // The loop has checked `output` against the class that was asked for.
      return (await result) as RunResult<Output>;
    } finally {
      active.stop(new Error('the reader of the run left'));
      await active.ended;
      this.active = undefined;
    }
  }

  private async loop(active: ActiveRun, input: UserMessage, history: Message[]): Promise<RunResult> {
    const { job, run } = this.setup.prepare(active, input, history, (callId, answer) => this.answer(callId, answer));
    const result = await this.setup.engine.start(run, (scope) => runLoop(scope, job));
    const refused = result.error !== undefined && poisonCodes.has(result.error.code);
    const withdrawn = refused && result.turns === 0;
    this.withdrawn = withdrawn ? input : undefined;
    this.imagesRefused = refused && !withdrawn && endsWithImages(this.session.messages);
    await this.session.endRun({ ...endOf(result), ...(withdrawn ? { withdrawn } : {}), ...(this.imagesRefused ? { imagesRefused: true } : {}) });
    return result;
  }
}

function endOf({ runId, status, turns, usage, cost, error }: RunResult): RunEnd {
  return { runId, status, turns, usage, ...(cost === undefined ? {} : { cost }), ...(error === undefined ? {} : { error }) };
}
