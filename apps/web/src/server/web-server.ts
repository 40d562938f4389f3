/** Starts the server on loopback: a token of its own, the guard in front of the router, and an orderly end. */
import { randomBytes } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { SetupError } from '@haft/core';
import { createApp, maxBytesOf } from './app.js';
import { guard } from './guard.js';
import { SessionHub } from './session-hub.js';
import { WebError } from './web-error.js';
import { type WebHost, type WebLimits, defaultLimits } from './web-host.js';

export interface WebServerOptions {
  host: WebHost;
  /** Default 127.0.0.1. */
  address?: string;
  /** 0 takes a free one. Default 4280. */
  port?: number;
  /** Default: 32 random bytes, made at every start. */
  token?: string;
  limits?: Partial<WebLimits>;
  /** More names, with port, under which the server may be reached, e.g. of a reverse proxy on this machine. */
  hosts?: readonly string[];
}

export interface WebServer {
  /** `http://127.0.0.1:PORT`. */
  url: string;
  /** The page's address with the token in its fragment, which no request carries. */
  pageUrl: string;
  token: string;
  close(): Promise<void>;
}

/** @throws SetupError when the address cannot be listened on. */
export async function startWebServer(options: WebServerOptions): Promise<WebServer> {
  const limits = { ...defaultLimits, ...options.limits };
  const token = options.token ?? randomBytes(32).toString('base64url');
  const hub = new SessionHub(options.host, limits);
  const server = createServer();
  const { address, port } = await listen(server, options.address ?? '127.0.0.1', options.port ?? 4280);
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
  const hosts = new Set([url.slice('http://'.length), `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, ...(options.hosts ?? [])]);
  const app = createApp({ host: options.host, hub, limits, url });
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => listener(request, response);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    try {
      guard(request, { hosts, token, maxBytes: (path) => maxBytesOf(path, limits) });
    } catch (error) {
      refuse(request, response, error);
      return;
    }
    handle(request, response).catch((error: unknown) => {
      options.host.log?.error('a request failed', { error: error instanceof Error ? error.stack : String(error) });
      response.destroy();
    });
  });
  return { url, token, pageUrl: `${url}/#token=${token}`, close: () => close(server, hub) };
}

async function listen(server: Server, address: string, port: number): Promise<{ address: string; port: number }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  }).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw new SetupError(`The server cannot listen on ${address}:${port} (${code ?? String(error)}). ${code === 'EADDRINUSE' ? 'Something listens there already; give another --port.' : 'Give another --host or --port.'}`);
  });
  return server.address() as AddressInfo;
}

/** Ends the exchange without reading a body that may be large. */
function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const { status, code, message } = error instanceof WebError ? error : new WebError(500, 'internal', 'The server failed.');
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', 'x-content-type-options': 'nosniff' });
  response.end(JSON.stringify({ code, message }));
  request.resume();
}

async function close(server: Server, hub: SessionHub): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  await hub.close();
  server.closeAllConnections();
  await ended;
}
