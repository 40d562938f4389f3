// mcp-nest: a Nest application whose controller's methods are MCP tools, over a transport in memory.
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { z } from 'zod';

const require = createRequire(import.meta.url);

/** From a call's JSON text to a result message. */
export async function dispatcher() {
  const { act, actNested } = await import('../workloads/dispatch.mjs');
  const client = await clientOf([
    { name: 'search_files', parameters: z.object({ pattern: z.string().min(1), dir: z.string().default('.'), limit: z.number().int().min(1).max(500).default(50), mode: z.enum(['regex', 'literal']).default('regex') }), run: act },
    { name: 'sum_items', parameters: z.object({ items: z.array(z.object({ id: z.string(), quantity: z.number().int().min(1), price: z.number(), active: z.boolean() })) }), run: actNested },
  ]);
  return async ({ name, json }) => {
    const result = await client.callTool({ name, arguments: JSON.parse(json) });
    return { role: 'tool', tool_call_id: 'c1', name, content: result.content[0].text };
  };
}

/** The list of a hundred tools as a client reads it. */
export async function list(names, shape) {
  const client = await clientOf(names.map((name) => ({ name, parameters: z.object(shape(z)), run: () => '' })));
  return { list: async () => (await client.listTools()).tools };
}

async function clientOf(tools) {
  const { McpController, McpStrategy, Tool } = require('@rekog/mcp-nest');
  const { NestFactory } = require('@nestjs/core');
  const { Module } = require('@nestjs/common');
  const { Payload } = require('@nestjs/microservices');
  class Controller {}
  for (const { name, parameters, run } of tools) {
    Controller.prototype[name] = async (input) => ({ content: [{ type: 'text', text: JSON.stringify(run(input)) }] });
    Tool({ name, description: name, parameters })(Controller.prototype, name, Object.getOwnPropertyDescriptor(Controller.prototype, name));
    Payload()(Controller.prototype, name, 0);
  }
  McpController()(Controller);
  class Application {}
  Module({ controllers: [Controller] })(Application);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const inMemory = { kind: 'stdio', start: (context) => context.createBoundServer({ transport: 'stdio', stateless: false }).connect(far), close: async () => undefined };
  const strategy = new McpStrategy({ name: 'bench', version: '1.0.0', transports: [inMemory] });
  await (await NestFactory.createMicroservice(Application, { strategy, logger: false })).listen();
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(near);
  return client;
}
