/** What the session paths of the API do. */
import type { ServerResponse } from 'node:http';
import type { UserMessage } from '@haft/agent';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type ApprovalBody, type MessageBody, type SteerBody, answerOf } from './bodies.js';
import { type SessionHub, asWebError } from './session-hub.js';
import { WebError } from './web-error.js';
import type { WebHost } from './web-host.js';

export class SessionApi {
  constructor(
    private readonly host: WebHost,
    private readonly hub: SessionHub,
  ) {}

  info(): Response {
    return Response.json({ model: this.host.model, root: this.host.root, tools: this.host.tools.length });
  }

  list(search: string | undefined): Response {
    const own = this.host.sessions.list().filter((session) => session.cwd === this.host.root);
    if (search !== undefined && search.trim() !== '') {
      const ids = new Set(own.map((session) => session.id));
      return Response.json({ hits: this.host.sessions.search(search.trim()).filter((hit) => ids.has(hit.sessionId)) });
    }
    const sessions = own.map((session) => ({ ...session, running: this.hub.peek(session.id)?.isRunning === true }));
    return Response.json({ sessions });
  }

  create(): Response {
    return Response.json(this.hub.create().state(), { status: 201 });
  }

  show(id: string): Response {
    const live = this.hub.peek(id);
    if (live) return Response.json(live.state());
    const stored = asWebError(() => this.host.sessions.read(id));
    this.hub.checkFolder(id);
    const { messages, usage, unfinished, cost } = stored;
    return Response.json({ id, running: false, lastEvent: 0, resumeFrom: 0, approvals: [], messages, usage, unfinished, ...(cost === undefined ? {} : { cost }) });
  }

  async remove(id: string): Promise<Response> {
    await this.hub.remove(id);
    return Response.json({ removed: id });
  }

  export(id: string, format = 'markdown'): Response {
    if (format !== 'markdown' && format !== 'json' && format !== 'jsonl') throw new WebError(400, 'invalid_format', 'format is markdown, json or jsonl.');
    if (this.hub.peek(id)?.isRunning === true) throw new WebError(409, 'session_busy', 'This session is answering. Export it when the run has ended, or stop it first.');
    this.hub.checkFolder(id);
    const text = asWebError(() => this.host.sessions.export(id, format));
    const name = `${id}.${format === 'markdown' ? 'md' : format}`;
    return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8', 'content-disposition': `attachment; filename="${name}"` } });
  }

  message(id: string, body: unknown, outgoing: ServerResponse): Response {
    const { text, images, detach, compact } = body as MessageBody;
    if (text.trim() === '' && images.length === 0) throw new WebError(400, 'invalid_body', 'text is empty; say something.');
    const message: UserMessage = {
      role: 'user',
      content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...images.map(({ mediaType, data }) => ({ type: 'image' as const, mediaType, data }))],
    };
    const session = this.hub.get(id);
    const before = session.ring.last;
    session.start(message, { detach, compact });
    session.listen(outgoing, before, { untilRunEnds: true });
    return RESPONSE_ALREADY_SENT;
  }

  events(id: string, lastEventId: string | undefined, outgoing: ServerResponse): Response {
    if (lastEventId !== undefined && !/^\d{1,15}$/.test(lastEventId)) throw new WebError(400, 'invalid_event_id', 'Last-Event-ID is the number of an event.');
    this.hub.get(id).listen(outgoing, lastEventId === undefined ? undefined : Number(lastEventId));
    return RESPONSE_ALREADY_SENT;
  }

  stop(id: string): Response {
    const session = this.hub.get(id);
    session.stop();
    return Response.json(session.state());
  }

  async steer(id: string, body: unknown): Promise<Response> {
    const session = this.hub.get(id);
    await session.steer((body as SteerBody).text);
    return Response.json(session.state());
  }

  async approve(id: string, callId: string, body: unknown): Promise<Response> {
    const session = this.hub.get(id);
    const approval = body as ApprovalBody;
    await session.answer(callId, approval.hash, answerOf(approval));
    return Response.json(session.state());
  }
}
