// A turn of many calls that each take a while, in each framework's own loop on a scripted model. Gives how many results came.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** contestant → () => number of results */
export async function parallelRuns(count, ms) {
  const pause = () => sleep(ms, 'ok');
  const ids = Array.from({ length: count }, (_, index) => `c${index}`);
  return { 'ai-sdk': await aiSdk(ids, pause), 'openai runTools': await openaiRunTools(ids, pause), 'anthropic runner': await anthropic(ids, pause), 'openai agents': await agents(ids, pause), langchain: await langchain(ids, pause) };
}

async function aiSdk(ids, pause) {
  const { generateText, stepCountIs, tool } = await import('ai');
  const { MockLanguageModelV3 } = await import('ai/test');
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  const calls = ids.map((id) => ({ type: 'tool-call', toolCallId: id, toolName: 'pause', input: '{}' }));
  const tools = { pause: tool({ description: 'pause', inputSchema: z.object({}), execute: pause }) };
  return async () => {
    let turn = 0;
    const model = new MockLanguageModelV3({ doGenerate: async () => (turn++ === 0 ? { content: calls, finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] } : { content: [{ type: 'text', text: 'done' }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] }) });
    const { steps } = await generateText({ model, tools, prompt: 'go', stopWhen: stepCountIs(3) });
    return steps[0].toolResults.length;
  };
}

async function openaiRunTools(ids, pause) {
  const { default: OpenAI } = await import('openai');
  const tool_calls = ids.map((id) => ({ id, type: 'function', function: { name: 'pause', arguments: '{}' } }));
  const tools = [{ type: 'function', function: { name: 'pause', description: 'pause', parse: JSON.parse, function: pause, parameters: { type: 'object', properties: {} } } }];
  return async () => {
    let turn = 0;
    const answer = () => (turn++ === 0 ? { finish_reason: 'tool_calls', message: { role: 'assistant', content: null, tool_calls } } : { finish_reason: 'stop', message: { role: 'assistant', content: 'done' } });
    const client = new OpenAI({ apiKey: 'none', fetch: async () => json({ id: 'r', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, ...answer() }] }) });
    const runner = client.chat.completions.runTools({ model: 'm', messages: [{ role: 'user', content: 'go' }], tools });
    await runner.finalContent();
    return runner.messages.filter(({ role }) => role === 'tool').length;
  };
}

async function anthropic(ids, pause) {
  const { default: Anthropic } = await import('@anthropic-ai/sdk');
  const { betaZodTool } = await import('@anthropic-ai/sdk/helpers/beta/zod');
  const content = ids.map((id) => ({ type: 'tool_use', id, name: 'pause', input: {} }));
  return async () => {
    let turn = 0;
    let results = 0;
    const tools = [betaZodTool({ name: 'pause', description: 'pause', inputSchema: z.object({}), run: () => pause().finally(() => (results += 1)) })];
    const answer = () => (turn++ === 0 ? { content, stop_reason: 'tool_use' } : { content: [{ type: 'text', text: 'done' }], stop_reason: 'end_turn' });
    const client = new Anthropic({ apiKey: 'none', fetch: async () => json({ id: 'r', type: 'message', role: 'assistant', model: 'm', stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 }, ...answer() }) });
    await client.beta.messages.toolRunner({ model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'go' }], tools, thread: false });
    return results;
  };
}

async function agents(ids, pause) {
  const { Agent, run, setTracingDisabled, tool, Usage } = await import('@openai/agents');
  setTracingDisabled(true);
  const calls = ids.map((id) => ({ type: 'function_call', callId: id, name: 'pause', status: 'completed', arguments: '{}' }));
  const last = [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'done' }] }];
  const tools = [tool({ name: 'pause', description: 'pause', parameters: z.object({}), execute: pause })];
  return async () => {
    let turn = 0;
    const model = { getResponse: async () => ({ usage: new Usage(), output: turn++ === 0 ? calls : last }) };
    const result = await run(new Agent({ name: 'bench', model, tools }), 'go');
    return result.newItems.filter(({ type }) => type === 'tool_call_output_item').length;
  };
}

async function langchain(ids, pause) {
  const { createAgent, tool } = await import('langchain');
  const { AIMessage } = await import('@langchain/core/messages');
  const { FakeToolCallingModel } = await import('./langchain-model.mjs');
  const tools = [tool(pause, { name: 'pause', description: 'pause', schema: z.object({}) })];
  const calls = ids.map((id) => ({ id, name: 'pause', args: {}, type: 'tool_call' }));
  return async () => {
    const model = new FakeToolCallingModel((turn) => (turn === 0 ? new AIMessage({ content: '', tool_calls: calls }) : new AIMessage('done')));
    const { messages } = await createAgent({ model, tools }).invoke({ messages: [{ role: 'user', content: 'go' }] });
    return messages.filter((message) => message.getType() === 'tool').length;
  };
}

function json(body) {
  return new Response(JSON.stringify(body), { status: 200, headers: { 'content-type': 'application/json' } });
}
