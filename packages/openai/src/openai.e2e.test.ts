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
