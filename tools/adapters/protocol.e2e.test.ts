// What goes over the wire, in each format: pairing, ids, names, content, and what a provider gave that must come back.
import { getEventListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type AssistantMessage, type FileSession, type Message, SessionStore, type ToolMessage, createAgent, memorySession } from '../../packages/agent/dist/index.js';
import { type ModelServer, type Script, type ScriptedTurn, collectTurn, startModelServer } from '../../packages/agent/dist/testing/index.js';
import { type ToolDefinition, ToolRegistry, createDispatcher, tool } from '../../packages/core/dist/index.js';
import { openai } from '../../packages/openai/dist/index.js';
import { type Observed, type Way, KEY, adapter, runAgent, ways } from './kit.js';

const streamed = ways.filter((way) => way.stream);
const done: ScriptedTurn = { text: 'done' };
const note = (text: string, id?: string) => ({ name: 'note', arguments: { text }, ...(id === undefined ? {} : { id }) });
const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const calling = (...ids: string[]): AssistantMessage => ({ role: 'assistant', parts: ids.map((id) => ({ type: 'tool_call', id, name: 'note', arguments: '{"text":"x"}' })) });
const answer = (callId: string, text: string): ToolMessage => ({ role: 'tool', callId, tool: 'note', status: 'success', content: [{ type: 'text', text }] });
const named = (name: string): ToolDefinition => ({ name, description: name, parameters: { type: 'object', properties: {} } }) as unknown as ToolDefinition;

interface WireResult {
  id: string;
  text: string;
  error?: boolean;
}

/** The results of a request, whatever its format. */
function resultsOf({ api, body }: ModelServer['requests'][number]): WireResult[] {
  const items = (api === 'responses' ? body.input : body.messages) as Record<string, unknown>[];
  if (api === 'chat') return items.flatMap((item) => (item.role === 'tool' ? [{ id: String(item.tool_call_id), text: item.content as string }] : []));
  if (api === 'responses') return items.flatMap((item) => (item.type === 'function_call_output' ? [{ id: String(item.call_id), text: flat(item.output) }] : []));
  return items.flatMap((item) => (item.content as Record<string, unknown>[]).flatMap((block) => (block.type === 'tool_result' ? [{ id: String(block.tool_use_id), text: flat(block.content), error: block.is_error === true }] : [])));
}

const flat = (content: unknown): string => (typeof content === 'string' ? content : (content as { text?: string }[]).map((part) => part.text ?? '').join(''));
const refusals = ({ server }: Observed) => server.requests.flatMap((request) => request.refused ?? []);

async function ask(way: Way, messages: Message[], tools: ToolDefinition[] = [], script: ScriptedTurn[] = [done]) {
  const server = await startModelServer(script);
  try {
    const turn = await collectTurn(adapter(way, server.url), { messages, tools });
    return { turn, request: server.requests.at(-1)! };
  } finally {
    await server.close();
  }
}

describe.each(ways)('$api, stream: $stream', (way) => {
  test('PROT-03: arguments that are no JSON object run nothing, and every call gets its one result', async () => {
    const texts = ['[1]', '"x"', '```json\n{"text":"y"}\n```', '{"text":"a"}{"text":"b"}', '{"text":"a"} trailing', "{text:'a'}"];
    const seen = await runAgent(way, [{ calls: texts.map((text, index) => ({ id: `c${index}`, name: 'note', arguments: text })) }, done]);
    expect(seen.result.toolCalls).toHaveLength(6);
    expect(seen.ran.filter((text) => text !== 'y')).toEqual([]);
    const results = resultsOf(seen.server.requests[1]!);
    expect(results).toHaveLength(6);
    expect(new Set(results.map((result) => result.id)).size).toBe(6);
    expect(refusals(seen)).toEqual([]);
  });

  test('arguments nested deeper than any object can be sent: the model is told, and the conversation goes on', async () => {
    // The scripted server can write no deeper object than this.
    const levels = way.api === 'messages' && !way.stream ? 1_000 : 100_000;
    const deep = `{"text":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const seen = await runAgent(way, [{ calls: [{ name: 'note', arguments: deep }] }, done]);
    expect(seen.result.toolCalls.map(({ result }) => result.code)).toEqual(['invalid_arguments']);
    expect(seen.result).toMatchObject({ status: 'completed', text: 'done' });
    expect(refusals(seen)).toEqual([]);
  });

  test('an old image is named in words to a model that cannot read it: from the start where that is known, once refused where not', async () => {
    const said = 'Invalid content type. image_url is only supported by certain models.';
    const blind = ({ body }: { body: unknown }): ScriptedTurn => (JSON.stringify(body).includes('aW1hZ2U=') ? { fault: { kind: 'status', status: 400, message: said } } : { text: 'done' });
    const image = { type: 'image' as const, mediaType: 'image/png', data: 'aW1hZ2U=' };
    const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'look' }, image] }, calling('r1'), { ...answer('r1', 'here'), content: [image] }, { role: 'assistant', parts: [{ type: 'text', text: 'a cat' }] }];
    for (const [images, requests] of [[false, 1], [undefined, 2]] as const) {
      const server = await startModelServer(blind);
      const model = adapter(way, server.url, {}, images);
      const agent = createAgent({ model, registry: new ToolRegistry(), retry: { baseMs: 2 }, session: memorySession({ messages: [...messages] }) });
      const run = agent.run('and now?');
      let next = await run.next();
      while (next.done !== true) next = await run.next();
      expect(next.value).toMatchObject({ status: 'completed', text: 'done' });
      expect(server.requests).toHaveLength(requests);
      expect(JSON.stringify(server.requests.at(-1)!.body)).toMatch(/image\/png, 1 KB\) sent by the user.*image\/png, 1 KB\) returned by note/);
      await agent.dispose();
      await server.close();
    }
  });

  test('PROT-06: ids reused between turns and within one: as many results as calls, in order, ids unique', async () => {
    const seen = await runAgent(way, [{ calls: [note('t1', 'call_0')] }, { calls: [note('t2', 'call_0')] }, { calls: [note('x', 'd'), note('y', 'd')] }, done]);
    expect(seen.ran).toEqual(['t1', 't2', 'x', 'y']);
    const results = resultsOf(seen.server.requests[3]!);
    expect(results.map((result) => result.text)).toEqual(['noted t1', 'noted t2', 'noted x', 'noted y']);
    expect(new Set(results.map((result) => result.id)).size).toBe(4);
    expect(refusals(seen)).toEqual([]);
  });

  test('PROT-05: an empty id from the server gets one of ours, the same in call and result', async () => {
    const seen = await runAgent(way, [{ calls: [note('A', ''), note('B', '')] }, done]);
    expect(seen.ran).toEqual(['A', 'B']);
    expect(resultsOf(seen.server.requests[1]!).map((result) => result.text)).toEqual(['noted A', 'noted B']);
    expect(refusals(seen)).toEqual([]);
  });

  test('PROT-10: one good, one failing, one slow, one unknown call: results in order, failures marked', async () => {
    const more = [
      tool({ name: 'boom', description: 'Fails.', scopes: [] }, () => { throw new Error('boom'); }),
      tool({ name: 'slow', description: 'Too slow.', scopes: [], timeoutMs: 30 }, () => new Promise((resolve) => setTimeout(resolve, 2000).unref())),
      tool({ name: 'secret', description: 'Writes.', scopes: ['write'] }, () => 'never'),
    ];
    const calls = [note('A'), { name: 'boom' }, { name: 'slow' }, { name: 'secret' }, { name: 'nope' }];
    const seen = await runAgent(way, [{ calls }, done], { tools: more });
    expect(seen.result.toolCalls.map(({ result }) => result.code ?? result.status)).toEqual(['success', 'execution_failed', 'timeout', 'approval_unavailable', 'unknown_tool']);
    const results = resultsOf(seen.server.requests[1]!);
    expect(results).toHaveLength(5);
    if (way.api === 'messages') expect(results.map((result) => result.error)).toEqual([false, true, true, true, true]);
    expect(seen.server.requests).toHaveLength(2);
  });

  test('PROT-11: hostile tool names are unknown tools, and the history with them is still legal', async () => {
    const names = ['constructor', '__proto__', 'toString', 'Note', 'functions.note', 'a b/c', '读取'];
    const seen = await runAgent(way, [{ calls: names.map((name) => ({ name })) }, done]);
    expect(seen.result.toolCalls.map(({ result }) => result.code)).toEqual(names.map(() => 'unknown_tool'));
    expect(seen.ran).toEqual([]);
    expect(seen.result.status).toBe('completed');
    expect(refusals(seen)).toEqual([]);
  });

  test('PROT-12: names outside a provider\'s alphabet are mapped one to one and back', async () => {
    const long = 'n'.repeat(79);
    const names = ['fs.read', 'fs_read', 'fs/read', '读取', '写入', `${long}a`, `${long}b`];
    const tools = names.map(named);
    const { request } = await ask(way, [user('go')], tools);
    const shown = (request.body.tools as { name?: string; function?: { name: string } }[]).map((made) => made.function?.name ?? made.name ?? '');
    expect(new Set(shown).size).toBe(names.length);
    expect(shown.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true);
    const { turn } = await ask(way, [user('go')], tools, [{ calls: shown.map((name) => ({ name })) }]);
    expect(turn.message.parts.flatMap((part) => (part.type === 'tool_call' ? [part.name] : []))).toEqual(names);
  });

  test('PROT-15: "tool calls" without a call is asked again once, then the run says that nothing came', async () => {
    const empty: ScriptedTurn = { finish: 'tool_calls', text: '', calls: [] };
    const seen = await runAgent(way, [empty, empty, empty, empty]);
    expect(seen.server.requests.length).toBeLessThanOrEqual(2);
    expect(seen.result).toMatchObject({ status: 'failed', error: { code: 'empty_answer' } });
  });

  test('SCH-13: a 400 that blames a tool by its place says its name', async () => {
    const seen = await runAgent(way, [{ fault: { kind: 'status', status: 400, message: 'tools.0.input_schema: not this' } }]);
    expect(seen.result.error?.message).toContain('tools.0 (note).input_schema');
  });

  test('PROT-19: empty, odd and image results become legal content', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const values: Record<string, unknown> = { empty: '', undef: undefined, nul: null, zero: 0, no: false, big: { a: 1n }, circular, buffer: Buffer.from('bytes') };
    const tools = Object.entries(values).map(([name, value]) => tool({ name, description: name, scopes: [] }, () => value));
    const image = Object.assign({}, tool({ name: 'image', description: 'An image.', scopes: [] }, () => 'x'), {
      instantiate: () => ({ execute: () => 'x', toModel: () => [{ type: 'image' as const, mediaType: 'image/png', data: png }] }),
    }) as ToolDefinition;
    const names = [...Object.keys(values), 'image'];
    const seen = await runAgent(way, [{ calls: names.map((name) => ({ name })) }, done], { tools: [...tools, image] });
    expect(refusals(seen)).toEqual([]);
    expect(seen.result.status).toBe('completed');
    expect(resultsOf(seen.server.requests[1]!)).toHaveLength(9);
    expect(JSON.stringify(seen.server.requests[1]!.body)).toContain(png);
  });
});

describe.each(streamed)('$api', (way) => {
  test('PROT-07: missing results are filled as interrupted, finished ones are kept', async () => {
    const { request } = await ask(way, [user('go'), calling('r1', 'r2', 'r3'), answer('r2', 'second is here'), user('continue')]);
    expect(request.refused).toBeUndefined();
    const results = resultsOf(request);
    expect(results.map((result) => result.text.slice(0, 14))).toEqual(['Interrupted: t', 'second is here', 'Interrupted: t']);
    if (way.api === 'messages') expect(results.map((result) => result.error)).toEqual([true, false, true]);
  });

  test('PROT-07: a result that was stored late, twice or without a call never breaks the request', async () => {
    const history = [user('go'), calling('a', 'b'), answer('b', 'B'), user('meanwhile'), answer('a', 'A'), answer('ghost', 'kept as a note'), calling('c'), answer('c', 'C')];
    const { request } = await ask(way, [...history, user('continue')]);
    expect(request.refused).toBeUndefined();
    expect(resultsOf(request).map((result) => result.text)).toEqual(['A', 'B', 'C']);
    expect(JSON.stringify(request.body)).toContain('kept as a note');
  });

  test('half a surrogate pair, as a cut text ends in, does not make the request illegal; an escape that was written stays', async () => {
    const cut = '👍'.slice(0, 1);
    const { request } = await ask(way, [user(`cut ${cut}`), calling('a'), answer('a', `${cut} and \\ud83d and \\\\ud83d`), user('👍 whole')]);
    expect(request.refused).toBeUndefined();
    const text = JSON.stringify(request.body);
    expect(text).toContain('cut \ufffd"');
    expect(text).toContain(JSON.stringify('\ufffd and \\ud83d and \\\\ud83d').slice(1, -1));
    expect(text).toContain('👍 whole');
  });

  test('PROT-08: results of parallel calls: own messages with their ids, or one message with all of them first', async () => {
    const { request } = await ask(way, [user('go'), calling('a', 'b'), answer('a', '1'), answer('b', '2'), user('and now?')]);
    expect(request.refused).toBeUndefined();
    if (way.api === 'messages') {
      const last = (request.body.messages as { role: string; content: { type: string }[] }[]).at(-1);
      expect(last?.content.map((block) => block.type)).toEqual(['tool_result', 'tool_result', 'text']);
    } else expect(resultsOf(request)).toHaveLength(2);
  });

  test('a conversation goes on with another provider: calls, results and text as they were, nothing of the other\'s own', async () => {
    const first = await runAgent(way, [{ reasoning: 'secret thought', text: 'I note it.', calls: [note('A', 'toolu:odd.id')] }, { text: 'noted' }]);
    for (const other of streamed) {
      const { request } = await ask(other, [...first.result.messages, user('go on')], [named('note')]);
      expect(request.refused).toBeUndefined();
      expect(resultsOf(request).map((result) => result.text)).toEqual(['noted A']);
      const text = JSON.stringify(request.body);
      expect(text).toContain('I note it.');
      if (other.api !== way.api) expect(text).not.toMatch(/secret thought|sig-0|enc-0|"opaque"/);
    }
  });

  test('the same history gives the same bytes again, and a longer one begins with them', async () => {
    const bodies: string[] = [];
    for (const tail of [[], [], [answer('b', '2'), user('more')]]) {
      const { request } = await ask(way, [user('go'), calling('a'), answer('a', '1'), { ...calling('b'), finish: 'tool_calls' }, ...tail], [named('note')]);
      bodies.push(JSON.stringify((request.body.messages ?? request.body.input) as object).replaceAll(',"cache_control":{"type":"ephemeral"}', ''));
    }
    expect(bodies[1]).toBe(bodies[0]);
    const shared = bodies[0]!.slice(0, bodies[0]!.indexOf('"Interrupted'));
    expect(bodies[2]!.startsWith(shared)).toBe(true);
  });

  test('what is cancelled is cancelled: an abort in mid-stream ends at once with its code', async () => {
    const controller = new AbortController();
    const server = await startModelServer(() => {
      setTimeout(() => controller.abort(), 50);
      return { text: 'long '.repeat(50), fault: { kind: 'silence', afterBytes: 600 } };
    });
    try {
      await expect(collectTurn(adapter(way, server.url), { messages: [user('go')] }, controller.signal)).rejects.toMatchObject({ code: 'cancelled', retryable: false });
      await expect(collectTurn(adapter(way, server.url), { messages: [user('go')] }, controller.signal)).rejects.toMatchObject({ code: 'cancelled' });
      expect(server.requests).toHaveLength(1);
    } finally {
      await server.close();
    }
  });
});

describe('what a loop makes of it', () => {
  test('a call that Groq refused itself comes back as a call, is refused by us, and the run goes on', async () => {
    const failed_generation = '{"name": "note", "arguments": {"txt": "A"}}';
    const body = JSON.stringify({ error: { message: 'Tool call validation failed', type: 'invalid_request_error', code: 'tool_use_failed', failed_generation } });
    const seen = await runAgent({ api: 'chat', stream: true }, [{ fault: { kind: 'status', status: 400, body } }, { calls: [note('A')] }, done]);
    expect(seen.result.toolCalls.map(({ result }) => result.code ?? 'ok')).toEqual(['invalid_arguments', 'ok']);
    expect(seen.result).toMatchObject({ status: 'completed', text: 'done' });
    expect(refusals(seen)).toEqual([]);
  });

  test.each(streamed.filter((way) => way.api === 'messages'))('a paused turn is asked to go on, and a call in the second half runs once', async (way) => {
    const seen = await runAgent(way, [{ text: 'Half. ', finish: 'pause' }, { text: 'Rest.', calls: [note('A')] }, done]);
    expect(seen.ran).toEqual(['A']);
    expect(seen.result.status).toBe('completed');
    expect(refusals(seen)).toEqual([]);
  });

  test.each(ways)('a refusal is an outcome of its own ($api, stream: $stream)', async (way) => {
    const seen = await runAgent(way, [{ text: 'I will not.', finish: 'refusal' }]);
    expect(seen.result).toMatchObject({ status: 'failed', error: { code: 'refusal' } });
    expect(seen.server.requests).toHaveLength(1);
  });
});

describe.each(ways)('$api, stream: $stream: a long run', (way) => {
  test('leaves no listener on the run\'s signal', async () => {
    const server = await startModelServer(() => done);
    const { signal } = new AbortController();
    try {
      for (let turn = 0; turn < 12; turn += 1) await collectTurn(adapter(way, server.url), { messages: [user('go')] }, signal);
    } finally {
      await server.close();
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

describe('reasoning_content of compatible servers', () => {
  const thinking: ScriptedTurn[] = [{ reasoning: 'because', calls: [note('A')] }, { reasoning: '', calls: [note('B')] }, done];

  /** Refuses a request whose assistant messages with calls have lost their reasoning. */
  const demanding: Script = (request, index) => {
    const messages = (request.body as { messages: Record<string, unknown>[] }).messages;
    const lost = messages.some((message) => message.role === 'assistant' && message.tool_calls !== undefined && typeof message.reasoning_content !== 'string');
    return lost ? { fault: { kind: 'status', status: 400, message: 'The reasoning_content in the thinking mode must be passed back to the API.' } } : thinking[index]!;
  };

  async function run(profile: 'deepseek' | 'openai', stream: boolean) {
    const server = await startModelServer(profile === 'deepseek' ? demanding : thinking);
    const model = openai({ model: 'm', apiKey: KEY, baseURL: server.openaiBaseURL, profile, stream });
    const messages: Message[] = [user('go')];
    for (let turn = 0; turn < 3; turn += 1) {
      const { message } = await collectTurn(model, { messages, tools: [named('note')] });
      messages.push(message, ...message.parts.flatMap((part) => (part.type === 'tool_call' ? [answer(part.id, 'ok')] : [])));
    }
    await server.close();
    return server.requests.map((request) => (request.body.messages as Record<string, unknown>[]).filter((message) => message.role === 'assistant').map((message) => message.reasoning_content));
  }

  test.each([true, false])('PROT-18: goes back to a server whose profile asks for it, empty too (stream: %p)', async (stream) => {
    expect(await run('deepseek', stream)).toEqual([[], ['because'], ['because', '']]);
  });

  test('PROT-18: goes back also with the next prompt, after the session was closed and loaded again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'haft-reasoning-'));
    const store = SessionStore.open(folder);
    const server = await startModelServer((request, index) => (index === 2 ? { text: 'rest' } : index === 3 ? demanding(request, 2) : demanding(request, index)));
    const registry = new ToolRegistry();
    registry.register(tool({ name: 'note', description: 'Notes.', scopes: [], parameters: { type: 'object', properties: { text: { type: 'string' } } } }, () => 'noted'), 'test');
    const ask = async (session: FileSession) => {
      const agent = createAgent({ model: openai({ model: 'm', apiKey: KEY, baseURL: server.openaiBaseURL, profile: 'deepseek' }), registry, dispatcher: createDispatcher({ registry }), session });
      for await (const event of agent.run('go')) if (event.type === 'run_finished') expect(event).toMatchObject({ status: 'completed' });
      await agent.dispose();
    };
    try {
      const session = store.create();
      await ask(session);
      await ask(store.load(session.id));
      const sent = server.requests.at(-1)?.body.messages as Record<string, unknown>[];
      expect(sent.filter((message) => message.tool_calls !== undefined).map((message) => message.reasoning_content)).toEqual(['because', '']);
    } finally {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test.each([true, false])('PROT-18: is never sent to OpenAI itself (stream: %p)', async (stream) => {
    expect(await run('openai', stream)).toEqual([[], [undefined], [undefined, undefined]]);
  });
});
