// One process of one contestant: load the library, make 100 tools of 6 parameters, give the tool list that a provider is sent.
// Prints {bytes, peakMb}. Usage: node hundred-tools.mjs CONTESTANT
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const count = 100;
const names = Array.from({ length: count }, (_, index) => `tool_${index}`);
const fields = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];

const zodShape = (z) => ({
  alpha: z.string().min(1).describe('A text'),
  beta: z.string().max(100).describe('Another text'),
  gamma: z.number().int().min(1).max(500).describe('A whole number'),
  delta: z.number().describe('A number'),
  epsilon: z.boolean().describe('A switch'),
  zeta: z.enum(['one', 'two', 'three']).describe('A choice'),
});

/** contestant → async () => ({ list }) where `list()` gives what is sent to a provider */
const contestants = {
  async node() {
    return { list: () => names };
  },
  /** Not a way to make tools: what tools that are described with its decorators pay for it. */
  async 'class-validator import'() {
    createRequire(new URL('../../packages/core/package.json', import.meta.url))('class-validator');
    return { list: () => names };
  },
  async floor() {
    const properties = { alpha: { type: 'string', minLength: 1 }, beta: { type: 'string', maxLength: 100 }, gamma: { type: 'integer', minimum: 1, maximum: 500 }, delta: { type: 'number' }, epsilon: { type: 'boolean' }, zeta: { type: 'string', enum: ['one', 'two', 'three'] } };
    return { list: () => names.map((name) => ({ type: 'function', function: { name, description: name, parameters: { type: 'object', properties, required: fields, additionalProperties: false } } })) };
  },
  async 'ai-sdk'() {
    const { z } = await import('zod');
    const { tool, asSchema } = await import('ai');
    const tools = names.map((name) => [name, tool({ description: name, inputSchema: z.object(zodShape(z)), execute: async () => '' })]);
    return { list: () => Promise.all(tools.map(async ([name, made]) => ({ type: 'function', name, description: made.description, inputSchema: await asSchema(made.inputSchema).jsonSchema }))) };
  },
  async 'anthropic runner'() {
    const { z } = await import('zod');
    await import('@anthropic-ai/sdk');
    const { betaZodTool } = await import('@anthropic-ai/sdk/helpers/beta/zod');
    return { list: () => names.map((name) => betaZodTool({ name, description: name, inputSchema: z.object(zodShape(z)), run: async () => '' })) };
  },
  async 'openai zodFunction'() {
    const { z } = await import('zod');
    await import('openai');
    const { zodFunction } = await import('openai/helpers/zod');
    return { list: () => names.map((name) => zodFunction({ name, description: name, parameters: z.object(zodShape(z)) })) };
  },
  async 'openai agents'() {
    const { z } = await import('zod');
    const { tool } = await import('@openai/agents');
    return { list: () => names.map((name) => tool({ name, description: name, parameters: z.object(zodShape(z)), execute: async () => '' })) };
  },
  async langchain() {
    const { z } = await import('zod');
    const { tool } = await import('@langchain/core/tools');
    const { convertToOpenAITool } = await import('@langchain/core/utils/function_calling');
    const tools = names.map((name) => tool(async () => '', { name, description: name, schema: z.object(zodShape(z)) }));
    return { list: () => tools.map((made) => convertToOpenAITool(made)) };
  },
  async 'mcp sdk'() {
    const { z } = await import('zod');
    const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { InMemoryTransport } = await import('@modelcontextprotocol/sdk/inMemory.js');
    const server = new McpServer({ name: 'bench', version: '1.0.0' });
    for (const name of names) server.registerTool(name, { description: name, inputSchema: zodShape(z) }, async () => ({ content: [] }));
    const client = new Client({ name: 'bench', version: '1.0.0' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
    return { list: async () => (await client.listTools()).tools };
  },
  async 'class-validator-jsonschema'() {
    await import('reflect-metadata');
    const { validationMetadatasToSchemas } = await import('class-validator-jsonschema');
    const { IsString, MinLength, MaxLength, IsInt, Min, Max, IsNumber, IsBoolean, IsIn } = await import('class-validator');
    for (const name of names) decorate(class {}, name, { alpha: [IsString(), MinLength(1)], beta: [IsString(), MaxLength(100)], gamma: [IsInt(), Min(1), Max(500)], delta: [IsNumber()], epsilon: [IsBoolean()], zeta: [IsIn(['one', 'two', 'three'])] });
    return { list: () => Object.entries(validationMetadatasToSchemas()) };
  },
  async mastra() {
    const { list } = await import('../heavy/mastra.mjs');
    return list(names, zodShape);
  },
  async 'mcp-nest'() {
    const { list } = await import('../heavy/mcp-nest.mjs');
    return list(names, zodShape);
  },
  async haft() {
    const { haftTools } = await import('../contestants/haft-classes.mjs');
    return haftTools(names);
  },
};

function decorate(target, name, rules) {
  Object.defineProperty(target, 'name', { value: name });
  for (const [field, decorators] of Object.entries(rules)) for (const decorator of decorators) decorator(target.prototype, field);
}

/** The most memory that this process itself held; what Node reports can be its parent's at the moment of the fork. */
function peakMb() {
  try {
    return Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}

const make = contestants[process.argv[2]];
if (!make) throw new Error(`contestants: ${Object.keys(contestants).join(', ')}`);
const { list } = await make();
const first = JSON.stringify(await list());
if (!process.argv.includes('--exit-only') && JSON.parse(first).length !== count) throw new Error(`listed ${JSON.parse(first).length} tools`);
process.stdout.write(`${JSON.stringify({ bytes: first.length, peakMb: peakMb() })}\n`);
