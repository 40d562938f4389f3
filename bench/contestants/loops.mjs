// Whole agent loops of the peers on a scripted model: `turns` turns with one tool call each, then a text. No network.
import { z } from 'zod';

const shape = { pattern: z.string().min(1), limit: z.number().int().min(1).max(500) };
const run = ({ pattern, limit }) => ({ found: pattern.length + limit });
const argumentsOf = (turn) => ({ pattern: `word${turn}`, limit: 10 });

/** @returns {Promise<Record<string, (turns: number, tools?: number) => Promise<string>>>} the final text */
export async function loops() {
  return { floor, 'openai runTools': await openaiRunTools(), 'ai-sdk': await aiSdk(), 'anthropic runner': await anthropic(), 'openai agents': await agents(), langchain: await langchain() };
}

/** Names of the tools of a run; the first is the one that is called. */
const toolNames = (count = 2) => Array.from({ length: count }, (_, index) => (index === 0 ? 'search' : `other_${index}`));

/** A program makes its tools once, before its runs: what `make` gives for the names of `count` tools, kept. */
export function madeOnce(make) {
  const kept = new Map();
  return (count) => {
    if (!kept.has(count)) kept.set(count, make(toolNames(count)));
    return kept.get(count);
  };
}

async function floor(turns) {
  const history = [{ role: 'user', content: 'go' }];
  for (let turn = 0; turn <= turns; turn += 1) {
    const message = await Promise.resolve(turn < turns ? { role: 'assistant', calls: [{ id: `c${turn}`, name: 'search', arguments: JSON.stringify(argumentsOf(turn)) }] } : { role: 'assistant', text: 'done' });
    history.push(message);
    if (!message.calls) return message.text;
    for (const call of message.calls) {
      const input = JSON.parse(call.arguments);
      if (typeof input.pattern !== 'string' || !Number.isInteger(input.limit)) throw new Error('wrong arguments');
      history.push({ role: 'tool', id: call.id, content: JSON.stringify(run(input)) });
    }
  }
  throw new Error('no answer');
}

async function openaiRunTools() {
  const { default: OpenAI } = await import('openai');
  const toolsOf = madeOnce((names) => names.map((name) => ({ type: 'function', function: { name, description: name, parse: JSON.parse, function: run, parameters: z.toJSONSchema(z.object(shape)) } })));
  return async (turns, count) => {
    let turn = 0;
    const client = new OpenAI({ apiKey: 'none', baseURL: 'http://127.0.0.1:9', fetch: async () => json(chatTurn(turn++, turns)) });
    const runner = client.chat.completions.runTools({ model: 'm', messages: [{ role: 'user', content: 'go' }], tools: toolsOf(count) }, { maxChatCompletions: turns + 2 });
    return runner.finalContent();
  };
}

function chatTurn(turn, turns) {
  const call = { id: `c${turn}`, type: 'function', function: { name: 'search', arguments: JSON.stringify(argumentsOf(turn)) } };
  const message = turn < turns ? { role: 'assistant', content: null, tool_calls: [call] } : { role: 'assistant', content: 'done' };
  return { id: `r${turn}`, object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, finish_reason: turn < turns ? 'tool_calls' : 'stop', message }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } };
}

async function anthropic() {
  const { default: Anthropic } = await import('@anthropic-ai/sdk');
  const { betaZodTool } = await import('@anthropic-ai/sdk/helpers/beta/zod');
  const toolsOf = madeOnce((names) => names.map((name) => betaZodTool({ name, description: name, inputSchema: z.object(shape), run: async (input) => JSON.stringify(run(input)) })));
  return async (turns, count) => {
    let turn = 0;
    const client = new Anthropic({ apiKey: 'none', baseURL: 'http://127.0.0.1:9', fetch: async () => json(messagesTurn(turn++, turns)) });
    const message = await client.beta.messages.toolRunner({ model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'go' }], tools: toolsOf(count), max_iterations: turns + 2, thread: false });
    return message.content[0].text;
  };
}

function messagesTurn(turn, turns) {
  const isLast = turn >= turns;
  const content = isLast ? [{ type: 'text', text: 'done' }] : [{ type: 'tool_use', id: `c${turn}`, name: 'search', input: argumentsOf(turn) }];
  return { id: `r${turn}`, type: 'message', role: 'assistant', model: 'm', content, stop_reason: isLast ? 'end_turn' : 'tool_use', stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } };
}

async function aiSdk() {
  const { generateText, stepCountIs, tool } = await import('ai');
  const { MockLanguageModelV3 } = await import('ai/test');
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  const toolsOf = madeOnce((names) => Object.fromEntries(names.map((name) => [name, tool({ description: name, inputSchema: z.object(shape), execute: async (input) => run(input) })])));
  return async (turns, count) => {
    let turn = 0;
    const model = new MockLanguageModelV3({
      doGenerate: async () => {
        const at = turn++;
        const content = at < turns ? [{ type: 'tool-call', toolCallId: `c${at}`, toolName: 'search', input: JSON.stringify(argumentsOf(at)) }] : [{ type: 'text', text: 'done' }];
        return { content, finishReason: { unified: at < turns ? 'tool-calls' : 'stop', raw: undefined }, usage, warnings: [] };
      },
    });
    return (await generateText({ model, tools: toolsOf(count), prompt: 'go', stopWhen: stepCountIs(turns + 2) })).text;
  };
}

async function agents() {
  const { Agent, run: runAgent, setTracingDisabled, tool, Usage } = await import('@openai/agents');
  setTracingDisabled(true);
  const toolsOf = madeOnce((names) => names.map((name) => tool({ name, description: name, parameters: z.object(shape), execute: async (input) => run(input) })));
  return async (turns, count) => {
    let turn = 0;
    const model = {
      async getResponse() {
        const at = turn++;
        const output = at < turns ? [{ type: 'function_call', callId: `c${at}`, name: 'search', status: 'completed', arguments: JSON.stringify(argumentsOf(at)) }] : [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'done' }] }];
        return { usage: new Usage(), output };
      },
    };
    return (await runAgent(new Agent({ name: 'bench', model, tools: toolsOf(count) }), 'go', { maxTurns: turns + 2 })).finalOutput;
  };
}

async function langchain() {
  const { createAgent, tool } = await import('langchain');
  const { AIMessage } = await import('@langchain/core/messages');
  const { FakeToolCallingModel } = await import('./langchain-model.mjs');
  const toolsOf = madeOnce((names) => names.map((name) => tool(async (input) => JSON.stringify(run(input)), { name, description: name, schema: z.object(shape) })));
  return async (turns, count) => {
    const answer = (at) => (at < turns ? new AIMessage({ content: '', tool_calls: [{ id: `c${at}`, name: 'search', args: argumentsOf(at), type: 'tool_call' }] }) : new AIMessage('done'));
    const agent = createAgent({ model: new FakeToolCallingModel(answer), tools: toolsOf(count) });
    const state = await agent.invoke({ messages: [{ role: 'user', content: 'go' }] }, { recursionLimit: 4 * turns + 10 });
    return state.messages.at(-1).content;
  };
}

function json(body) {
  return new Response(JSON.stringify(body), { status: 200, headers: { 'content-type': 'application/json' } });
}
