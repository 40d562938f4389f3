/** Every path of the API in one table: the router and the OpenAPI page are both made from it. */
import type { Class } from '@haft/core';
import type { HttpBindings } from '@hono/node-server';
import type { Context as HonoContext } from 'hono';
import { ApprovalBody, EmptyBody, MessageBody, SteerBody } from './bodies.js';
import type { SessionApi } from './session-api.js';
import type { ToolApi } from './tool-api.js';
import type { UiApi } from './ui-stream/ui-api.js';

export type Context = HonoContext<{ Bindings: HttpBindings }>;

export interface Route {
  method: 'get' | 'post' | 'delete';
  /** With `:name` for parameters. */
  path: string;
  summary: string;
  body?: Class;
  /** A JSON body that the handler checks itself: its shape is another project's. */
  rawBody?: boolean;
  /** Media type of a success; `application/json` when absent. */
  produces?: string;
  handle: (context: Context, body: unknown) => Response | Promise<Response>;
}

export function routesOf(sessions: SessionApi, tools: ToolApi, chat: UiApi): Route[] {
  return [
    { method: 'get', path: '/api/info', summary: 'The model, the folder and the version', handle: () => sessions.info() },
    { method: 'get', path: '/api/sessions', summary: 'Sessions of this folder, newest first; `search` finds text in them', handle: (context) => sessions.list(context.req.query('search')) },
    { method: 'post', path: '/api/sessions', summary: 'A new session', body: EmptyBody, handle: () => sessions.create() },
    { method: 'get', path: '/api/sessions/:id', summary: 'The conversation, what is open, and the number of the newest event', handle: (context) => sessions.show(id(context)) },
    { method: 'delete', path: '/api/sessions/:id', summary: 'Delete a session', handle: (context) => sessions.remove(id(context)) },
    { method: 'get', path: '/api/sessions/:id/export', summary: 'The conversation as a file; `format` is markdown, json or jsonl', produces: 'text/plain', handle: (context) => sessions.export(id(context), context.req.query('format')) },
    { method: 'post', path: '/api/sessions/:id/messages', summary: 'Say something; the answer is the run\'s events', body: MessageBody, produces: 'text/event-stream', handle: (context, body) => sessions.message(id(context), body, context.env.outgoing) },
    { method: 'get', path: '/api/sessions/:id/events', summary: 'Events of the session from now on, or after the Last-Event-ID', produces: 'text/event-stream', handle: (context) => sessions.events(id(context), context.req.header('last-event-id'), context.env.outgoing) },
    { method: 'post', path: '/api/sessions/:id/stop', summary: 'Stop the run', body: EmptyBody, handle: (context) => sessions.stop(id(context)) },
    { method: 'post', path: '/api/sessions/:id/steer', summary: 'Tell the running model something', body: SteerBody, handle: (context, body) => sessions.steer(id(context), body) },
    { method: 'post', path: '/api/sessions/:id/approvals/:callId', summary: 'Answer an open question', body: ApprovalBody, handle: (context, body) => sessions.approve(id(context), context.req.param('callId') ?? '', body) },
    { method: 'post', path: '/api/chat', summary: 'The AI SDK\'s UI message stream: `useChat` connects here', rawBody: true, produces: 'text/event-stream', handle: (context, body) => chat.chat(body, context.env.outgoing) },
    { method: 'get', path: '/api/chat/:id/stream', summary: 'The running answer of a chat again; 204 when nothing runs', produces: 'text/event-stream', handle: (context) => chat.resume(id(context), context.env.outgoing) },
    { method: 'get', path: '/api/tools', summary: 'The tools and their schemas', handle: () => tools.list() },
  ];
}

function id(context: Context): string {
  return context.req.param('id') ?? '';
}
