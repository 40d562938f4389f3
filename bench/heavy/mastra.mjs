// Mastra: its tools, its agent loop on a scripted model, its list of tools for a provider.
import { z } from 'zod';

const dispatched = {
  search_files: z.object({ pattern: z.string().min(1), dir: z.string().default('.'), limit: z.number().int().min(1).max(500).default(50), mode: z.enum(['regex', 'literal']).default('regex') }),
  sum_items: z.object({ items: z.array(z.object({ id: z.string(), quantity: z.number().int().min(1), price: z.number(), active: z.boolean() })) }),
};

/** From a call's JSON text to a result message. */
export async function dispatcher() {
  const { createTool } = await import('@mastra/core/tools');
  const { act, actNested } = await import('../workloads/dispatch.mjs');
  const acts = { search_files: act, sum_items: actNested };
  const tools = Object.fromEntries(Object.entries(dispatched).map(([id, inputSchema]) => [id, createTool({ id, description: id, inputSchema, execute: async (input) => acts[id](input) })]));
  return async ({ name, json }) => {
    const output = await tools[name].execute(JSON.parse(json), {});
    return { role: 'tool', tool_call_id: 'c1', name, content: output?.error === true ? output.message : JSON.stringify(output) };
  };
}

/** A run of `turns` turns with one call each; the final text. */
export async function loop() {
  const { Agent } = await import('@mastra/core/agent');
  const { createTool } = await import('@mastra/core/tools');
  const inputSchema = z.object({ pattern: z.string().min(1), limit: z.number().int().min(1).max(500) });
  const made = new Map();
  return async ({ turns, tools: count }) => {
    if (!made.has(count)) made.set(count, Object.fromEntries(Array.from({ length: count }, (_, index) => (index === 0 ? 'search' : `other_${index}`)).map((id) => [id, createTool({ id, description: id, inputSchema, execute: async ({ pattern, limit }) => ({ found: pattern.length + limit }) })])));
    const model = await scripted((at) => (at < turns ? [{ type: 'tool-call', toolCallId: `c${at}`, toolName: 'search', input: JSON.stringify({ pattern: `word${at}`, limit: 10 }) }] : [{ type: 'text', text: 'done' }]));
    const agent = new Agent({ id: 'bench', name: 'bench', instructions: 'go', model, tools: made.get(count) });
    return (await agent.generate('go', { maxSteps: turns + 2 })).text;
  };
}

/** A turn of `count` calls of `ms` milliseconds; the number of results. */
export async function parallel() {
  const { Agent } = await import('@mastra/core/agent');
  const { createTool } = await import('@mastra/core/tools');
  const { setTimeout: sleep } = await import('node:timers/promises');
  return async ({ count, ms }) => {
    let results = 0;
    const pause = createTool({ id: 'pause', description: 'pause', inputSchema: z.object({}), execute: async () => sleep(ms, 'ok').finally(() => (results += 1)) });
    const model = await scripted((at) => (at === 0 ? Array.from({ length: count }, (_, index) => ({ type: 'tool-call', toolCallId: `c${index}`, toolName: 'pause', input: '{}' })) : [{ type: 'text', text: 'done' }]));
    await new Agent({ id: 'bench', name: 'bench', instructions: 'go', model, tools: { pause } }).generate('go', { maxSteps: 3 });
    return results;
  };
}

/** The list of a hundred tools as it is sent to a provider. */
export async function list(names, shape) {
  const { createTool } = await import('@mastra/core/tools');
  const { asSchema } = await import('ai');
  const tools = names.map((id) => createTool({ id, description: id, inputSchema: z.object(shape(z)), execute: async () => '' }));
  return { list: () => Promise.all(tools.map(async ({ id, description, inputSchema }) => ({ type: 'function', name: id, description, inputSchema: await asSchema(inputSchema).jsonSchema }))) };
}

/** `contentOf`: what answer number `at` says. */
async function scripted(contentOf) {
  const { MockLanguageModelV3 } = await import('ai/test');
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  let at = 0;
  const answer = () => {
    const content = contentOf(at++);
    return { content, finishReason: { unified: content[0].type === 'text' ? 'stop' : 'tool-calls', raw: undefined }, usage, warnings: [] };
  };
  const doStream = async () => {
    const { content, finishReason } = answer();
    const parts = content.flatMap((part) => (part.type === 'text' ? [{ type: 'text-start', id: '1' }, { type: 'text-delta', id: '1', delta: part.text }, { type: 'text-end', id: '1' }] : [part]));
    return { stream: ReadableStream.from([{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason, usage }]) };
  };
  return new MockLanguageModelV3({ doGenerate: async () => answer(), doStream });
}
