// The peers' own way from a call's JSON text to a result message, each as its documentation shows it.
import { z } from 'zod';
import { act, actNested, description } from '../workloads/dispatch.mjs';

const shape = {
  pattern: z.string().min(1).describe('Regular expression'),
  dir: z.string().default('.').describe('Directory'),
  limit: z.number().int().min(1).max(500).default(50).describe('Most matches'),
  mode: z.enum(['regex', 'literal']).default('regex').describe('How to match'),
};
const itemsShape = { items: z.array(z.object({ id: z.string(), quantity: z.number().int().min(1), price: z.number(), active: z.boolean() })) };
const names = { search_files: [shape, act], sum_items: [itemsShape, actNested] };

/** @returns {Promise<Record<string, (name: string, json: string) => unknown>>} */
export async function dispatchers() {
  return { 'ai-sdk': await aiSdk(), 'anthropic runner': await anthropic(), 'openai agents': await agents(), langchain: await langchain(), 'mcp sdk': await mcp(), 'class-validator': await classValidator() };
}

async function aiSdk() {
  const { tool } = await import('ai');
  const { safeParseJSON, asSchema } = await import('@ai-sdk/provider-utils');
  const tools = Object.fromEntries(Object.entries(names).map(([name, [fields, run]]) => [name, tool({ description, inputSchema: z.object(fields), execute: async (input) => run(input) })]));
  return async (name, json) => {
    const found = tools[name];
    const parsed = await safeParseJSON({ text: json, schema: asSchema(found.inputSchema) });
    if (!parsed.success) return { type: 'tool-error', toolName: name, error: String(parsed.error.message) };
    const output = await found.execute(parsed.value, { toolCallId: 'c1', messages: [] });
    return { type: 'tool-result', toolCallId: 'c1', toolName: name, output: JSON.stringify(output) };
  };
}

async function anthropic() {
  const { betaZodTool } = await import('@anthropic-ai/sdk/helpers/beta/zod');
  const tools = new Map(Object.entries(names).map(([name, [fields, run]]) => [name, betaZodTool({ name, description, inputSchema: z.object(fields), run: async (input) => JSON.stringify(run(input)) })]));
  return async (name, json) => {
    const tool = tools.get(name);
    try {
      return { type: 'tool_result', tool_use_id: 'c1', content: await tool.run(tool.parse(JSON.parse(json))) };
    } catch (error) {
      return { type: 'tool_result', tool_use_id: 'c1', content: `Error: ${error.message}`, is_error: true };
    }
  };
}

async function agents() {
  const { RunContext, tool, setTracingDisabled } = await import('@openai/agents');
  setTracingDisabled(true);
  const tools = new Map(Object.entries(names).map(([name, [fields, run]]) => [name, tool({ name, description, parameters: z.object(fields), execute: async (input) => run(input) })]));
  const context = new RunContext({});
  return async (name, json) => {
    const output = await tools.get(name).invoke(context, json);
    return { type: 'function_call_result', callId: 'c1', name, output: typeof output === 'string' ? output : JSON.stringify(output) };
  };
}

async function langchain() {
  const { tool } = await import('@langchain/core/tools');
  const tools = new Map(Object.entries(names).map(([name, [fields, run]]) => [name, tool(async (input) => JSON.stringify(run(input)), { name, description, schema: z.object(fields) })]));
  return async (name, json) => {
    try {
      const message = await tools.get(name).invoke({ name, args: JSON.parse(json), id: 'c1', type: 'tool_call' });
      return { content: message.content };
    } catch (error) {
      return { content: `Error: ${error.message}` };
    }
  };
}

async function mcp() {
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { InMemoryTransport } = await import('@modelcontextprotocol/sdk/inMemory.js');
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  for (const [name, [fields, run]] of Object.entries(names)) {
    server.registerTool(name, { description, inputSchema: fields }, async (input) => ({ content: [{ type: 'text', text: JSON.stringify(run(input)) }] }));
  }
  const client = new Client({ name: 'bench', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return async (name, json) => {
    const result = await client.callTool({ name, arguments: JSON.parse(json) });
    return { content: result.content[0].text };
  };
}

async function classValidator() {
  await import('reflect-metadata');
  const { plainToInstance, Type } = await import('class-transformer');
  const { validate, IsString, MinLength, IsInt, Min, Max, IsIn, IsNumber, IsBoolean, ValidateNested, IsArray } = await import('class-validator');
  const rule = (target, field, ...decorators) => decorators.forEach((decorator) => decorator(target.prototype, field));
  class Search {}
  rule(Search, 'pattern', IsString(), MinLength(1));
  rule(Search, 'dir', IsString());
  rule(Search, 'limit', IsInt(), Min(1), Max(500));
  rule(Search, 'mode', IsIn(['regex', 'literal']));
  class Item {}
  rule(Item, 'id', IsString());
  rule(Item, 'quantity', IsInt(), Min(1));
  rule(Item, 'price', IsNumber());
  rule(Item, 'active', IsBoolean());
  class Items {}
  rule(Items, 'items', IsArray(), ValidateNested({ each: true }), Type(() => Item));
  const classes = new Map([['search_files', [Search, act]], ['sum_items', [Items, actNested]]]);
  return async (name, json) => {
    const [target, run] = classes.get(name);
    const instance = plainToInstance(target, JSON.parse(json));
    const errors = await validate(instance);
    if (errors.length > 0) return { content: errors.map((error) => Object.values(error.constraints ?? {}).join(', ')).join('; ') };
    return { content: JSON.stringify(run(instance)) };
  };
}
