// The OpenAI adapter over real HTTP, against a server that is as strict as the real one.
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Message, ModelAdapter } from '@haft/agent';
import { type ModelServer, type Script, collectTurn, startModelServer } from '@haft/agent/testing';
import type { ToolDefinition } from '@haft/core';
import { openai } from './index.js';

let server: ModelServer;
afterEach(() => server.close());

function tool(name: string): ToolDefinition {
  const parameters = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false };
  return { name, description: `The tool ${name}.`, parameters } as unknown as ToolDefinition;
}

const tools = [tool('echo'), tool('read_file')];
const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const result = (callId: string, text: string): Message => ({ role: 'tool', callId, tool: 'echo', status: 'success', content: [{ type: 'text', text }] });

async function serve(script: Script, options: Partial<Parameters<typeof openai>[0]> = {}): Promise<ModelAdapter> {
  server = await startModelServer(script);
  return openai({ model: 'gpt-test', apiKey: 'sk-test-key', baseURL: server.openaiBaseURL, profile: 'openai', ...options });
}

const ways = (['chat', 'responses'] as const).flatMap((api) => [true, false].map((stream) => ({ api, stream })));

describe.each(ways)('$api, stream: $stream', (way) => {
  test('a text answer arrives whole, with its usage', async () => {
    const model = await serve([{ text: 'Hello — 你好, world 🎉', usage: { input: 21, output: 9, cacheRead: 4, reasoning: 3 } }], way);
    const turn = await collectTurn(model, { system: 'Be brief.', messages: [user('hi')] });
    expect(turn.shownText).toBe('Hello — 你好, world 🎉');
    expect(turn.message.parts).toMatchObject([{ type: 'text', text: 'Hello — 你好, world 🎉' }]);
    expect(turn).toMatchObject({ finish: 'stop', usage: { input: 21, output: 9, cacheRead: 4, reasoning: 3 }, message: { model: 'openai:gpt-test' } });
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

const inputOf = (index: number): Record<string, unknown>[] => server.requests[index]!.body.input as Record<string, unknown>[];
const assistantParts = (text: string): Message => ({ role: 'assistant', parts: [{ type: 'text', text }] });

describe('responses', () => {
  test('reasoning goes back encrypted, before its call, and only to the model that wrote it', async () => {
    const model = await serve([{ reasoning: 'hidden', text: 'Calling.', calls: [{ name: 'echo', arguments: { text: 'x' } }] }, { text: 'done' }, { text: 'other' }], { api: 'responses', model: 'gpt-5' });
    const first = await collectTurn(model, { messages: [user('go')], tools, sessionId: 's1' });
    const history = [user('go'), first.message, result(first.message.parts.at(-1)!.type === 'tool_call' ? 'call_0_0' : '', 'ok')];
    await collectTurn(model, { messages: history, tools });
    expect(server.requests[0]!.body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'], prompt_cache_key: 's1' });
    expect(inputOf(1).map((item) => item.type ?? item.role)).toEqual(['user', 'reasoning', 'message', 'function_call', 'function_call_output']);
    expect(inputOf(1)[1]).toMatchObject({ id: 'rs_0', encrypted_content: 'enc-0' });
    expect(inputOf(1)[3]).toMatchObject({ id: 'fc_0_0', call_id: 'call_0_0' });
    await collectTurn(openai({ model: 'gpt-4o', apiKey: 'k', baseURL: server.openaiBaseURL, api: 'responses', profile: 'openai' }), { messages: history, tools });
    expect(JSON.stringify(inputOf(2))).not.toMatch(/enc-0|rs_0|fc_0_0/);
    expect(server.requests[2]!.body).not.toHaveProperty('include');
  });

  test('a reasoning item whose follower said nothing is not sent alone', async () => {
    const body = { id: 'r', object: 'response', status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [{ type: 'reasoning', id: 'rs_9', summary: [], encrypted_content: 'e' }], usage: {} };
    const model = await serve([{ raw: { body } }, { text: 'ok' }], { api: 'responses', stream: false });
    const first = await collectTurn(model, { messages: [user('go')] });
    expect(first.finish).toBe('length');
    await collectTurn(model, { messages: [user('go'), first.message, user('again')] });
    expect(server.requests[1]!.refused).toBeUndefined();
    expect(inputOf(1).map((item) => item.role)).toEqual(['user', 'user']);
  });

  test('commentary and final answer keep their phase; a custom call\'s free text and its result keep their kind', async () => {
    const items = [
      { type: 'message', id: 'msg_a', role: 'assistant', phase: 'commentary', content: [{ type: 'output_text', text: 'I look.' }] },
      { type: 'custom_tool_call', id: 'ct_1', call_id: 'call_c', name: 'sql', input: 'SELECT 1' },
    ];
    const model = await serve([{ raw: { body: { id: 'r', object: 'response', status: 'completed', output: items, usage: {} } } }, { text: 'ok' }], { api: 'responses', stream: false });
    const first = await collectTurn(model, { messages: [user('go')] });
    await collectTurn(model, { messages: [user('go'), first.message, result('call_c', '1')] });
    expect(inputOf(1).slice(1)).toMatchObject([
      { type: 'message', id: 'msg_a', phase: 'commentary' },
      { type: 'custom_tool_call', call_id: 'call_c', input: 'SELECT 1' },
      { type: 'custom_tool_call_output', call_id: 'call_c', output: '1' },
    ]);
  });

  test('response.failed is an error with its code, response.incomplete says why', async () => {
    const model = await serve([{ text: 'x', finish: 'error' }, { text: 'x', finish: 'content_filter' }, { text: 'No.', finish: 'refusal' }], { api: 'responses' });
    await expect(collectTurn(model, { messages: [user('go')] })).rejects.toMatchObject({ code: 'server_error', retryable: true });
    await expect(collectTurn(model, { messages: [user('go')] })).resolves.toMatchObject({ finish: 'content_filter' });
    await expect(collectTurn(model, { messages: [user('go')] })).resolves.toMatchObject({ finish: 'refusal', shownText: 'No.' });
  });
});

describe('the request', () => {
  const shape = { name: 'report', schema: { type: 'object' as const, properties: {}, additionalProperties: false } };

  test('chat: choice, limits, shape and strict tools as OpenAI takes them', async () => {
    const strict = { ...tool('exact'), strict: true, parameters: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['a'], additionalProperties: false } } as ToolDefinition;
    const model = await serve([{ text: '{}' }], { reasoningEffort: 'low', extraBody: { seed: 7 } });
    await collectTurn(model, { system: 's', messages: [user('go')], tools: [...tools, strict], toolChoice: { tool: 'exact' }, maxOutputTokens: 50, temperature: 0, output: shape, sessionId: 'x' });
    const { body } = server.requests[0]!;
    expect(body).toMatchObject({ max_completion_tokens: 50, temperature: 0, seed: 7, reasoning_effort: 'low', prompt_cache_key: 'x', tool_choice: { type: 'function', function: { name: 'exact' } }, response_format: { type: 'json_schema', json_schema: { name: 'report' } } });
    expect((body.tools as { function: object }[])[2]?.function).toMatchObject({ strict: true, parameters: { required: ['a', 'b'], properties: { b: { type: ['integer', 'null'] } } } });
    expect(body.messages).toMatchObject([{ role: 'system', content: 's' }, { role: 'user', content: 'go' }]);
  });

  test('profiles differ in data only: a compatible server is not sent what it does not know', async () => {
    const model = await serve([{ text: 'x' }, { text: 'x' }], { profile: 'ollama' });
    await collectTurn(model, { messages: [user('go')], tools, maxOutputTokens: 50, sessionId: 'x' });
    expect(server.requests[0]!.body).toMatchObject({ max_tokens: 50 });
    expect(JSON.stringify(server.requests[0]!.body)).not.toMatch(/prompt_cache_key|max_completion_tokens|strict/);
    expect(server.requests[0]!.headers).not.toHaveProperty('openai-organization');
  });

  test('mistral: ids of nine letters and digits, the same in call and result; no user right after a result', async () => {
    const model = await serve([{ text: 'x' }], { profile: 'mistral' });
    const call = { type: 'tool_call' as const, id: 'run:t1.1', providerId: 'toolu_01abc', name: 'echo', arguments: '{}' };
    await collectTurn(model, { messages: [user('go'), { role: 'assistant', parts: [call] }, result('run:t1.1', 'ok'), user('and more')], tools });
    const messages = server.requests[0]!.body.messages as { tool_calls?: { id: string }[]; tool_call_id?: string }[];
    expect(messages[1]?.tool_calls?.[0]?.id).toMatch(/^[a-z0-9]{9}$/);
    expect(messages[2]?.tool_call_id).toBe(messages[1]?.tool_calls?.[0]?.id);
    expect(messages.slice(3)).toEqual([{ role: 'assistant', content: 'Understood.' }, { role: 'user', content: 'and more' }]);
  });

  test('images of the user are parts; those of results follow in a message of the user', async () => {
    const image = { type: 'image' as const, mediaType: 'image/png', data: 'aGk=' };
    const call = { type: 'tool_call' as const, id: 'a', name: 'echo', arguments: '{}' };
    const model = await serve([{ text: 'x' }]);
    await collectTurn(model, { messages: [{ role: 'user', content: [{ type: 'text', text: 'look' }, image] }, { role: 'assistant', parts: [call] }, { role: 'tool', callId: 'a', tool: 'echo', status: 'success', content: [image] }], tools });
    const url = 'data:image/png;base64,aGk=';
    expect(server.requests[0]!.body.messages).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: 'look' }, { type: 'image_url', image_url: { url } }] },
      { role: 'assistant' },
      { role: 'tool', tool_call_id: 'a', content: '(an image: see the next message)' },
      { role: 'user', content: [{ type: 'text' }, { type: 'image_url', image_url: { url } }] },
    ]);
  });

  test('opaque fields of a message go back to the server that sent them, and to no other', async () => {
    const message = { role: 'assistant', content: 'hm', reasoning_details: [{ type: 'reasoning.encrypted', data: 'zzz', index: 0 }], tool_calls: [{ id: 'a', type: 'function', function: { name: 'echo', arguments: '{}' }, extra_content: { google: { thought_signature: 'sss' } } }] };
    const body = { id: 'c', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
    const model = await serve([{ raw: { body } }, { text: 'x' }, { text: 'x' }], { profile: 'openrouter', stream: false });
    const first = await collectTurn(model, { messages: [user('go')], tools });
    const history = [user('go'), first.message, result('a', 'ok')];
    await collectTurn(model, { messages: history, tools });
    expect((server.requests[1]!.body.messages as object[])[1]).toMatchObject({ reasoning_details: message.reasoning_details, tool_calls: message.tool_calls });
    await collectTurn(openai({ model: 'm', apiKey: 'k', baseURL: server.openaiBaseURL, profile: 'groq', stream: false }), { messages: history, tools });
    expect(JSON.stringify(server.requests[2]!.body)).not.toMatch(/zzz|sss/);
  });

  test('an assistant message that says nothing is left out, an empty one of the user is not', async () => {
    const model = await serve([{ text: 'x' }]);
    await collectTurn(model, { messages: [user(''), assistantParts(''), user('b')] });
    expect(server.requests[0]!.body.messages).toEqual([{ role: 'user', content: '(empty message)' }, { role: 'user', content: 'b' }]);
  });
});

describe('errors in the shapes of compatible servers', () => {
  test.each([
    ['vLLM', '{"object":"error","message":"This model\'s maximum context length is 4096 tokens.","type":"BadRequestError","code":400}', 400, 'context_too_long'],
    ['FastAPI', '{"detail":"Model not loaded"}', 404, 'model_not_found'],
    ['Gemini', '[{"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED"}}]', 429, 'quota_exceeded'],
    ['Ollama', '{"error":"model \\"x\\" not found, try pulling it first"}', 404, 'model_not_found'],
    ['plain text', 'upstream connect error', 503, 'overloaded'],
    ['nothing', '', 500, 'server_error'],
  ])('%s', async (_, body, status, code) => {
    const model = await serve([{ fault: { kind: 'status', status, body } }], { profile: 'vllm' });
    const error = await collectTurn(model, { messages: [user('go')] }).catch((thrown: unknown) => thrown as Error & { status: number });
    expect(error).toMatchObject({ name: 'ModelError', code, status });
    const said = /"(?:message|detail|error)":"((?:[^"\\]|\\.)*)"/.exec(body)?.[1]?.replaceAll('\\"', '"') ?? body;
    expect((error as Error).message).toContain(said);
  });

  test('a limit\'s reset header is honoured when nothing is left of it', async () => {
    const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6m0s', 'x-ratelimit-remaining-tokens': '100', 'x-ratelimit-reset-tokens': '2h' };
    const model = await serve([{ fault: { kind: 'status', status: 429, headers } }]);
    await expect(collectTurn(model, { messages: [user('go')] })).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 360_000, requestId: 'req_0' });
  });

  test('without a key nothing is asked; a local server needs none', async () => {
    const model = await serve([{ text: 'local' }]);
    const { OPENAI_API_KEY } = process.env;
    delete process.env.OPENAI_API_KEY;
    try {
      await expect(collectTurn(openai({ model: 'm', baseURL: server.openaiBaseURL, profile: 'openai' }), { messages: [user('go')] })).rejects.toMatchObject({ code: 'no_credentials', message: expect.stringContaining('OPENAI_API_KEY') });
      await expect(collectTurn(openai({ model: 'm', baseURL: server.openaiBaseURL, profile: 'ollama' }), { messages: [user('go')] })).resolves.toMatchObject({ shownText: 'local' });
    } finally {
      if (OPENAI_API_KEY !== undefined) process.env.OPENAI_API_KEY = OPENAI_API_KEY;
    }
    expect(model.provider).toBe('openai');
  });
});
