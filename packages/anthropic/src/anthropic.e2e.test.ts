// The Anthropic adapter over real HTTP, against a server that is as strict as the real one.
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Message, ModelAdapter } from '@haft/agent';
import { type ModelServer, type Script, collectTurn, startModelServer } from '@haft/agent/testing';
import type { ToolDefinition } from '@haft/core';
import { anthropic } from './index.js';

let server: ModelServer;
afterEach(() => server.close());

function tool(name: string): ToolDefinition {
  const parameters = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false };
  return { name, description: `The tool ${name}.`, parameters } as unknown as ToolDefinition;
}

const tools = [tool('echo'), tool('read_file')];
const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const result = (callId: string, text: string): Message => ({ role: 'tool', callId, tool: 'echo', status: 'success', content: [{ type: 'text', text }] });

async function serve(script: Script, options: Partial<Parameters<typeof anthropic>[0]> = {}): Promise<ModelAdapter> {
  server = await startModelServer(script);
  return anthropic({ model: 'claude-test', apiKey: 'sk-ant-test', baseURL: server.anthropicBaseURL, ...options });
}

describe.each([{ stream: true }, { stream: false }])('messages, stream: $stream', (way) => {
  test('a text answer arrives whole, with its usage', async () => {
    const model = await serve([{ text: 'Hello — 你好, world 🎉', usage: { input: 21, output: 9, cacheRead: 4, cacheWrite: 2 } }], way);
    const turn = await collectTurn(model, { system: 'Be brief.', messages: [user('hi')] });
    expect(turn.shownText).toBe('Hello — 你好, world 🎉');
    expect(turn.message.parts).toEqual([{ type: 'text', text: 'Hello — 你好, world 🎉' }]);
    expect(turn).toMatchObject({ finish: 'stop', usage: { input: 21, output: 9, cacheRead: 4, cacheWrite: 2 }, message: { model: 'anthropic:claude-test' } });
  });

  test('parallel calls keep their order, ids and arguments, and their results go back paired', async () => {
    const calls = [{ name: 'echo', arguments: { text: 'one' } }, { name: 'read_file', arguments: { text: 'two' } }];
    const model = await serve([{ reasoning: 'hmm', text: 'Calling.', calls }, { text: 'done' }], way);
    const first = await collectTurn(model, { messages: [user('go')], tools });
    const made = first.message.parts.filter((part) => part.type === 'tool_call');
    expect(made.map((part) => [part.name, JSON.parse(part.arguments)])).toEqual([['echo', { text: 'one' }], ['read_file', { text: 'two' }]]);
    expect(first.finish).toBe('tool_calls');
    const messages = [user('go'), first.message, ...made.map((part) => result(part.id, `result of ${part.name}`))];
    const second = await collectTurn(model, { messages, tools });
    expect(second.shownText).toBe('done');
    expect(server.requests.map((request) => request.refused)).toEqual([undefined, undefined]);
  });
});

/** A streamed answer written out, block by block. */
function events(blocks: { start: object; deltas?: object[] }[], stop: string, more: object[] = []): object[] {
  return [
    { type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 7, output_tokens: 1 } } },
    ...blocks.flatMap(({ start, deltas = [] }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    ...more,
    { type: 'message_delta', delta: { stop_reason: stop }, usage: { output_tokens: 12 } },
    { type: 'message_stop' },
  ];
}

const raw = (...args: Parameters<typeof events>) => ({ raw: { events: events(...args) } });
const tool_use = (id: string, name: string) => ({ type: 'tool_use', id, name, input: {} });
const assistantBlocks = (): { type: string }[] => (server.requests.at(-1)!.body.messages as { role: string; content: { type: string }[] }[]).flatMap((message) => (message.role === 'assistant' ? message.content : []));

describe('what must come back untouched', () => {
  test('thinking blocks with their signatures, redacted ones too, stand before the call as they came', async () => {
    const thinking = { start: { type: 'thinking', thinking: '', signature: '' }, deltas: [{ type: 'thinking_delta', thinking: 'first ' }, { type: 'thinking_delta', thinking: 'then' }, { type: 'signature_delta', signature: 'c2ln==' }] };
    const redacted = { start: { type: 'redacted_thinking', data: 'b3BhcXVl' } };
    const model = await serve([raw([thinking, redacted, { start: tool_use('toolu_1', 'echo'), deltas: [{ type: 'input_json_delta', partial_json: '{"text":' }, { type: 'input_json_delta', partial_json: '"x"}' }] }], 'tool_use'), { text: 'done' }], { thinking: { budgetTokens: 2048 } });
    const first = await collectTurn(model, { messages: [user('go')], tools, temperature: 0.2, toolChoice: 'required' });
    expect(first.shownReasoning).toBe('first then');
    expect(first.shownText).toBe('');
    await collectTurn(model, { messages: [user('go'), first.message, result('toolu_1', 'ok')], tools });
    expect(assistantBlocks()).toEqual([
      { type: 'thinking', thinking: 'first then', signature: 'c2ln==' },
      { type: 'redacted_thinking', data: 'b3BhcXVl' },
      { type: 'tool_use', id: 'toolu_1', name: 'echo', input: { text: 'x' } },
    ]);
    const [request] = server.requests;
    expect(request?.body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 2048 }, tool_choice: { type: 'auto' } });
    expect(request?.body).not.toHaveProperty('temperature');
  });

  test('blocks of the service\'s own tools, citations and a caller keep their place', async () => {
    const blocks = [
      { start: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text: 'I search.' }, { type: 'citations_delta', citation: { type: 'char_location', cited_text: 'q' } }] },
      { start: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }, deltas: [{ type: 'input_json_delta', partial_json: '{"query":"q"}' }] },
      { start: { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ type: 'web_search_result', url: 'https://example.org', encrypted_content: 'x' }] } },
      { start: { ...tool_use('toolu_1', 'echo'), caller: { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' } } },
    ];
    const model = await serve([raw(blocks, 'tool_use'), { text: 'done' }]);
    const first = await collectTurn(model, { messages: [user('go')], tools });
    expect(first.shownText).toBe('I search.');
    await collectTurn(model, { messages: [user('go'), first.message, result('toolu_1', 'ok')], tools });
    expect(assistantBlocks()).toEqual([
      { type: 'text', text: 'I search.', citations: [{ type: 'char_location', cited_text: 'q' }] },
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ type: 'web_search_result', url: 'https://example.org', encrypted_content: 'x' }] },
      { type: 'tool_use', id: 'toolu_1', name: 'echo', input: {}, caller: { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' } },
    ]);
  });

  test('pause_turn: the history goes back as it is, and both parts become one message', async () => {
    const model = await serve([raw([{ start: { type: 'text', text: 'Working, ' } }], 'pause_turn'), raw([{ start: { type: 'text', text: 'done.' } }], 'end_turn'), { text: 'bye' }]);
    const first = await collectTurn(model, { messages: [user('go')] });
    expect(first.finish).toBe('pause');
    const second = await collectTurn(model, { messages: [user('go'), first.message] });
    expect(assistantBlocks()).toEqual([{ type: 'text', text: 'Working,' }]);
    expect(second.finish).toBe('stop');
    await collectTurn(model, { messages: [user('go'), first.message, second.message, user('thanks')] });
    expect(assistantBlocks().map((block) => block.type)).toEqual(['text', 'text']);
    expect(server.requests.map((request) => request.refused)).toEqual([undefined, undefined, undefined]);
  });
});

describe('how an answer ends', () => {
  test.each([['end_turn', 'stop'], ['stop_sequence', 'stop'], ['max_tokens', 'length'], ['model_context_window_exceeded', 'length'], ['refusal', 'refusal'], ['something_new', 'stop']])('%s is %s', async (stop, finish) => {
    const model = await serve([raw([{ start: { type: 'text', text: 'x' } }], stop)]);
    await expect(collectTurn(model, { messages: [user('go')] })).resolves.toMatchObject({ finish });
  });

  test('max_tokens inside a call keeps the text as it was cut, and it goes back visibly broken', async () => {
    const model = await serve([raw([{ start: tool_use('toolu_1', 'echo'), deltas: [{ type: 'input_json_delta', partial_json: '{"text":"hal' }] }], 'max_tokens'), { text: 'ok' }]);
    const first = await collectTurn(model, { messages: [user('go')], tools });
    expect(first).toMatchObject({ finish: 'length', message: { parts: [{ type: 'tool_call', arguments: '{"text":"hal' }] } });
    await collectTurn(model, { messages: [user('go'), first.message, result('toolu_1', 'cut')], tools });
    expect(assistantBlocks()).toEqual([{ type: 'tool_use', id: 'toolu_1', name: 'echo', input: { INVALID_JSON: '{"text":"hal' } }]);
  });

  test('a gateway that repeats message_start, sends whole input at the block\'s start, or text without a start', async () => {
    const start = events([], 'x')[0] as object;
    const blocks = [{ start: { ...tool_use('toolu_1', 'echo'), input: { text: 'whole' } } }];
    const [first, ...rest] = events(blocks, 'end_turn', [{ type: 'content_block_delta', index: 5, delta: { type: 'text_delta', text: 'late' } }]);
    const model = await serve([{ raw: { events: [first as object, start, start, ...rest] } }]);
    const turn = await collectTurn(model, { messages: [user('go')], tools });
    expect(turn.message.parts).toMatchObject([{ type: 'tool_call', name: 'echo', arguments: '{"text":"whole"}' }, { type: 'text', text: 'late' }]);
    expect(turn).toMatchObject({ finish: 'tool_calls', usage: { input: 7, output: 12 } });
  });

  test('a JSON answer to a request for a stream is read all the same', async () => {
    const { createServer } = await import('node:http');
    const plain = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id: 'm', type: 'message', role: 'assistant', content: [{ type: 'text', text: 'two\nlines' }], stop_reason: 'end_turn', usage: { input_tokens: 3, output_tokens: 2 } }, null, 2));
    });
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as { port: number };
    server = await startModelServer([]);
    try {
      const turn = await collectTurn(anthropic({ model: 'm', apiKey: 'k', baseURL: `http://127.0.0.1:${port}` }), { messages: [user('go')] });
      expect(turn).toMatchObject({ shownText: 'two\nlines', finish: 'stop', usage: { input: 3, output: 2 } });
    } finally {
      plain.closeAllConnections();
      await new Promise((resolve) => plain.close(resolve));
    }
  });
});

describe('the request', () => {
  test('cache breakpoints: system, last tool, the two newest messages of the user; never more than four; none when switched off', async () => {
    const script = [{ text: 'x' }, { text: 'x' }, { text: 'x' }];
    const model = await serve(script);
    const messages = [user('one'), { role: 'assistant' as const, parts: [{ type: 'text' as const, text: 'a' }] }, user('two'), { role: 'assistant' as const, parts: [{ type: 'text' as const, text: 'b' }] }, user('three')];
    await collectTurn(model, { system: 's', messages, tools });
    await collectTurn(model, { system: 's', messages: [...messages, { role: 'assistant', parts: [{ type: 'text', text: 'c' }] }, user('four')], tools });
    const marked = (index: number) => (server.requests[index]!.body.messages as { content: { text: string; cache_control?: object }[] }[]).flatMap((message) => message.content.flatMap((block) => (block.cache_control ? [block.text] : [])));
    expect(marked(0)).toEqual(['two', 'three']);
    expect(marked(1)).toEqual(['three', 'four']);
    const { body } = server.requests[0]!;
    expect(body.system).toEqual([{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }]);
    expect((body.tools as object[]).map((made) => 'cache_control' in made)).toEqual([false, true]);
    await collectTurn(anthropic({ model: 'm', apiKey: 'k', baseURL: server.url, cache: false }), { system: 's', messages, tools });
    expect(JSON.stringify(server.requests[2]!.body)).not.toContain('cache_control');
  });

  test('images of the user and of results are blocks, failures are marked, blank text is left out', async () => {
    const image = { type: 'image' as const, mediaType: 'image/png', data: 'aGk=' };
    const model = await serve([{ text: 'ok' }]);
    await collectTurn(model, {
      tools,
      messages: [
        { role: 'user', content: [{ type: 'text', text: '  ' }, image] },
        { role: 'assistant', parts: [{ type: 'text', text: '\n' }, { type: 'tool_call', id: 'a', name: 'echo', arguments: '{}' }, { type: 'tool_call', id: 'b', name: 'echo', arguments: '' }] },
        { role: 'tool', callId: 'a', tool: 'echo', status: 'success', content: [{ type: 'text', text: 'see' }, image] },
        { role: 'tool', callId: 'b', tool: 'echo', status: 'timeout', code: 'timeout', content: [] },
      ],
    });
    const source = { type: 'base64', media_type: 'image/png', data: 'aGk=' };
    expect(server.requests[0]!.body.messages).toMatchObject([
      { role: 'user', content: [{ type: 'image', source }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a' }, { type: 'tool_use', id: 'b', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'see' }, { type: 'image', source }] }, { type: 'tool_result', tool_use_id: 'b', content: '(no output)', is_error: true }] },
    ]);
  });

  test('choice of tools, limits, effort and a wanted shape', async () => {
    const model = await serve([{ text: '{}' }, { text: '' , calls: [{ name: 'echo' }] }], { effort: 'low', jsonSchemaOutput: true, fineGrainedTools: true });
    await collectTurn(model, { messages: [user('go')], tools, toolChoice: 'none', maxOutputTokens: 99, temperature: 0.5, output: { name: 'report', schema: { type: 'object', properties: {}, additionalProperties: false } } });
    expect(server.requests[0]!.body).toMatchObject({ tool_choice: { type: 'none' }, max_tokens: 99, temperature: 0.5, output_config: { effort: 'low', format: { type: 'json_schema' } } });
    expect((server.requests[0]!.body.tools as object[])[0]).toMatchObject({ eager_input_streaming: true });
    await collectTurn(model, { messages: [user('go')], tools, toolChoice: { tool: 'echo' } });
    expect(server.requests[1]!.body).toMatchObject({ tool_choice: { type: 'tool', name: 'echo' }, max_tokens: 16_000 });
  });

  test('without a key nothing is asked: the error says which variable to set', async () => {
    await serve([]);
    const { ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN } = process.env;
    delete process.env.ANTHROPIC_API_KEY;
    delete process.env.ANTHROPIC_AUTH_TOKEN;
    try {
      await expect(collectTurn(anthropic({ model: 'm', baseURL: server.url }), { messages: [user('go')] })).rejects.toMatchObject({ code: 'no_credentials', message: expect.stringContaining('ANTHROPIC_API_KEY') });
    } finally {
      if (ANTHROPIC_API_KEY !== undefined) process.env.ANTHROPIC_API_KEY = ANTHROPIC_API_KEY;
      if (ANTHROPIC_AUTH_TOKEN !== undefined) process.env.ANTHROPIC_AUTH_TOKEN = ANTHROPIC_AUTH_TOKEN;
    }
    expect(server.requests).toEqual([]);
  });
});
