/** What every request must pass before anything is done for it: our own host name, our own origin, the token, the body's kind and size. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { WebError } from './web-error.js';

export interface GuardOptions {
  /** Hosts that name this server, with port: `127.0.0.1:4300`. */
  hosts: ReadonlySet<string>;
  token: string;
  maxBytes: (path: string) => number;
}

const changing = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Throws a WebError for a request that must not go on. A page of another site cannot pass it, also after DNS rebinding. */
export function guard(request: IncomingMessage, options: GuardOptions): void {
  const host = request.headers.host;
  if (host === undefined || !options.hosts.has(host.toLowerCase())) {
    throw new WebError(403, 'wrong_host', `This server answers to ${[...options.hosts].join(', ')} only.`);
  }
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnOrigin(origin, options.hosts)) throw new WebError(403, 'wrong_origin', 'Requests of other sites are refused.');
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  if (!path.startsWith('/api/')) return;
  checkToken(request.headers.authorization, options.token);
  if (changing.has(request.method ?? '')) checkBody(request, options.maxBytes(path));
}

function isOwnOrigin(origin: string, hosts: ReadonlySet<string>): boolean {
  return origin.startsWith('http://') && hosts.has(origin.slice('http://'.length).toLowerCase());
}

function checkToken(header: string | undefined, token: string): void {
  const given = Buffer.from(header ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return;
  throw new WebError(401, 'no_token', 'Send the token that `haft serve` printed: Authorization: Bearer TOKEN.');
}

function checkBody(request: IncomingMessage, maxBytes: number): void {
  const type = request.headers['content-type'] ?? '';
  const isEmpty = request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined;
  if (!(isEmpty && request.method === 'DELETE') && !/^application\/json(\s*;.*)?$/i.test(type)) {
    throw new WebError(415, 'not_json', 'Send the body as application/json.');
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

export function tooLarge(maxBytes: number): WebError {
  return new WebError(413, 'body_too_large', `A body may have ${maxBytes} bytes at most.`);
}
