/** The router: API by the table of routes, the page by a fixed table of files, errors as JSON. The guard has run before. */
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { EmptyBody, readBody } from './bodies.js';
import { tooLarge } from './guard.js';
import { openApiOf } from './openapi.js';
import { pageFile } from './page-files.js';
import { type Context, type Route, routesOf } from './routes.js';
import { securityHeaders } from './security-headers.js';
import { SessionApi } from './session-api.js';
import type { SessionHub } from './session-hub.js';
import { ToolApi } from './tool-api.js';
import { UiApi } from './ui-stream/ui-api.js';
import { WebError } from './web-error.js';
import type { WebHost, WebLimits } from './web-host.js';

export interface AppOptions {
  host: WebHost;
  hub: SessionHub;
  limits: WebLimits;
  url: string;
}

export function createApp({ host, hub, limits, url }: AppOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const tools = new ToolApi(host);
  const routes = routesOf(new SessionApi(host, hub), tools, new UiApi(hub, limits));
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(securityHeaders)) context.res.headers.set(name, value);
  });
  for (const route of routes) {
    const limit = maxBytesOf(route.path, limits);
    app.on(route.method.toUpperCase(), route.path, async (context) => route.handle(context, await bodyOf(context, route, limit)));
  }
  app.get('/api/openapi.json', () => Response.json(openApiOf(routes, host.tools, url)));
  app.post('/api/tools/:name', async (context) => tools.call(context.req.param('name'), await textOf(context, limits.bodyBytes), context.req.raw.signal));
  app.get('*', (context) => pageFile(context.req.path) ?? notFound());
  app.notFound(() => notFound());
  app.onError((error) => errorResponse(error, host));
  return app;
}

/** The size that a path's body may have. */
export function maxBytesOf(path: string, limits: WebLimits): number {
  return path.endsWith('/messages') || path === '/api/chat' ? limits.messageBytes : limits.bodyBytes;
}

async function bodyOf(context: Context, route: Route, maxBytes: number): Promise<unknown> {
  if (!route.body && route.rawBody !== true) return undefined;
  const text = await textOf(context, maxBytes);
  if (!route.body) return parsed(text);
  if (text.trim() === '' && route.body === EmptyBody) return new EmptyBody();
  return readBody(route.body as abstract new () => unknown, parsed(text));
}

/** Reads a body whose length was not announced, and stops at the limit. */
async function textOf(context: Context, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (context.req.raw.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WebError(400, 'not_json', `The body is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function notFound(): Response {
  return new WebError(404, 'not_found', 'There is nothing at this path. GET /api/openapi.json lists what there is.').toResponse();
}

function errorResponse(error: Error, host: WebHost): Response {
  if (error instanceof WebError) return error.toResponse();
  host.log?.error('a request failed', { error: error.stack ?? error.message });
  return new WebError(500, 'internal', 'The server failed; its log says why.').toResponse();
}
