// Sessions on a real disk: what is written, what survives damage, who may write.
import { afterAll, describe, expect, test } from '@jest/globals';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { ToolRegistry } from '@haft/core';
import { fakeTool, noServices } from '@haft/core/testing';
import { collect, contentText, handMade, toolMessages } from '../../test/kit.js';
import { type Message, SessionError, SessionStore, type UserMessage, createAgent, repairHistory } from '../index.js';
import { scriptedModel } from '../testing/scripted-model.js';

const root = mkdtempSync(join(tmpdir(), 'haft-sessions-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
const newStore = () => SessionStore.open(join(root, `store-${(count += 1)}`));
const user = (text: string): UserMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const echo = { run: ({ text }: Record<string, unknown>) => text };
const talk = (call: string) => scriptedModel([{ calls: [{ name: 'echo', arguments: { text: call } }] }, { text: `said ${call}` }]);

async function stored(store: SessionStore, messages: readonly Message[]): Promise<string> {
  const session = store.create();
  await session.adopt(messages);
  await session.close();
  return session.id;
}

test('a conversation comes back as it was, and goes on', async () => {
  const store = newStore();
  const session = store.create({ cwd: '/somewhere' });
  const first = createAgent({ ...handMade(talk('one'), { echo }), session });
  const { result } = await collect(first.run('please'));
  await first.dispose();

  const again = store.load(session.id);
  expect(again.messages).toEqual(result.messages);
  expect(again.unfinished).toBeUndefined();
  expect(again.usage).toEqual({ input: 20, output: 10 });
  const model = talk('two');
  const second = createAgent({ ...handMade(model, { echo }), session: again });
  await collect(second.run('more'));
  await second.dispose();
  expect(model.requests[0]?.messages).toEqual([...result.messages, user('more')]);
  expect(store.read(session.id).messages).toHaveLength(8);
});

test('a session that was never used leaves nothing behind', async () => {
  const store = newStore();
  await store.create().close();
  expect(readdirSync(store.folder)).toEqual([]);
});

test('SESS-02: a bad line in the middle is reported with its number; everything else is kept and the next request is valid', async () => {
  const call = (id: string): Message => ({ role: 'assistant', parts: [{ type: 'tool_call', id, name: 'echo', arguments: '{}' }] });
  const answer = (callId: string): Message => ({ role: 'tool', callId, tool: 'echo', status: 'success', content: [{ type: 'text', text: callId }] });
  const messages = [user('1'), call('a'), answer('a'), call('b'), answer('b'), call('c'), answer('c'), user('2'), call('d'), answer('d'), user('3'), user('4')];
  for (const garbage of [Buffer.alloc(300), Buffer.from('garbage'), Buffer.from('{"t":"message","message":{"role":"x"}}')]) {
    const store = newStore();
    const id = await stored(store, messages);
    const path = join(store.folder, `${id}.jsonl`);
    const lines = readFileSync(path, 'utf8').split('\n');
    // Line 1 is the header: line 5 holds the call `b`.
    writeFileSync(path, Buffer.concat([Buffer.from(`${lines.slice(0, 4).join('\n')}\n`), garbage, Buffer.from(`\n${lines.slice(5).join('\n')}`)]));
    const before = statSync(path).size;
    const session = store.load(id);
    expect(session.messages).toHaveLength(11);
    expect(session.problems).toMatchObject([{ line: 5 }]);
    const model = scriptedModel([{ text: 'ok' }]);
    const { events } = await collect(createAgent({ ...handMade(model, { echo }), session }).run('go on'));
    expect(events.map((event) => event.type)).toContain('history_repaired');
    expect(repairHistory([...(model.requests[0]?.messages ?? [])]).repairs).toEqual([]);
    await session.close();
    expect(statSync(path).size).toBeGreaterThan(before);
    expect(readFileSync(path).includes(garbage)).toBe(true);
  }
});

test('a torn last line is dropped, the next record begins on a line of its own', async () => {
  const store = newStore();
  const id = await stored(store, [user('1'), user('2')]);
  appendFileSync(join(store.folder, `${id}.jsonl`), '{"t":"message","message":{"role":"user","content":[{"ty');
  const session = store.load(id);
  expect(session.problems).toEqual([{ line: 4, reason: 'cut off in the middle of a write' }]);
  await session.adopt([user('3')]);
  await session.close();
  expect(store.read(id).messages).toEqual([user('1'), user('2'), user('3')]);
});

test('cut at any byte, the file keeps every record that was written whole', async () => {
  const store = newStore();
  const messages = ['eins', 'zwei – ü', '三', 'vier \u{1F600}'].map(user);
  const id = await stored(store, messages);
  const path = join(store.folder, `${id}.jsonl`);
  const whole = readFileSync(path);
  for (let end = 0; end <= whole.length; end += 1) {
    writeFileSync(path, whole.subarray(0, end));
    // A record is whole when all of its JSON is there, even without the line's end.
    const lines = whole.subarray(0, end).toString('latin1').split('\n').length - 1 + (whole[end] === 0x0a ? 1 : 0);
    expect(store.read(id).messages).toEqual(messages.slice(0, Math.max(0, lines - 1)));
  }
});

test('SESS-03: U+2028, U+2029, U+0085, carriage returns and lone surrogates make the round trip exactly', async () => {
  const store = newStore();
  const awkward = 'a\u2028b\u2029c\u0085d\r\ne\rf\ud800g\u0000h\u{1F600}';
  const messages: Message[] = [
    user(awkward),
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'x', name: 'echo', arguments: JSON.stringify({ text: awkward }) }] },
    { role: 'tool', callId: 'x', tool: 'echo', status: 'success', content: [{ type: 'text', text: awkward }] },
  ];
  expect(store.read(await stored(store, messages)).messages).toEqual(messages);
  await fc.assert(fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }), async (texts) => {
    const some = texts.map(user);
    expect(store.read(await stored(store, some)).messages).toEqual(some);
  }), { numRuns: 30 });
});

test('a value above 256 KB is kept apart, and a damaged one is reported, not trusted', async () => {
  const store = newStore();
  const huge = 'x'.repeat(300_000);
  const session = store.create();
  const agent = createAgent({ ...handMade(talk('huge'), { echo: { run: () => huge } }), session });
  const { result } = await collect(agent.run('please'));
  await agent.dispose();
  const blobs = join(store.folder, `${session.id}.blobs`);
  const [blob] = readdirSync(blobs);
  expect(store.read(session.id).messages).toEqual(result.messages);
  expect(readFileSync(join(store.folder, `${session.id}.jsonl`), 'utf8').split('\n').every((line) => line.length < 300_000)).toBe(true);
  writeFileSync(join(blobs, blob!), 'y');
  const damaged = store.read(session.id);
  expect(damaged.problems).toMatchObject([{ reason: expect.stringContaining('missing or damaged') }]);
  expect(toolMessages(damaged.messages)).toMatchObject([{ status: 'cancelled' }]);
});

describe('locking', () => {
  const lockOf = (store: SessionStore, id: string) => join(store.folder, `${id}.lock`);

  test('SESS-04: a second opening is refused by name while the first is open, and works after it', async () => {
    const store = newStore();
    const id = await stored(store, [user('1')]);
    const first = store.load(id);
    expect(() => store.load(id)).toThrow(expect.objectContaining({ code: 'session_locked', message: expect.stringContaining(`process ${process.pid}`) }));
    expect(() => store.remove(id)).toThrow(SessionError);
    const fork = await store.fork(id);
    expect(fork.messages).toEqual([user('1')]);
    await fork.close();
    await first.close();
    await store.load(id).close();
    expect(readdirSync(store.folder).filter((name) => name.includes('.lock'))).toEqual([]);
  });

  test.each([
    ['of a process that is gone', { pid: 2 ** 22 - 3, start: '1', host: hostname(), token: 'x' }],
    ['of a reused process id', { pid: process.pid, start: '1', host: hostname(), token: 'x' }],
    ['torn by a crash', undefined],
  ])('a lock %s is taken over without a hand', async (_name, owner) => {
    const store = newStore();
    const id = await stored(store, [user('1')]);
    writeFileSync(lockOf(store, id), owner === undefined ? '{"pi' : JSON.stringify(owner));
    const session = store.load(id);
    expect(JSON.parse(readFileSync(lockOf(store, id), 'utf8'))).toMatchObject({ pid: process.pid });
    await session.close();
    expect(existsSync(lockOf(store, id))).toBe(false);
  });

  test('a lock of another machine is respected', async () => {
    const store = newStore();
    const id = await stored(store, [user('1')]);
    writeFileSync(lockOf(store, id), JSON.stringify({ pid: 1, start: '1', host: 'elsewhere', token: 'x' }));
    expect(() => store.load(id)).toThrow('in use by process 1 on elsewhere');
  });
});

test('SESS-10: the folder and its files are private, and no id leads outside', async () => {
  const before = process.umask(0o022);
  try {
    const store = newStore();
    const session = store.create();
    const agent = createAgent({ ...handMade(talk('x'), { echo: { run: () => 'x'.repeat(300_000) } }), session });
    await collect(agent.run('please'));
    const modes = readdirSync(store.folder, { recursive: true, encoding: 'utf8' }).map((name) => [name, statSync(join(store.folder, name))] as const);
    expect(modes).toHaveLength(4);
    for (const [, stat] of modes) expect(stat.mode & 0o777).toBe(stat.isDirectory() ? 0o700 : 0o600);
    expect(statSync(store.folder).mode & 0o777).toBe(0o700);
    await agent.dispose();
    for (const id of ['../../x', '..', '', 'a/b', '/etc/passwd', 'a\0b', '.hidden', 'x'.repeat(65)]) {
      expect(() => store.create({ id })).toThrow(expect.objectContaining({ code: 'invalid_session_id' }));
      expect(() => store.load(id)).toThrow(expect.objectContaining({ code: 'invalid_session_id' }));
    }
  } finally {
    process.umask(before);
  }
});

test('list, latest, titles, search, fork, export and remove', async () => {
  const store = newStore();
  const runIn = async (cwd: string, prompt: string, text: string) => {
    const session = store.create({ cwd });
    const agent = createAgent({ ...handMade(talk(text), { echo }), session });
    await collect(agent.run(prompt));
    await agent.dispose();
    return session.id;
  };
  const one = await runIn('/a', 'Find the   needle\nin here', 'The NEEDLE is blue');
  const two = await runIn('/b', 'something else', 'nothing');
  expect(store.list().map(({ id, title, cwd, model }) => ({ id, title, cwd, model }))).toEqual(expect.arrayContaining([
    { id: one, title: 'Find the needle in here', cwd: '/a', model: 'scripted:scripted-model' },
    { id: two, title: 'something else', cwd: '/b', model: 'scripted:scripted-model' },
  ]));
  expect(store.latest('/a')?.id).toBe(one);
  expect(store.search('needle is').map(({ sessionId, message, role }) => ({ sessionId, message, role }))).toEqual([
    { sessionId: one, message: 1, role: 'assistant' }, { sessionId: one, message: 2, role: 'tool' }, { sessionId: one, message: 3, role: 'assistant' },
  ]);
  const fork = await store.fork(one, { upTo: 1 });
  expect(fork.messages).toEqual([user('Find the   needle\nin here')]);
  await fork.close();
  expect(store.list().find(({ id }) => id === fork.id)?.from).toBe(one);
  const named = store.load(one);
  await named.setTitle('Needles');
  await named.close();
  expect(store.list().find(({ id }) => id === one)?.title).toBe('Needles');
  expect(store.export(one, 'markdown')).toContain('### Result of echo: success\n\n```\nThe NEEDLE is blue\n```');
  expect((JSON.parse(store.export(one, 'json')) as { messages: unknown }).messages).toEqual(store.read(one).messages);
  expect(store.export(one, 'jsonl').split('\n')[0]).toContain('"t":"session"');
  store.remove(two);
  expect(() => store.read(two)).toThrow(expect.objectContaining({ code: 'session_not_found' }));
});

test('what cannot be a session file is refused with its cause, and the list goes on without it', async () => {
  const store = newStore();
  const id = await stored(store, [user('1')]);
  mkdirSync(join(store.folder, 'folder.jsonl'));
  expect(() => store.load('folder')).toThrow(expect.objectContaining({ code: 'session_unreadable', message: expect.stringContaining('EISDIR') }));
  expect(existsSync(join(store.folder, 'folder.lock'))).toBe(false);
  expect(store.list().map((session) => session.id)).toContain(id);
  writeFileSync(join(store.folder, 'newer.jsonl'), '{"t":"session","v":2,"id":"newer","at":"2030-01-01T00:00:00.000Z"}\n');
  expect(store.search('1')).toHaveLength(1);
  expect(() => store.load('newer')).toThrow(expect.objectContaining({ code: 'session_unreadable', message: expect.stringContaining('newer version') }));
});

test('RETRY-11: a prompt that the provider refused for itself stays in the file but is not sent again', async () => {
  const store = newStore();
  const session = store.create();
  const model = scriptedModel([{ fault: { kind: 'status', status: 400 } }, { text: 'fine' }]);
  const agent = createAgent({ ...handMade(model, {}), session });
  await collect(agent.run('poison'));
  await agent.dispose();
  const again = store.load(session.id);
  await collect(createAgent({ ...handMade(model, {}), session: again }).run('hello'));
  await again.close();
  expect(model.requests[1]?.messages).toEqual([user('hello')]);
  expect(store.export(session.id, 'jsonl')).toContain('poison');
});

test.each([400, 413])('READ-10, RETRY-11: an image that the provider refuses (%d) is not sent again, in this process or the next; the file keeps it', async (status) => {
  const store = newStore();
  const session = store.create();
  const registry = new ToolRegistry();
  registry.register(fakeTool({ name: 'read' }, () => ({ type: 'image', mediaType: 'image/png', data: 'iVBORw0=' })), 'test');
  const refusal = { fault: { kind: 'status' as const, status, message: 'Could not process image' } };
  const model = scriptedModel([{ calls: [{ name: 'read' }] }, refusal, { text: 'fine' }, { text: 'fine again' }]);
  const agent = createAgent({ model, registry, services: noServices, session });
  expect((await collect(agent.run('look'))).result).toMatchObject({ status: 'failed', turns: 1 });
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('iVBORw0=');
  const { result } = await collect(agent.run('and now?'));
  expect(result.text).toBe('fine');
  await agent.dispose();
  const again = store.load(session.id);
  expect(again.messages).toEqual(result.messages);
  await collect(createAgent({ model, registry, services: noServices, session: again }).run('and then?'));
  await again.close();
  expect(model.requests).toHaveLength(4);
  for (const { messages } of model.requests.slice(2)) {
    expect(JSON.stringify(messages)).not.toContain('iVBORw0=');
    expect(contentText(toolMessages(messages)[0]!)).toMatch(/image\/png.*left out.*refused/);
  }
  expect(JSON.stringify(store.read(session.id).messages)).toContain('iVBORw0=');
});

test('RETRY-10: a prompt that failed and is sent again is in the conversation once, in the file twice', async () => {
  const store = newStore();
  const model = scriptedModel([{ fault: { kind: 'status', status: 401 } }, { text: 'fine' }]);
  const session = store.create();
  const agent = createAgent({ ...handMade(model, {}), session });
  await collect(agent.run('hello'));
  const { result } = await collect(agent.run('hello'));
  await agent.dispose();
  const again = store.load(session.id);
  expect(again.messages).toEqual(result.messages);
  expect(again.messages).toHaveLength(2);
  await again.close();
  expect(store.read(session.id).messages).toHaveLength(3);
});

test('PROT-07: an interrupted turn gets explicit results for what is missing; the finished result is kept', async () => {
  const store = newStore();
  const calls: Message = { role: 'assistant', parts: ['a', 'b', 'c'].map((id) => ({ type: 'tool_call', id, name: 'echo', arguments: '{}' })) };
  const id = await stored(store, [user('go'), calls, { role: 'tool', callId: 'b', tool: 'echo', status: 'success', content: [{ type: 'text', text: 'finished b' }] }]);
  const model = scriptedModel([{ text: 'ok' }]);
  const session = store.load(id);
  await collect(createAgent({ ...handMade(model, { echo }), session }).run('continue'));
  await session.close();
  const results = toolMessages(model.requests[0]?.messages ?? []);
  expect(results.map(({ callId, status }) => [callId, status])).toEqual([['a', 'unknown'], ['b', 'success'], ['c', 'unknown']]);
  expect(contentText(results[1]!)).toBe('finished b');
  expect(contentText(results[0]!)).toContain('Interrupted');
});
