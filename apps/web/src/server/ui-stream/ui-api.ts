/** `useChat` of the AI SDK over our sessions: a chat is a session, an answer is a run, and a question ends one stream and begins the next. */
import type { ServerResponse } from 'node:http';
import type { AgentEvent } from '@haft/agent';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { EventStream } from '../event-stream.js';
import type { LiveSession } from '../live-session.js';
import type { SessionHub } from '../session-hub.js';
import { WebError } from '../web-error.js';
import type { WebLimits } from '../web-host.js';
import { UiChunks } from './ui-chunks.js';
import { readUiRequest, type UiRequest } from './ui-request.js';

export const uiStreamHeaders: Readonly<Record<string, string>> = { 'x-vercel-ai-ui-message-stream': 'v1' };

export class UiApi {
  /** Where the last stream of a session paused. */
  readonly #paused = new WeakMap<LiveSession, number>();

  constructor(
    private readonly hub: SessionHub,
    private readonly limits: WebLimits,
  ) {}

  async chat(body: unknown, outgoing: ServerResponse): Promise<Response> {
    const request = readUiRequest(body);
    const session = this.hub.getOrCreate(request.id);
    if (request.kind === 'answers') return this.#goOn(session, request, outgoing);
    const before = session.ring.last;
    session.start(request.message, { detach: false });
    this.#stream(session, before, new UiChunks(), outgoing, undefined);
    return RESPONSE_ALREADY_SENT;
  }

  /** The running answer from its beginning; 204 when there is none. */
  resume(id: string, outgoing: ServerResponse): Response {
    const session = this.hub.peek(id);
    if (!session?.isRunning) return new Response(null, { status: 204 });
    this.#stream(session, session.state().resumeFrom, new UiChunks(), outgoing, undefined);
    return RESPONSE_ALREADY_SENT;
  }

  async #goOn(session: LiveSession, request: Extract<UiRequest, { kind: 'answers' }>, outgoing: ServerResponse): Promise<Response> {
    const open = new Set(session.state().approvals.map((question) => question.callId));
    const answers = request.answers.filter((answer) => open.has(answer.callId));
    if (answers.length === 0) throw new WebError(409, 'no_question', 'None of the answered questions is open; they may have been answered already.');
    const from = this.#paused.get(session) ?? session.ring.last;
    for (const { callId, hash, approved, reason } of answers) {
      await session.answer(callId, hash, approved ? { answer: 'once' } : { answer: 'deny', ...(reason === undefined ? {} : { reason }) });
    }
    this.#stream(session, from, new UiChunks(request.knownCalls), outgoing, request.messageId);
    return RESPONSE_ALREADY_SENT;
  }

  /** Sends what happened after `from`, then what happens, until the run ends or waits for nothing but answers. */
  #stream(session: LiveSession, from: number, chunks: UiChunks, outgoing: ServerResponse, messageId: string | undefined): void {
    let leave = (): void => undefined;
    const stream = new EventStream(outgoing, { limitBytes: this.limits.listenerBytes, heartbeatMs: this.limits.heartbeatMs, headers: uiStreamHeaders, onEnd: () => leave() });
    const send = (chunk: object): void => stream.write(`data: ${JSON.stringify(chunk)}\n\n`);
    send({ type: 'start', ...(messageId === undefined || messageId === '' ? {} : { messageId }) });
    const finish = (): void => {
      stream.write('data: [DONE]\n\n');
      stream.close();
    };
    const waiting = new CallsInTurn();
    const read = (number: number, event: AgentEvent): void => {
      for (const chunk of chunks.of(event)) send(chunk);
      waiting.take(event);
      if (event.type === 'run_finished') finish();
      else if (waiting.onlyQuestions) {
        this.#paused.set(session, number);
        for (const chunk of chunks.endStep()) send(chunk);
        send({ type: 'finish', finishReason: 'tool-calls' });
        finish();
      }
    };
    leave = session.follow(read, from);
    if (!stream.isOpen) leave();
  }
}

/** Which calls of the turn are open, and which of them wait for an answer. */
class CallsInTurn {
  readonly #running = new Set<string>();
  readonly #asked = new Set<string>();

  take(event: AgentEvent): void {
    if (event.type === 'tool_call_started') this.#running.add(event.callId);
    if (event.type === 'tool_call_approval' && !event.answer) this.#asked.add(event.callId);
    if (event.type === 'tool_call_approval' && event.answer) this.#asked.delete(event.callId);
    if (event.type === 'tool_call_finished') {
      this.#running.delete(event.callId);
      this.#asked.delete(event.callId);
    }
  }

  get onlyQuestions(): boolean {
    return this.#asked.size > 0 && [...this.#running].every((callId) => this.#asked.has(callId));
  }
}
