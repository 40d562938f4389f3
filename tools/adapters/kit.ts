// A real agent over a real adapter and the scripted server: what the tests of faults and of protocol share.
import { expect } from '@jest/globals';
import { type AgentEvent, type AgentOptions, type ModelAdapter, type RunResult, createAgent } from '../../packages/agent/dist/index.js';
import type { TransportLimits } from '../../packages/agent/dist/adapter/index.js';
import { type ModelServer, type Script, startModelServer } from '../../packages/agent/dist/testing/index.js';
import { anthropic } from '../../packages/anthropic/dist/index.js';
import { type JsonSchema, type ToolDefinition, ToolRegistry, createDispatcher, tool } from '../../packages/core/dist/index.js';
import { openai } from '../../packages/openai/dist/index.js';

export type ApiName = 'chat' | 'responses' | 'messages';

export interface Way {
  api: ApiName;
  stream: boolean;
}

/** Every format, streamed and not. */
export const ways: Way[] = (['chat', 'responses', 'messages'] as const).flatMap((api) => [true, false].map((stream) => ({ api, stream })));

export const KEY = 'sk-secret-0123456789abcdef';

export function adapter({ api, stream }: Way, baseURL: string, limits: Partial<TransportLimits> = {}, images?: boolean): ModelAdapter {
  const more = images === undefined ? {} : { images };
  if (api === 'messages') return anthropic({ model: 'claude-x', apiKey: KEY, baseURL, stream, limits, ...more });
  return openai({ model: 'gpt-x', apiKey: KEY, baseURL: `${baseURL}/v1`, api, stream, profile: 'openai', limits, ...more });
}

export interface Observed {
  result: RunResult;
  events: AgentEvent[];
  retries: (AgentEvent & { type: 'retrying' })[];
  /** The texts that the tool `note` was run with, in order. */
  ran: string[];
  /** Requests that the server saw. */
  server: ModelServer;
}

export interface Setting {
  limits?: Partial<TransportLimits>;
  agent?: Partial<AgentOptions>;
  /** Further tools beside `note`. */
  tools?: ToolDefinition[];
  signal?: AbortSignal;
  /** In place of the scripted server's address. */
  baseURL?: string;
}

/** Runs an agent whose model is the script behind the adapter, with a tool `note` that counts its runs. */
export async function runAgent(way: Way, script: Script, setting: Setting = {}): Promise<Observed> {
  const server = await startModelServer(script);
  const ran: string[] = [];
  const registry = new ToolRegistry();
  for (const definition of [noteTool(ran), ...(setting.tools ?? [])]) registry.register(definition, 'test');
  const model = adapter(way, setting.baseURL ?? server.url, { headersMs: 5000, idleMs: 5000, ...setting.limits });
  const agent = createAgent({ model, registry, dispatcher: createDispatcher({ registry }), retry: { baseMs: 8 }, canAsk: false, ...setting.agent });
  const events: AgentEvent[] = [];
  try {
    const run = agent.run('Do it.', setting.signal === undefined ? {} : { signal: setting.signal });
    for (;;) {
      const next = await run.next();
      if (next.done === true) return { result: next.value, events, retries: events.filter((event) => event.type === 'retrying'), ran, server };
      events.push(next.value);
    }
  } finally {
    await agent.dispose();
    await server.close();
  }
}

function noteTool(ran: string[]): ToolDefinition {
  const parameters: JsonSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false };
  return tool<{ text: string }>({ name: 'note', description: 'Writes a note.', scopes: [], parameters }, ({ text }) => {
    ran.push(text);
    return `noted ${text}`;
  });
}

/** The tool ran once, the history is whole and paired, the key is nowhere. */
export function expectSound({ ran, result, events }: Observed): void {
  expect(ran).toEqual(['A']);
  const users = result.messages.filter((message) => message.role === 'user' && message.origin === undefined);
  expect(users).toHaveLength(1);
  const calls = result.messages.flatMap((message) => (message.role === 'assistant' ? message.parts.filter((part) => part.type === 'tool_call').map((part) => part.id) : []));
  const results = result.messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []));
  expect(results).toEqual(calls);
  expect(JSON.stringify([result, events])).not.toContain(KEY);
}
