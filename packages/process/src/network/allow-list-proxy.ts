/**
 * The only way out of a sandbox: an HTTP proxy on a Unix socket that reaches the hosts of an allow-list and nothing else.
 * The address of a host is decided once, must be public, and is dialled as decided, so that a name cannot lead to an inner network.
 */
import { lookup } from 'node:dns/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, type RequestOptions, type Server, type ServerResponse, createServer, request } from 'node:http';
import { type Socket, connect, isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { type HostRule, canonicalHost, matchingRule, parseHostRule } from './host-rule.js';
import { isPublicAddress } from './public-address.js';

const CONNECT_MS = 15_000;
const IDLE_MS = 300_000;
const MAX_CONNECTIONS = 256;
/** Headers that speak of one connection only (RFC 9110 §7.6.1). */
const HOP_BY_HOP = ['connection', 'proxy-connection', 'proxy-authorization', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

export interface AllowListProxyOptions {
  /** Entries as `parseHostRule` takes them. An IP address that is written there may be a private one. */
  hosts: readonly string[];
  /** Told of every connection that was asked for. */
  onRequest?: (target: string, allowed: boolean) => void;
}

interface Target {
  host: string;
  port: number;
}

export class AllowListProxy {
  private readonly server: Server;
  private readonly sockets = new Set<Duplex>();

  private constructor(private readonly rules: readonly HostRule[], private readonly options: AllowListProxyOptions, readonly folder: string) {
    this.server = createServer((incoming, response) => { void this.forward(incoming, response); });
    this.server.maxConnections = MAX_CONNECTIONS;
    this.server.on('connect', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => { void this.tunnel(incoming, socket, head); });
    this.server.on('connection', (socket: Socket) => { this.keep(socket); });
    this.server.unref();
  }

  /** Listens on `folder/proxy.sock`, in a folder of its own that only this user can enter. Rejects for a wrong host. */
  static async start(options: AllowListProxyOptions): Promise<AllowListProxy> {
    const rules = options.hosts.map(parseHostRule);
    const proxy = new AllowListProxy(rules, options, mkdtempSync(join(tmpdir(), 'haft-proxy-')));
    await new Promise<void>((resolve, reject) => {
      proxy.server.once('error', reject);
      proxy.server.listen(join(proxy.folder, 'proxy.sock'), resolve);
    });
    return proxy;
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** `CONNECT host:port`: bytes both ways, for TLS. */
  private async tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    try {
      const target = parseAuthority(incoming.url ?? '', undefined);
      const upstream = await this.dial(target);
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
      socket.on('close', () => upstream.destroy());
      upstream.on('close', () => socket.destroy());
    } catch (error) {
      const text = `${(error as Error).message}\n`;
      socket.end(`HTTP/1.1 ${statusOf(error)}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`);
    }
  }

  /** `GET http://host/path`: one request, with the headers of one connection taken out. */
  private async forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(incoming.url ?? '');
      if (url.protocol !== 'http:') throw new RefusedError('only http:// and CONNECT are forwarded here');
      const socket = await this.dial(parseAuthority(url.host, 80));
      const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !HOP_BY_HOP.includes(name)));
      const options: RequestOptions = { method: incoming.method ?? 'GET', path: `${url.pathname}${url.search}`, headers: { ...headers, host: url.host, connection: 'close' }, createConnection: () => socket };
      const outgoing = request(options, (answer) => {
        response.writeHead(answer.statusCode ?? 502, Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.includes(name))));
        answer.pipe(response);
      });
      outgoing.on('error', () => response.destroy());
      response.on('close', () => outgoing.destroy());
      incoming.pipe(outgoing);
    } catch (error) {
      response.writeHead(Number.parseInt(statusOf(error), 10), { 'content-type': 'text/plain' });
      response.end(`${(error as Error).message}\n`);
    }
  }

  private async dial({ host, port }: Target): Promise<Socket> {
    const rule = matchingRule(this.rules, host, port);
    this.options.onRequest?.(`${host}:${port}`, rule !== undefined);
    if (rule === undefined) throw new RefusedError(`${host}:${port} is not in the network allow-list of the sandbox`);
    const address = await decideAddress(host, rule);
    const socket = connect({ host: address, port });
    this.keep(socket);
    await connected(socket);
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    return socket;
  }

  private keep(socket: Duplex): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.sockets.delete(socket));
  }
}

class RefusedError extends Error {}

function statusOf(error: unknown): string {
  return error instanceof RefusedError ? '403 Forbidden' : '502 Bad Gateway';
}

function parseAuthority(text: string, defaultPort: number | undefined): Target {
  const [, name = '', digits] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = canonicalHost(name);
  const port = digits === undefined ? defaultPort : Number(digits);
  if (host === undefined || port === undefined) throw new RefusedError(`${JSON.stringify(text)} is no host and port`);
  return { host, port };
}

/** An address that the list names is taken as it is; a name must lead to public addresses only. */
async function decideAddress(host: string, rule: HostRule): Promise<string> {
  if (isIP(host) !== 0 && rule.host === host) return host;
  const addresses = await lookup(host, { all: true });
  const inner = addresses.find(({ address }) => !isPublicAddress(address));
  const [first] = addresses;
  if (first === undefined) throw new Error(`${host} has no address`);
  if (inner !== undefined) throw new RefusedError(`${host} leads to ${inner.address}, which is not a public address`);
  return first.address;
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('no connection in time')));
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
}
