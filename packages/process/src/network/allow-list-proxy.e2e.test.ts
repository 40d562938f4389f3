// The proxy of the sandbox with a real server and real commands: what is listed is reached, nothing else.
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ProcessRunner } from '../process-runner.js';
import { createBubblewrapSandbox } from '../sandbox/bubblewrap.js';
import type { Sandbox } from '../sandbox/sandbox.js';

let folder = '';
let allowed: Server;
let other: Server;
let echo: TcpServer;
let sandbox: Sandbox;
let reached: string[] = [];
const asked: string[] = [];
const runner = new ProcessRunner();

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'haft-network-')));
  allowed = createServer((incoming, response) => {
    reached.push(`${incoming.method} ${incoming.url} host=${incoming.headers.host} proxy=${String(incoming.headers['proxy-connection'] ?? 'no')}`);
    let body = '';
    incoming.on('data', (chunk) => { body += String(chunk); });
    incoming.on('end', () => response.end(`hello ${body}`));
  });
  other = createServer((_, response) => { reached.push('other'); response.end('no'); });
  echo = createTcpServer((socket) => socket.pipe(socket));
  await Promise.all([allowed, other, echo].map((server) => new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); })));
  sandbox = createBubblewrapSandbox({ root: folder, hosts: [`127.0.0.1:${port(allowed)}`, `127.0.0.1:${port(echo)}`, 'localhost:80', `localhost:${port(allowed)}`], onRequest: (target, ok) => asked.push(`${target} ${ok}`) });
});
afterAll(async () => {
  sandbox.dispose?.();
  await runner.dispose();
  for (const server of [allowed, other, echo]) server.close();
  rmSync(folder, { recursive: true, force: true });
});

const port = (server: { address(): unknown }): number => (server.address() as { port: number }).port;

/** A script that speaks HTTP to the proxy by hand and prints what comes back. */
function viaProxy(requestText: string): string {
  const script = `const s = require('net').connect(3128, '127.0.0.1', () => s.write(${JSON.stringify(requestText)})); s.on('data', (d) => process.stdout.write(d)); s.on('error', (e) => console.log(e.code)); s.on('close', () => process.exit()); setTimeout(() => s.destroy(), 3000);`;
  return `node -e ${quote(script)}`;
}
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

async function inside(command: string): Promise<string> {
  const outcome = await runner.run({ argv: ['/bin/bash', '--noprofile', '--norc', '-c', command], cwd: folder, sandbox, timeoutMs: 30_000 });
  expect(outcome.error).toBeUndefined();
  return outcome.stdout.text + outcome.stderr.text;
}

test('the self-test passes with the proxy too', async () => {
  expect(await sandbox.probe()).toMatchObject({ ok: true });
});

describe('what is listed is reached', () => {
  test('plain HTTP, with a body, and without the headers of the connection', async () => {
    reached = [];
    const answer = await inside(viaProxy(`POST http://127.0.0.1:${port(allowed)}/x?y=1 HTTP/1.1\r\nHost: evil.example\r\nProxy-Connection: keep-alive\r\nContent-Length: 3\r\n\r\nabc`));
    expect(answer).toMatch(/^HTTP\/1\.1 200[^]*hello abc/);
    expect(reached).toEqual([`POST /x?y=1 host=127.0.0.1:${port(allowed)} proxy=no`]);
  });

  test('a tunnel', async () => {
    expect(await inside(viaProxy(`CONNECT 127.0.0.1:${port(echo)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nping through`))).toMatch(/200 Connection established\r?\n\r?\nping through/);
  });

  test('by the environment that programs know', async () => {
    expect(await inside('echo $HTTPS_PROXY $http_proxy')).toBe('http://127.0.0.1:3128 http://127.0.0.1:3128\n');
  });
});

describe('nothing else is', () => {
  test.each([
    ['another port', () => `GET http://127.0.0.1:${port(other)}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`],
    ['another port, by a tunnel', () => `CONNECT 127.0.0.1:${port(other)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`],
    ['the same address in other words', () => `CONNECT 0x7f.1:${port(allowed)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`],
    ['the same address as a number', () => `CONNECT 2130706433:${port(allowed)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`],
    ['inside IPv6', () => `CONNECT [::ffff:127.0.0.1]:${port(allowed)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`],
    ['a listed name that leads to an inner address', () => `CONNECT localhost:${port(allowed)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`],
    ['no port', () => 'CONNECT 127.0.0.1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['no address', () => 'GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['another scheme', () => 'GET ftp://127.0.0.1/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['user names', () => `CONNECT a@127.0.0.1:${port(other)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`],
  ])('%s', async (_, requestText) => {
    reached = [];
    expect(await inside(viaProxy(requestText()))).toMatch(/^HTTP\/1\.1 (?:403|502|400)/);
    expect(reached).toEqual([]);
  });

  test('directly', async () => {
    reached = [];
    expect(await inside(`(echo x >/dev/tcp/127.0.0.1/${port(allowed)}) && echo REACHED`)).not.toContain('REACHED');
    expect(reached).toEqual([]);
  });

  test('every request was told', () => {
    expect(asked).toContain(`127.0.0.1:${port(allowed)} true`);
    expect(asked).toContain(`127.0.0.1:${port(other)} false`);
  });
});

test('exit code and signal of the command come through', async () => {
  const run = (command: string) => runner.run({ argv: ['/bin/bash', '--noprofile', '--norc', '-c', command], cwd: folder, sandbox, timeoutMs: 30_000 });
  expect(await run('exit 7')).toMatchObject({ exitCode: 7, signal: null });
  expect(await run('kill -9 $$')).toMatchObject({ signal: 'SIGKILL' });
});

test('a wrong entry of the list is refused before anything runs', async () => {
  const wrong = createBubblewrapSandbox({ root: folder, hosts: ['http://x/'] });
  expect(await wrong.probe()).toMatchObject({ ok: false, cause: expect.stringContaining('is no host') });
});
