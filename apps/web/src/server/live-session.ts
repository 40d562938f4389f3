/** A session that is open in this process: its agent, its run, its open questions and who listens. */
import type { ServerResponse } from 'node:http';
import type { Agent, AgentEvent, AgentSession, Message, UserMessage } from '@haft/agent';
import type { ApprovalAnswer, ApprovalRequest, Dispatcher } from '@haft/core';
import { EventRing, type NumberedEvent } from './event-ring.js';
import { EventStream } from './event-stream.js';
import { Presence } from './presence.js';
import { WebError } from './web-error.js';
import type { WebHost, WebLimits } from './web-host.js';

export type EventReader = (number: number, event: AgentEvent) => void;

export interface SessionState {
  id: string;
  running: boolean;
  /** The number of the newest event. */
  lastEvent: number;
  /** What to give as Last-Event-ID so that the events go on where `messages` end: the start of the run that goes on, else the newest. */
  resumeFrom: number;
  /** The conversation; of a run that goes on its events tell, so it is left out. */
  messages: readonly Message[];
  /** What the run that goes on was asked. */
  input?: UserMessage;
  approvals: ApprovalRequest[];
}

export interface StartOptions {
  /** The run goes on for a while when nobody listens. */
  detach: boolean;
  /** Older messages become notes first. */
  compact?: boolean;
}

interface CurrentRun {
  input: UserMessage;
  /** The conversation before it. A copy: compaction rewrites the session's own. */
  before: readonly Message[];
  resumeFrom: number;
}

export class LiveSession {
  readonly id: string;
  readonly ring: EventRing;
  readonly #streams = new Set<EventStream>();
  /** Those that are the answer to a message: they end with its run. */
  readonly #answers = new Set<EventStream>();
  readonly #readers = new Set<EventReader>();
  readonly #questions = new Map<string, ApprovalRequest>();
  readonly #presence: Presence;
  #agent: Agent | undefined;
  #run: Promise<void> | undefined;
  #current: CurrentRun | undefined;
  lastUsed = Date.now();

  constructor(
    private readonly session: AgentSession,
    private readonly host: WebHost,
    private readonly limits: WebLimits,
  ) {
    this.id = session.id;
    this.ring = new EventRing(limits.replayEvents);
    this.#presence = new Presence(limits, () => this.stop());
  }

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  get isIdle(): boolean {
    return !this.isRunning && !this.#presence.isWatched;
  }

  state(): SessionState {
    const { before = this.session.messages, resumeFrom = this.ring.last, input } = this.#current ?? {};
    return { id: this.id, running: this.isRunning, lastEvent: this.ring.last, resumeFrom, messages: before, ...(input && { input }), approvals: [...this.#questions.values()] };
  }

  /** Starts a run; its events go to the listeners. Throws 409 while one is going on. */
  start(message: UserMessage, options: StartOptions): void {
    if (this.#run) throw new WebError(409, 'session_busy', 'This session is answering already. Wait for it, or stop it first.');
    this.#current = { input: message, before: [...this.session.messages], resumeFrom: this.ring.last };
    this.#run = this.#begin(message, options);
  }

  /** Never rejects. The end is told when the session is free again, so that whoever hears it can go on at once. */
  async #begin(message: UserMessage, options: StartOptions): Promise<void> {
    this.#presence.runStarted(options.detach);
    const ending = await this.#runToEnd(message, options).catch((error: unknown) => this.#failure(error));
    this.#questions.clear();
    this.#presence.runEnded();
    this.#run = undefined;
    this.#current = undefined;
    this.lastUsed = Date.now();
    if (ending) this.#publish(ending);
    if (ending?.type === 'run_finished' && ending.status === 'completed') this.#runUnread(options);
    if (!this.isRunning) for (const stream of this.#answers) stream.close();
  }

  /** What was told too late for the last request is the next message. */
  #runUnread({ detach }: StartOptions): void {
    const unread = this.#agent?.takeBackSteering() ?? [];
    if (unread.length > 0) this.start({ role: 'user', content: [{ type: 'text', text: unread.join('\n\n') }] }, { detach });
  }

  /** Publishes the events of a run and gives back its last one. */
  async #runToEnd(message: UserMessage, { compact = false }: StartOptions): Promise<AgentEvent | undefined> {
    this.#agent ??= await this.host.openAgent(this.session, gated(this.host.dispatcher, this.#presence));
    const run = this.#agent.run(message, { compact });
    let ending: AgentEvent | undefined;
    for (let next = await run.next(); next.done !== true; next = await run.next()) {
      if (next.value.type === 'run_finished') ending = next.value;
      else this.#publish(next.value);
    }
    return ending;
  }

  /** A run that could not be made or kept: told like every other end, so that every reader understands it. */
  #failure(error: unknown): AgentEvent {
    this.host.log?.error('a run ended with an error', { sessionId: this.id, error: error instanceof Error ? error.stack : String(error) });
    const problem = { code: 'run_failed', message: error instanceof Error ? error.message : String(error) };
    const about = { id: `${this.id}/failed/${this.ring.last}`, runId: '', sessionId: this.id, at: new Date().toISOString() };
    return { ...about, type: 'run_finished', status: 'failed', text: '', usage: { input: 0, output: 0 }, turns: 0, error: problem };
  }

  /**
   * A stream of the events after `after` (default: from now on). Without them all, `reset` tells the reader to read the transcript again.
   * `untilRunEnds`: it ends when the run does.
   */
  listen(response: ServerResponse, after?: number, { untilRunEnds = false } = {}): void {
    const stream: EventStream = new EventStream(response, {
      limitBytes: this.limits.listenerBytes,
      heartbeatMs: this.limits.heartbeatMs,
      onEnd: () => {
        this.#streams.delete(stream);
        this.#answers.delete(stream);
        this.#presence.left();
      },
    });
    this.#streams.add(stream);
    if (untilRunEnds) this.#answers.add(stream);
    this.#presence.arrived();
    stream.write('retry: 1000\n\n');
    const missed = this.ring.after(after ?? this.ring.last);
    if (missed) for (const event of missed) stream.send(event);
    else stream.notice('reset', { lastEvent: this.ring.last });
  }

  /** Calls `read` with each event after `from`; counts as a listener until the returned function is called. */
  follow(read: EventReader, from: number): () => void {
    this.#readers.add(read);
    this.#presence.arrived();
    for (const event of this.ring.after(from) ?? []) if (this.#readers.has(read)) read(event.number, event.body as AgentEvent);
    return () => {
      if (this.#readers.delete(read)) this.#presence.left();
    };
  }

  /** Answers an open question. `hash` is what the person was shown: an answer to anything else is refused. */
  async answer(callId: string, hash: string, answer: ApprovalAnswer): Promise<void> {
    const question = this.#questions.get(callId);
    if (!question) throw new WebError(409, 'no_question', `No question is open for call ${callId}; it may have been answered already.`);
    if (question.hash !== hash) throw new WebError(409, 'question_changed', 'The call is not the one that was shown. Look at it again.');
    this.#questions.delete(callId);
    const isTaken = await this.#agent?.answer(callId, answer);
    if (isTaken !== true) throw new WebError(409, 'no_question', `No question is open for call ${callId}; it may have been answered already.`);
  }

  async steer(text: string): Promise<void> {
    if (!this.#agent || !this.#run) throw new WebError(409, 'not_running', 'Nothing runs in this session; send a message instead.');
    await this.#agent.steer(text);
  }

  stop(): void {
    this.#agent?.abort();
  }

  /** Stops the run, ends the streams, closes the session's file. */
  async close(): Promise<void> {
    this.stop();
    await this.#run;
    for (const stream of this.#streams) stream.close();
    if (this.#agent) await this.#agent.dispose();
    else await this.session.close();
  }

  #publish(event: AgentEvent): void {
    if (event.type === 'tool_call_approval') {
      if (event.answer) this.#questions.delete(event.callId);
      else this.#questions.set(event.callId, event.request);
    }
    if (event.type === 'tool_call_finished') this.#questions.delete(event.callId);
    const { number } = this.#push(event);
    for (const read of this.#readers) read(number, event);
  }

  #push(event: AgentEvent): NumberedEvent {
    const numbered = this.ring.push(event.type, event);
    for (const stream of this.#streams) stream.send(numbered);
    return numbered;
  }
}

/** The dispatcher, except that a call waits at the door while nobody listens. A refusal starts nothing, so it need not wait. */
function gated(dispatcher: Dispatcher, presence: Presence): Dispatcher {
  return {
    plan: (call, context) => dispatcher.plan(call, context),
    execute: async (planned, answer, context) => {
      if (answer?.answer !== 'deny') await presence.mayStart(context.signal);
      return dispatcher.execute(planned, answer, context);
    },
    dispatch: async (call, context) => {
      await presence.mayStart(context.signal);
      return dispatcher.dispatch(call, context);
    },
  };
}
