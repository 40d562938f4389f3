// The API over real HTTP on loopback: sessions, events, approvals, stop, reconnect, tools; and everything that must be refused.
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { SessionStore } from '@haft/agent';
import type { Script } from '@haft/agent/testing';
import { Tool, type ToolContext } from '@haft/core';
import { ChangeHistory, EditFile, ReadFile, WriteFile } from '@haft/plugin-fs';
import { type FixtureOptions, type StreamedEvent, type WebFixture, openFixture, readEvents } from '../testdata/web-fixture.js';

let started = 0;
let aborted = 0;

@Tool('Waits until it is stopped.', { name: 'wait', scopes: [] })
class Wait {
  execute({ signal }: ToolContext): Promise<string> {
    started += 1;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve('waited'), 20_000);
      signal.addEventListener('abort', () => {
        aborted += 1;
        clearTimeout(timer);
        reject(signal.reason as Error);
      });
    });
  }
}

let fixture: WebFixture;

afterEach(async () => {
  await fixture.close();
  started = 0;
  aborted = 0;
});

async function open(script: Script, options: Omit<FixtureOptions, 'script'> = {}): Promise<string> {
  fixture = await openFixture({ script, tools: [ReadFile, WriteFile, EditFile, Wait], services: [ChangeHistory], ...options });
  const created = (await (await fixture.api('/api/sessions', { body: {} })).json()) as { id: string };
  return `/api/sessions/${created.id}`;
}

const finished = (event: StreamedEvent): boolean => event.event === 'run_finished';
const types = (events: StreamedEvent[]): string[] => events.map((event) => event.event);
const writing = [{ calls: [{ name: 'write_file', arguments: { path: 'new.txt', content: 'hello\n' } }] }, { text: 'Written.' }];

describe('a conversation', () => {
  test('a message is answered by the events of its run, and the transcript holds both', async () => {
    const session = await open([{ text: 'Hello **there**.' }]);
    const events = await readEvents(await fixture.api(`${session}/messages`, { body: { text: 'hi' } }), finished);
    expect(types(events)).toEqual(expect.arrayContaining(['run_started', 'text_delta', 'turn_finished', 'run_finished']));
    expect(events.at(-1)?.data).toMatchObject({ status: 'completed', text: 'Hello **there**.' });
    const shown = (await (await fixture.api(session)).json()) as { messages: { role: string }[]; running: boolean };
    expect(shown.messages.map((message) => message.role)).toEqual(['user', 'assistant']);
    expect(((await (await fixture.api('/api/sessions')).json()) as { sessions: unknown[] }).sessions).toHaveLength(1);
    expect(await (await fixture.api(`${session}/export`)).text()).toMatch(/Hello \*\*there\*\*/);
  });

  test('the answer to a message ends with its run, so that a script that reads it does not wait for ever; the events of the session go on', async () => {
    const session = await open([{ text: 'One.' }, { text: 'Two.' }]);
    const reading = fixture.api(`${session}/events`).then((response) => readEvents(response, ({ data }) => data['text'] === 'Two.' && data['type'] === 'run_finished'));
    const events = await readEvents(await fixture.api(`${session}/messages`, { body: { text: 'hi' } }));
    expect(events.at(-1)?.event).toBe('run_finished');
    expect((await readEvents(await fixture.api(`${session}/messages`, { body: { text: 'again' } }))).at(-1)?.data).toMatchObject({ text: 'Two.' });
    expect((await reading).filter(finished)).toHaveLength(2);
  });

  test('what is told too late for a run is the next message, without a request of the reader', async () => {
    const session = await open([{ text: 'One.' }, { text: 'Two.' }], { toldLate: 'and now this' });
    const message = await fixture.api(`${session}/messages`, { body: { text: 'hi' } });
    const events = await readEvents(message);
    expect(events.at(-1)?.data).toMatchObject({ type: 'run_finished', text: 'Two.' });
    expect(events.filter(({ event }) => event === 'run_started').map(({ data }) => (data as { prompt: string }).prompt)).toEqual(['hi', 'and now this']);
  });

  test('a write is asked, and done when it is approved with the hash that was shown', async () => {
    const session = await open(writing);
    const message = await fixture.api(`${session}/messages`, { body: { text: 'write it' } });
    const asked = (await readEvents(message, (event) => event.event === 'tool_call_approval')).at(-1)?.data as { callId: string; request: { hash: string } };
    expect(existsSync(join(fixture.root, 'new.txt'))).toBe(false);
    const approvals = `${session}/approvals/${encodeURIComponent(asked.callId)}`;
    const wrong = await fixture.api(approvals, { body: { answer: 'once', hash: '0'.repeat(64) } });
    expect([wrong.status, await wrong.json()]).toMatchObject([409, { code: 'question_changed' }]);
    const rest = fixture.api(`${session}/events`);
    expect((await fixture.api(approvals, { body: { answer: 'once', hash: asked.request.hash } })).status).toBe(200);
    expect((await readEvents(await rest, finished)).at(-1)?.data).toMatchObject({ status: 'completed', text: 'Written.' });
    expect(readFileSync(join(fixture.root, 'new.txt'), 'utf8')).toBe('hello\n');
    expect((await fixture.api(approvals, { body: { answer: 'once', hash: asked.request.hash } })).status).toBe(409);
  });

  test('a denial with a reason reaches the model, and nothing is written', async () => {
    const session = await open(writing);
    const message = await fixture.api(`${session}/messages`, { body: { text: 'write it' } });
    const asked = (await readEvents(message, (event) => event.event === 'tool_call_approval')).at(-1)?.data as { callId: string; request: { hash: string } };
    const rest = fixture.api(`${session}/events`);
    await fixture.api(`${session}/approvals/${encodeURIComponent(asked.callId)}`, { body: { answer: 'deny', reason: 'not there', hash: asked.request.hash } });
    const events = await readEvents(await rest, finished);
    expect(events.find((event) => event.event === 'tool_call_finished')?.data).toMatchObject({ result: { code: 'approval_declined' } });
    const shown = await (await fixture.api(session)).text();
    expect(shown).toContain('not there');
    expect(existsSync(join(fixture.root, 'new.txt'))).toBe(false);
  });

  test('stop ends the tool and the run; the next message works', async () => {
    const session = await open([{ calls: [{ name: 'wait' }] }, { text: 'Back again.' }]);
    const message = await fixture.api(`${session}/messages`, { body: { text: 'wait' } });
    await readUntilStarted(message);
    const rest = fixture.api(`${session}/events`);
    expect((await fixture.api(`${session}/stop`, { body: {} })).status).toBe(200);
    expect((await readEvents(await rest, finished)).at(-1)?.data).toMatchObject({ status: 'cancelled' });
    expect(aborted).toBe(1);
    const next = await readEvents(await fixture.api(`${session}/messages`, { body: { text: 'again' } }), finished);
    expect(next.at(-1)?.data).toMatchObject({ status: 'completed', text: 'Back again.' });
  });

  test('after a cut, Last-Event-ID brings the rest: nothing lost, nothing twice', async () => {
    const session = await open([{ text: 'one two three four five six seven eight nine ten', delivery: { deltaChars: 4 } }]);
    const first = await readEvents(await fixture.api(`${session}/messages`, { body: { text: 'count' } }), (event) => event.event === 'text_delta');
    const rest = await readEvents(await fixture.api(`${session}/events`, { headers: { 'last-event-id': String(first.at(-1)?.id) } }), finished);
    const numbers = [...first, ...rest].map((event) => Number(event.id));
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => index + 1));
    const text = [...first, ...rest].flatMap((event) => (event.event === 'text_delta' ? [event.data['text']] : [])).join('');
    expect(text).toBe('one two three four five six seven eight nine ten');
  });

  test('an id that is too old to be replayed gets a reset', async () => {
    const session = await open([{ text: 'x'.repeat(400), delivery: { deltaChars: 1 } }], { limits: { replayEvents: 10 } });
    await readEvents(await fixture.api(`${session}/messages`, { body: { text: 'go' } }), finished);
    const [event] = await readEvents(await fixture.api(`${session}/events`, { headers: { 'last-event-id': '1' } }), () => true);
    expect(event?.event).toBe('reset');
  });

  test('whoever hears that a run has ended can send the next message at once', async () => {
    const session = await open(() => ({ text: 'ok' }), { durable: true });
    for (let message = 0; message < 20; message += 1) {
      const answer = await fixture.api(`${session}/messages`, { body: { text: 'again' } });
      expect(answer.status).toBe(200);
      await readEvents(answer, finished);
    }
  });

  test('a run that cannot be made ends like any other that fails, and the session can be used again', async () => {
    const session = await open([], { agentError: new Error('the model could not be opened') });
    for (let message = 0; message < 2; message += 1) {
      const events = await readEvents(await fixture.api(`${session}/messages`, { body: { text: 'hi' } }), finished);
      expect(events.at(-1)?.data).toMatchObject({ status: 'failed', error: { code: 'run_failed', message: 'the model could not be opened' } });
    }
  });

  test('one run at a time: a second message is refused with 409', async () => {
    const session = await open([{ calls: [{ name: 'wait' }] }]);
    await readUntilStarted(await fixture.api(`${session}/messages`, { body: { text: 'wait' } }));
    const second = await fixture.api(`${session}/messages`, { body: { text: 'me too' } });
    expect([second.status, await second.json()]).toMatchObject([409, { code: 'session_busy' }]);
  });
});

/** Leaves the stream when the tool runs. */
async function readUntilStarted(message: Response): Promise<void> {
  await readEvents(message, (event) => event.event === 'tool_call_started');
  for (let tries = 0; started === 0 && tries < 500; tries += 1) await sleep(10);
  expect(started).toBe(1);
}

describe('CLI-09: the reader goes away', () => {
  test('while nobody listens no tool starts, and after the grace time the run is stopped', async () => {
    const session = await open([{ delayMs: 150, calls: [{ name: 'wait' }] }, { text: 'after' }], { limits: { graceMs: 600 } });
    const leaving = new AbortController();
    const message = await fixture.api(`${session}/messages`, { body: { text: 'wait' }, signal: leaving.signal });
    leaving.abort();
    await message.text().catch(() => '');
    await untilIdle(session);
    expect(started).toBe(0);
    const next = await readEvents(await fixture.api(`${session}/messages`, { body: { text: 'again' } }), finished);
    expect(next.at(-1)?.data).toMatchObject({ status: 'completed', text: 'after' });
  });

  test('a tool that runs when the reader leaves is stopped after the grace time', async () => {
    const session = await open([{ calls: [{ name: 'wait' }] }], { limits: { graceMs: 200 } });
    await readUntilStarted(await fixture.api(`${session}/messages`, { body: { text: 'wait' } }));
    await untilIdle(session);
    expect(aborted).toBe(1);
  });

  test('a pending question is never approved by itself', async () => {
    const session = await open(writing, { limits: { graceMs: 200 } });
    await readEvents(await fixture.api(`${session}/messages`, { body: { text: 'write' } }), (event) => event.event === 'tool_call_approval');
    await untilIdle(session);
    expect(existsSync(join(fixture.root, 'new.txt'))).toBe(false);
  });

  test('a no takes effect although nobody listens: it starts nothing', async () => {
    const session = await open(writing);
    const asked = (await readEvents(await fixture.api(`${session}/messages`, { body: { text: 'write' } }), (event) => event.event === 'tool_call_approval')).at(-1)?.data as { callId: string; request: { hash: string } };
    expect((await fixture.api(`${session}/export`)).status).toBe(409);
    await fixture.api(`${session}/approvals/${encodeURIComponent(asked.callId)}`, { body: { answer: 'deny', hash: asked.request.hash } });
    await untilIdle(session);
    expect(await (await fixture.api(`${session}/export`)).text()).toContain('approval_declined');
  });

  test('a session that nobody uses is closed, so that another process can go on with it; the page comes back by itself', async () => {
    const session = await open([{ text: 'one' }, { text: 'two' }], { limits: { idleMs: 100 } });
    await readEvents(await fixture.api(`${session}/messages`, { body: { text: 'first' } }), finished);
    const store = SessionStore.open(join(fixture.root, 'state'), { durable: false });
    const id = session.split('/').at(-1) ?? '';
    for (let tries = 0; ; tries += 1) {
      try {
        await store.load(id).close();
        break;
      } catch (error) {
        if (tries > 200) throw error;
        await sleep(20);
      }
    }
    const [event] = await readEvents(await fixture.api(`${session}/events`, { headers: { 'last-event-id': '5' } }), () => true);
    expect(event?.event).toBe('reset');
    expect((await readEvents(await fixture.api(`${session}/messages`, { body: { text: 'second' } }), finished)).at(-1)?.data).toMatchObject({ text: 'two' });
  });

  test('sessions of another folder are neither listed nor opened', async () => {
    await open([]);
    const store = SessionStore.open(join(fixture.root, 'state'), { durable: false });
    const foreign = store.create({ cwd: '/somewhere/else' });
    await foreign.setTitle('foreign');
    await foreign.close();
    expect(await (await fixture.api('/api/sessions')).text()).not.toContain(foreign.id);
    for (const path of ['', '/events', '/export']) expect([path, (await fixture.api(`/api/sessions/${foreign.id}${path}`)).status]).toEqual([path, 404]);
  });

  test('a message with detach goes on without a reader, and can be joined again', async () => {
    const session = await open([{ delayMs: 100, calls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] }, { delayMs: 300, text: 'read' }], { limits: { graceMs: 50 } });
    const leaving = new AbortController();
    const message = await fixture.api(`${session}/messages`, { body: { text: 'read', detach: true }, signal: leaving.signal });
    leaving.abort();
    await message.text().catch(() => '');
    await sleep(200);
    const events = await readEvents(await fixture.api(`${session}/events`, { headers: { 'last-event-id': '0' } }), finished);
    expect(events.at(-1)?.data).toMatchObject({ status: 'completed', text: 'read' });
  });

  async function untilIdle(session: string): Promise<void> {
    for (let tries = 0; tries < 500; tries += 1) {
      const { running } = (await (await fixture.api(session)).json()) as { running: boolean };
      if (!running) return;
      await sleep(20);
    }
    throw new Error('the run never ended');
  }
});

describe('CLI-08: pages of other sites get nothing', () => {
  test.each([
    ['text/plain with a foreign origin', { 'content-type': 'text/plain', origin: 'http://evil.test' }, 403],
    ['text/plain', { 'content-type': 'text/plain' }, 415],
    ['no content type', { 'content-type': '' }, 415],
    ['the origin null', { origin: 'null' }, 403],
    ['a look-alike origin', { origin: 'http://127.0.0.1.evil.test' }, 403],
    ['no token', { authorization: '' }, 401],
    ['a wrong token', { authorization: 'Bearer nonsense' }, 401],
  ])('%s is refused before anything happens', async (_name, headers, status) => {
    const session = await open([{ text: 'never' }]);
    const answer = await fixture.api(`${session}/messages`, { body: { text: 'hi' }, headers });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(fixture.modelRequests).toHaveLength(0);
  });

  test('events are not for the origin null, and the server listens on loopback alone', async () => {
    const session = await open([{ text: 'never' }]);
    for (const path of [`${session}/events`, session, '/api/sessions']) expect([path, (await fixture.api(path, { headers: { origin: 'null' } })).status]).toEqual([path, 403]);
    expect(new URL(fixture.server.url).hostname).toBe('127.0.0.1');
    expect(await refusesConnections('127.0.0.2', Number(new URL(fixture.server.url).port))).toBe(true);
  });

  test.each([
    ['a foreign host', 'Host: evil.test:PORT\r\n', '1.1'],
    ['a host that begins like ours', 'Host: 127.evil.test:PORT\r\n', '1.1'],
    ['our address with another port', 'Host: 127.0.0.1:1\r\n', '1.1'],
    ['no host at all', '', '1.0'],
  ])('%s is refused', async (_name, host, version) => {
    await open([{ text: 'never' }]);
    const { port } = new URL(fixture.server.url);
    const head = `GET /api/sessions HTTP/${version}\r\n${host.replace('PORT', port)}Authorization: Bearer ${fixture.server.token}\r\nConnection: close\r\n\r\n`;
    expect(await rawStatus(Number(port), head)).toBe(403);
  });

  test('a valid request of our own page works, and the page has a strict policy', async () => {
    const session = await open([{ text: 'yes' }]);
    const events = await readEvents(await fixture.api(`${session}/messages`, { body: { text: 'hi' }, headers: { origin: fixture.server.url } }), finished);
    expect(events.at(-1)?.data).toMatchObject({ text: 'yes' });
    expect(fixture.modelRequests).toHaveLength(1);
    const info = await fixture.api('/api/info');
    expect(info.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    expect(info.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

function rawStatus(port: number, head: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(head));
    let text = '';
    socket.on('data', (chunk) => { text += chunk.toString(); });
    socket.on('end', () => resolve(Number(/^HTTP\/1\.[01] (\d+)/.exec(text)?.[1])));
    socket.on('error', reject);
  });
}

/** Whether nothing listens at that address: a server on every interface would answer at any of the loopback net. */
function refusesConnections(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => (socket.destroy(), resolve(false)));
    socket.on('error', () => resolve(true));
  });
}

describe('CLI-12: abuse', () => {
  test('bodies: too large 413, not JSON 400, wrong fields 400 with the field named', async () => {
    const session = await open([{ text: 'fine' }]);
    expect((await fixture.api(`${session}/messages`, { body: { text: 'x'.repeat(9 * 1024 * 1024) } })).status).toBe(413);
    const long = await fixture.api(`${session}/messages`, { body: { text: 'x'.repeat(5_000_000) } });
    expect([long.status, await long.json()]).toMatchObject([400, { code: 'invalid_body', message: expect.stringMatching(/^text /) }]);
    const broken = await fetch(`${fixture.server.url}${session}/messages`, { method: 'POST', headers: { authorization: `Bearer ${fixture.server.token}`, 'content-type': 'application/json' }, body: '{"text": ' });
    expect([broken.status, await broken.json()]).toMatchObject([400, { code: 'not_json' }]);
    const wrong = await fixture.api(`${session}/messages`, { body: { text: 5, extra: 1 } });
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { code: 'invalid_body', message: expect.stringMatching(/text.*extra|extra.*text/s) }]);
    expect((await readEvents(await fixture.api(`${session}/messages`, { body: { text: 'still there?' } }), finished)).at(-1)?.data).toMatchObject({ text: 'fine' });
  });

  test.each(['/api/sessions/nobody', '/api/sessions/..%2f..%2fx', '/..%2fetc/passwd', '/../etc/passwd', '/api/nothing'])('%s is 404', async (path) => {
    await open([]);
    expect((await fixture.api(path)).status).toBe(404);
  });

  test('a hundred messages to one session at once: one is taken, the others are told that it is busy', async () => {
    const session = await open([{ calls: [{ name: 'wait' }] }]);
    const answers = await Promise.all(Array.from({ length: 100 }, () => fixture.api(`${session}/messages`, { body: { text: 'me' } })));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(99);
    for (const answer of answers) await answer.body?.cancel();
  });

  test('session ids are random and not guessable from each other', async () => {
    await open([]);
    const ids = await Promise.all(Array.from({ length: 20 }, async () => ((await (await fixture.api('/api/sessions', { body: {} })).json()) as { id: string }).id));
    expect(new Set(ids).size).toBe(20);
    expect(ids.every((id) => /^[A-Za-z0-9_-]{12,}$/.test(id))).toBe(true);
  });
});

describe('tools over HTTP', () => {
  test('a call goes through the dispatcher: read is allowed, a write has nobody to ask, wrong arguments are named', async () => {
    await open([]);
    const read = await fixture.api('/api/tools/read_file', { body: { path: 'notes.txt' } });
    expect([read.status, await read.json()]).toMatchObject([200, { success: true, content: expect.stringContaining('first line') }]);
    const write = await fixture.api('/api/tools/write_file', { body: { path: 'x.txt', content: 'x' } });
    expect([write.status, await write.json()]).toMatchObject([403, { code: 'approval_unavailable' }]);
    const wrong = await fixture.api('/api/tools/read_file', { body: { path: 7 } });
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { code: 'invalid_arguments', details: [{ path: 'path' }] }]);
    expect((await fixture.api('/api/tools/nothing', { body: {} })).status).toBe(404);
    expect(existsSync(join(fixture.root, 'x.txt'))).toBe(false);
  });

  test('OpenAPI 3.1 shows every tool with its own schema, and every route', async () => {
    await open([]);
    const page = (await (await fixture.api('/api/openapi.json')).json()) as { openapi: string; paths: Record<string, { post?: { requestBody: { content: Record<string, { schema: { properties: object } }> } } }> };
    expect(page.openapi).toBe('3.1.0');
    expect(Object.keys(page.paths['/api/tools/read_file']?.post?.requestBody.content['application/json']?.schema.properties ?? {})).toEqual(expect.arrayContaining(['path', 'offset', 'limit']));
    expect(Object.keys(page.paths)).toEqual(expect.arrayContaining(['/api/sessions', '/api/sessions/{id}/messages', '/api/sessions/{id}/approvals/{callId}']));
  });
});

describe('many readers', () => {
  test('1,000 idle streams are held, and each hears the next event', async () => {
    const session = await open([{ text: 'to all' }]);
    const streams = await Promise.all(Array.from({ length: 1_000 }, () => fixture.api(`${session}/events`)));
    const reading = Promise.all(streams.map((stream) => readEvents(stream, finished)));
    await readEvents(await fixture.api(`${session}/messages`, { body: { text: 'hello' } }), finished);
    const all = await reading;
    expect(all.filter((events) => events.at(-1)?.event === 'run_finished')).toHaveLength(1_000);
  });

  test('200 sessions at work at once', async () => {
    await open((_request, index) => ({ delayMs: 50, text: `answer ${index}` }));
    const texts = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const { id } = (await (await fixture.api('/api/sessions', { body: {} })).json()) as { id: string };
        return (await readEvents(await fixture.api(`/api/sessions/${id}/messages`, { body: { text: 'go' } }), finished)).at(-1)?.data['text'];
      }),
    );
    expect(texts.filter((text) => typeof text === 'string' && text.startsWith('answer'))).toHaveLength(200);
  });

  test('a reader that does not read is cut off, and the run goes on', async () => {
    const session = await open(() => ({ text: 'y'.repeat(300_000), delivery: { deltaChars: 4_000 } }));
    const { port } = new URL(fixture.server.url);
    const slow = connect(Number(port), '127.0.0.1');
    const isCut = new Promise<void>((resolve) => slow.on('close', () => resolve()));
    slow.on('error', () => undefined);
    slow.write(`GET ${session}/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${fixture.server.token}\r\n\r\n`);
    slow.pause();
    await sleep(100);
    for (let message = 0; message < 40; message += 1) {
      const events = await readEvents(await fixture.api(`${session}/messages`, { body: { text: 'go' } }), finished);
      expect(events.at(-1)?.data).toMatchObject({ status: 'completed' });
    }
    slow.resume();
    await isCut;
  });
});
