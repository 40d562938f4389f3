// What a provider can do wrong, over real HTTP, in each format, streamed and not: every fault has one stated outcome. None loses history,
// none runs a call twice.
import { createServer } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { type Fault, type ScriptedTurn, startModelServer } from '../../packages/agent/dist/testing/index.js';
import { type Setting, KEY, expectSound, runAgent, ways } from './kit.js';

const call: ScriptedTurn = { text: 'I note it.', calls: [{ name: 'note', arguments: { text: 'A' } }] };
const done: ScriptedTurn = { text: 'All done.' };
const status = (code: number, more: object = {}): Fault => ({ kind: 'status', status: code, message: `said ${code}`, ...more });

interface Row {
  fault: string;
  /** What the second request meets, after the tool has run. Then comes the good answer. */
  faults: Fault[];
  /** How the run ends: completed, or the code of its error. */
  outcome: string;
  /** Requests in all. */
  requests: number;
  /** Milliseconds that the provider asked to wait. */
  waits?: number;
  says?: RegExp;
  setting?: Setting;
}

const small: Setting = { limits: { maxBodyBytes: 2 ** 20, maxLineBytes: 2 ** 18 } };
const inAnHour = { headers: { 'retry-after': '3600' } };

const rows: Row[] = [
  { fault: '1, RETRY-01: 429 with Retry-After in seconds', faults: [status(429, { headers: { 'retry-after': '1' } })], outcome: 'completed', requests: 3, waits: 1000 },
  { fault: '2: 429 with retry-after-ms', faults: [status(429, { headers: { 'retry-after-ms': '120' } })], outcome: 'completed', requests: 3, waits: 120 },
  { fault: '3: 429 without a header', faults: [status(429), status(429)], outcome: 'completed', requests: 4 },
  { fault: '3: 429 for ever', faults: Array(9).fill(status(429)) as Fault[], outcome: 'rate_limited', requests: 5 },
  { fault: '4, RETRY-01: 429 that asks for an hour', faults: [status(429, inAnHour)], outcome: 'rate_limited', requests: 2, says: /3600 s, until \d{4}-/ },
  { fault: '5: 529 overloaded', faults: [status(529, { type: 'overloaded_error' })], outcome: 'completed', requests: 3 },
  { fault: '6: 500', faults: [status(500), status(500), status(500)], outcome: 'completed', requests: 5 },
  { fault: '7: 502 with a page of HTML', faults: [{ kind: 'html', status: 502 }], outcome: 'completed', requests: 3 },
  { fault: '7: 502 with a page of HTML, for ever', faults: Array(9).fill({ kind: 'html', status: 502 }) as Fault[], outcome: 'server_error', requests: 5, says: /HTML page/ },
  { fault: '8: 503', faults: [status(503)], outcome: 'completed', requests: 3 },
  { fault: '9: 408', faults: [status(408)], outcome: 'completed', requests: 3 },
  { fault: '9: 409', faults: [status(409)], outcome: 'completed', requests: 3 },
  { fault: '10: 400', faults: [status(400)], outcome: 'invalid_request', requests: 2, says: /said 400/ },
  { fault: '12: 401', faults: [status(401, { message: `Incorrect API key provided: ${KEY}` })], outcome: 'invalid_credentials', requests: 2 },
  { fault: '12: 403', faults: [status(403)], outcome: 'invalid_credentials', requests: 2 },
  { fault: '13: 404, no such model', faults: [status(404)], outcome: 'model_not_found', requests: 2, says: /no model "(gpt|claude)-x"/ },
  { fault: '15: reset before the headers', faults: [{ kind: 'reset_before_headers' }], outcome: 'completed', requests: 3 },
  { fault: '20: a malformed event', faults: [{ kind: 'malformed_event', afterEvents: 2 }], outcome: 'completed', requests: 3 },
  { fault: '20: malformed events for ever', faults: Array(9).fill({ kind: 'malformed_event', afterEvents: 2 }) as Fault[], outcome: 'protocol', requests: 3 },
  { fault: '21: an overload inside a 200', faults: [{ kind: 'error_event', afterEvents: 2, type: 'overloaded_error', message: 'Overloaded' }], outcome: 'completed', requests: 3 },
  { fault: '21: a refusal to serve inside a 200', faults: [{ kind: 'error_event', afterEvents: 2, type: 'invalid_request_error', message: 'no' }], outcome: 'invalid_request', requests: 2 },
  { fault: '22: a body without end', faults: [{ kind: 'endless' }], outcome: 'too_large', requests: 2, setting: small },
  { fault: '22: events without end', faults: [{ kind: 'endless', events: true }], outcome: 'too_large', requests: 2, setting: small },
  { fault: '22: a line without end', faults: [{ kind: 'endless', oneLine: true }], outcome: 'too_large', requests: 2, setting: small },
  { fault: '23: 200 with a page of HTML', faults: [{ kind: 'html' }], outcome: 'protocol', requests: 2, says: /HTML page.*base URL/ },
  { fault: 'RETRY-01: quota used up (429)', faults: [status(429, { type: 'insufficient_quota', code: 'insufficient_quota', message: 'You exceeded your current quota' })], outcome: 'quota_exceeded', requests: 2 },
  { fault: 'broken compression', faults: [{ kind: 'broken_gzip' }], outcome: 'completed', requests: 3 },
];

// The SDKs are loaded before any clock runs.
for (const way of ways) await runAgent(way, [call, done]);

describe.each(ways)('$api, stream: $stream', (way) => {
  test.concurrent.each(rows)('$fault → $outcome', async (row) => {
    const turns = [call, ...row.faults.map((fault) => ({ ...done, fault })), done];
    const seen = await runAgent(way, turns, row.setting);
    expect(seen.result.error?.code ?? seen.result.status).toBe(row.outcome);
    expect(seen.server.requests).toHaveLength(row.requests);
    expectSound(seen);
    if (row.outcome === 'completed') expect(seen.result.text).toBe('All done.');
    if (row.waits !== undefined) expect(seen.retries.map((retry) => retry.delayMs >= row.waits! && retry.delayMs <= row.waits! * 1.2)).toEqual([true]);
    if (row.says !== undefined) expect(seen.result.error?.message).toMatch(row.says);
  });

  test.concurrent('11: 400, the context is too long: made shorter once, asked once more; too long again is the end', async () => {
    const tooLong = status(400, { code: 'context_length_exceeded', message: 'prompt is too long: 210000 tokens > 200000 maximum' });
    const notes: ScriptedTurn = { text: 'Notes of what was said.' };
    const mended = await runAgent(way, [call, { fault: tooLong }, notes, done]);
    expect(mended.result).toMatchObject({ status: 'completed', text: 'All done.' });
    expect(mended.server.requests).toHaveLength(4);
    expect(mended.ran).toEqual(['A']);
    const failed = await runAgent(way, [call, { fault: tooLong }, notes, { fault: tooLong }]);
    expect(failed.result.error?.code).toBe('context_too_long');
    expect(failed.server.requests).toHaveLength(4);
    expect(failed.ran).toEqual(['A']);
  });

  test.concurrent('RETRY-01: the wait can be aborted', async () => {
    const controller = new AbortController();
    const turns = (_: unknown, index: number): ScriptedTurn => {
      if (index === 1) setTimeout(() => controller.abort(), 30);
      return index === 0 ? call : { fault: status(429, { headers: { 'retry-after': '50' } }) };
    };
    const seen = await runAgent(way, turns, { signal: controller.signal });
    expect(seen.result.status).toBe('cancelled');
    expect(seen.server.requests).toHaveLength(2);
    expectSound(seen);
  }, 20_000);

  test.concurrent('RETRY-01, 2: 429 with Retry-After as a date waits until then', async () => {
    const until = new Date(Date.now() + 3000).toUTCString();
    const seen = await runAgent(way, [call, { fault: status(429, { headers: { 'retry-after': until } }) }, done]);
    expect(seen.result.status).toBe('completed');
    expect(seen.retries).toHaveLength(1);
    expect(seen.retries[0]?.delayMs).toBeLessThanOrEqual(3300);
  });

  test.concurrent.each([true, false])('17: cut in mid-text (clean end: %p): the second attempt alone is kept', async (clean) => {
    const seen = await runAgent(way, [call, { text: 'Hello there, this is long', fault: { kind: 'cut', afterBytes: way.stream ? 700 : 100, clean } }, done]);
    expect(seen.result).toMatchObject({ status: 'completed', text: 'All done.' });
    expect(JSON.stringify(seen.result.messages)).not.toContain('Hello');
    expect(seen.retries).toHaveLength(1);
    expectSound(seen);
  });

  test.concurrent.each([true, false])('18, RETRY-02: cut inside the arguments of a call (clean end: %p): it never runs, the second attempt runs once', async (clean) => {
    const cut: ScriptedTurn = { ...call, text: 'Hel', delivery: { deltaChars: 4 }, fault: { kind: 'cut', afterBytes: way.stream ? 900 : 150, clean } };
    const seen = await runAgent(way, [cut, { ...call, text: 'Hello' }, done]);
    expect(seen.result.status).toBe('completed');
    expect(seen.server.requests).toHaveLength(3);
    expect(JSON.stringify(seen.result.messages)).not.toContain('HelHello');
    expectSound(seen);
  });

  test.concurrent('24: broken arguments, an unknown tool, a repeated id: an error result to the model, the call not run', async () => {
    const calls = [{ id: 'same', name: 'note', arguments: '{"text": ' }, { id: 'same', name: 'nope', arguments: {} }, { id: 'same', name: 'note', arguments: { text: 'A' } }];
    // Without a stream Messages has objects only, so broken text cannot occur there.
    const seen = await runAgent(way, [{ calls }, done]);
    expect(seen.result.toolCalls.map(({ result }) => result.code ?? 'ok')).toEqual(['invalid_arguments', 'unknown_tool', 'ok']);
    expect(seen.result.status).toBe('completed');
    expect(seen.server.requests.map((request) => request.refused)).toEqual([undefined, undefined]);
    expectSound(seen);
  });

  test.concurrent('24: cut at the token limit in the middle of a call: never run, never mended', async () => {
    const seen = await runAgent(way, [{ finish: 'length', calls: [{ name: 'note', arguments: { text: 'half of' } }] }, call, done]);
    expect(seen.result.toolCalls.map(({ result }) => result.success)).toEqual([false, true]);
    expect(seen.result.status).toBe('completed');
    expectSound(seen);
  });

  test.concurrent.each([
    { chunkBytes: 1 }, { chunkBytes: 3, crlf: true }, { comments: true }, { deltaChars: 1, comments: true, crlf: true, chunkBytes: 5 },
  ])('what must succeed: $chunkBytes bytes at a time, CRLF: $crlf, comments and pings: $comments', async (delivery) => {
    const text = 'Ünïcødé — 你好 🎉👩‍👩‍👧';
    const seen = await runAgent(way, [{ ...call, delivery }, { text, delivery }]);
    expect(seen.result).toMatchObject({ status: 'completed', text });
    expect(seen.ran).toEqual(['A']);
  });
});

describe.each(ways)('$api, stream: $stream: no server', (way) => {
  test.concurrent.each([
    { fault: '14: the connection is refused', url: async () => `http://127.0.0.1:${await closedPort()}`, says: /refused/ },
    { fault: '14: the host is unknown', url: async () => Promise.resolve('http://no-such-host.invalid'), says: /host name|looked up/ },
  ])('RETRY-10: $fault', async ({ url, says }) => {
    const seen = await runAgent(way, [], { baseURL: await url(), agent: { retry: { baseMs: 2, attempts: 3 } } });
    expect(seen.result).toMatchObject({ status: 'failed', error: { code: 'network' } });
    expect(seen.result.error?.message).toMatch(says);
    expect(seen.retries).toHaveLength(2);
    expect(seen.result.messages.filter((message) => message.role === 'user')).toHaveLength(1);
  });

  test.concurrent.each([301, 302, 307, 308])('a redirect (%i) is not followed: the key goes to no other host', async (code) => {
    const elsewhere = await startModelServer([done]);
    const redirecting = await startModelServer([{ fault: { kind: 'status', status: code, headers: { location: `${elsewhere.url}/v1/chat/completions` }, body: '' } }]);
    try {
      const moved = await runAgent(way, [], { baseURL: redirecting.url });
      expect(moved.result.error).toMatchObject({ code: 'protocol', message: expect.stringContaining(elsewhere.url) });
      expect(redirecting.requests).toHaveLength(1);
      expect(elsewhere.requests).toEqual([]);
    } finally {
      await redirecting.close();
      await elsewhere.close();
    }
  });

  test.concurrent('14: no TLS at the other end', async () => {
    const seen = await runAgent(way, [], { baseURL: `https://127.0.0.1:${await plainPort()}`, agent: { retry: { baseMs: 2, attempts: 2 } } });
    expect(seen.result).toMatchObject({ status: 'failed', error: { code: 'network' } });
  });

  test.concurrent.each([400, 401, 403, 404, 413, 422])('RETRY-11: %i is asked once, and said; the prompt is in the conversation once', async (code) => {
    const seen = await runAgent(way, [{ fault: status(code) }]);
    expect(seen.result.status).toBe('failed');
    expect(seen.result.error?.message).toContain(String(code));
    expect(seen.server.requests).toHaveLength(1);
    expect(seen.result.messages.filter((message) => message.role === 'user')).toHaveLength(1);
  });
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A port that answers everything with text that is no TLS, and closes. */
async function plainPort(): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}
