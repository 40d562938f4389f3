// Haft itself, from the built packages: decorated classes, the whole guarded path.
import { Param, PluginHost, ToolRegistry, createDispatcher, createPolicy, definePlugin, definitionsOf, tool as functionTool } from '../../packages/core/dist/index.js';
import { parameters, rules, toolClass } from './haft-classes.mjs';
import { madeOnce } from './loops.mjs';
import { act, actNested, description } from '../workloads/dispatch.mjs';

const { IsBoolean, IsInt, IsNumber, IsString, Max, Min, MinLength } = rules;

const services = { get: () => undefined, create: (target) => new target() };

/** As a program has it: tools and services from a plugin host, the rules that hold by default. */
export async function haftDispatch() {
  const plugin = definePlugin({ name: 'bench', tools: [searchTool(), sumTool()] })();
  const host = await PluginHost.start({ plugins: [plugin], root: process.cwd() });
  const dispatcher = createDispatcher({ registry: host.registry, policy: createPolicy({ rules: [] }) });
  const context = { sessionId: 's1', signal: new AbortController().signal, services: host.openSession('s1') };
  return async (name, json) => {
    const result = await dispatcher.dispatch({ id: 'c1', name, arguments: json }, context);
    return { role: 'tool', tool_call_id: 'c1', name, content: result.content };
  };
}

export async function haftLoop() {
  const { callWithTools } = await import('../../packages/agent/dist/index.js');
  return async (turns, count) => {
    const result = await callWithTools({ model: scripted(turns), ...loopTools(count), services, prompt: 'go', limits: { maxTurns: turns + 2 } });
    return result.text;
  };
}

/** The same with the OpenAI adapter and the SDK under it, on a `fetch` that answers at once: what a turn costs without the network. */
export async function haftLoopOnSdk() {
  const { callWithTools } = await import('../../packages/agent/dist/index.js');
  const { openai } = await import('../../packages/openai/dist/index.js');
  return async (turns, count) => {
    const { fetch } = globalThis;
    let turn = 0;
    globalThis.fetch = async () => new Response(chatEvents(turn++, turns), { status: 200, headers: { 'content-type': 'text/event-stream' } });
    try {
      const model = openai({ model: 'm', apiKey: 'none', baseURL: 'http://127.0.0.1:9/v1', api: 'chat' });
      return (await callWithTools({ model, ...loopTools(count), services, prompt: 'go', limits: { maxTurns: turns + 2 } })).text;
    } finally {
      globalThis.fetch = fetch;
    }
  };
}

const loopTools = madeOnce((names) => {
  const registry = new ToolRegistry();
  for (const name of names) registry.register(definitionsOf(loopTool(name))[0], 'bench');
  return { registry, dispatcher: createDispatcher({ registry }) };
});

function chatEvents(turn, turns) {
  const call = { index: 0, id: `c${turn}`, type: 'function', function: { name: 'search', arguments: JSON.stringify({ pattern: `word${turn}`, limit: 10 }) } };
  const choice = turn < turns ? { delta: { tool_calls: [call] }, finish_reason: 'tool_calls' } : { delta: { content: 'done' }, finish_reason: 'stop' };
  return `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }], usage: { prompt_tokens: 1, completion_tokens: 1 } })}\n\ndata: [DONE]\n\n`;
}

function searchTool() {
  class Search {
    dir = '.';
    limit = 50;
    mode = 'regex';
    execute() {
      return act(this);
    }
  }
  return toolClass(Search, description, { name: 'search_files', scopes: ['read'] }, {
    pattern: [Param('Regular expression', { type: () => String }), MinLength(1)],
    dir: [Param('Directory', { type: () => String })],
    limit: [Param('Most matches'), IsInt(), Min(1), Max(500)],
    mode: [Param('How to match', { enum: ['regex', 'literal'] })],
  });
}

function sumTool() {
  class Item {}
  parameters(Item, { id: [Param('Id'), IsString()], quantity: [Param('Pieces'), IsInt(), Min(1)], price: [Param('Price'), IsNumber()], active: [Param('On sale'), IsBoolean()] });
  class Sum {
    execute() {
      return actNested(this);
    }
  }
  return toolClass(Sum, description, { name: 'sum_items', scopes: ['read'] }, { items: [Param('Items', { type: () => [Item] })] });
}

function loopTool(name) {
  class Search {
    execute() {
      return { found: this.pattern.length + this.limit };
    }
  }
  return toolClass(Search, name, { name, scopes: ['read'] }, { pattern: [Param('Pattern'), IsString(), MinLength(1)], limit: [Param('Limit'), IsInt(), Min(1), Max(500)] });
}

function scripted(turns) {
  let turn = 0;
  return {
    provider: 'scripted',
    model: 'm',
    async *stream() {
      const at = turn++;
      const parts = at < turns ? [{ type: 'tool_call', id: `c${at}`, name: 'search', arguments: JSON.stringify({ pattern: `word${at}`, limit: 10 }) }] : [{ type: 'text', text: 'done' }];
      const finish = at < turns ? 'tool_calls' : 'stop';
      yield { type: 'turn', turn: { message: { role: 'assistant', parts }, finish, usage: { input: 1, output: 1 } } };
    },
  };
}

/** The file tools over the real dispatcher, on a folder. `searcher`: as in the plugin's options. */
export async function haftFiles(root, searcher) {
  const core = await import('../../packages/core/dist/index.js');
  const { ProcessRunner } = await import('../../packages/process/dist/index.js');
  const { fs } = await import('../../plugins/fs/dist/index.js');
  const workspace = await core.Workspace.open({ root });
  const runner = new ProcessRunner();
  const plugins = [fs(searcher === undefined ? {} : { searcher })];
  const host = await core.PluginHost.start({ plugins, services: [{ provide: core.Workspace, useValue: workspace }, { provide: ProcessRunner, useValue: runner }], root });
  const policy = createPolicy({ rules: [{ source: { kind: 'flag', where: 'bench' }, allow: ['*'] }] });
  const dispatcher = createDispatcher({ registry: host.registry, policy, resolver: core.createAccessResolver(workspace) });
  const session = host.openSession('bench');
  const context = { sessionId: 'bench', signal: new AbortController().signal, services: session };
  const call = async (name, args) => {
    const result = await dispatcher.dispatch({ id: 'c1', name, arguments: JSON.stringify(args) }, context);
    if (!result.success) throw new Error(`${name}: ${result.error}`);
    return result;
  };
  return {
    text: async (name, args) => (await call(name, args)).content,
    total: async (name, args) => (await call(name, args)).data.total,
    close: async () => {
      await host.dispose();
      await runner.dispose();
      workspace.close();
    },
  };
}

export async function haftShortlist(tools) {
  const registry = new ToolRegistry();
  for (const tool of tools) {
    const properties = Object.fromEntries(Object.entries(tool.parameters).map(([name, text]) => [name, { type: 'string', ...(text === '' ? {} : { description: text }) }]));
    registry.register(functionTool({ name: tool.name, description: tool.description, scopes: [], parameters: { type: 'object', properties } }, () => ''), 'bench');
  }
  return (query) => registry.shortlist(query, 8).map((entry) => entry.tool.name);
}

export async function haftParallel(count, ms) {
  const { callWithTools } = await import('../../packages/agent/dist/index.js');
  const { setTimeout: sleep } = await import('node:timers/promises');
  const registry = new ToolRegistry();
  registry.register(functionTool({ name: 'pause', description: 'pause', scopes: ['read'] }, () => sleep(ms, 'ok')), 'bench');
  const dispatcher = createDispatcher({ registry, limits: { maxConcurrency: count, maxRepeats: Number.MAX_SAFE_INTEGER } });
  return async () => {
    let turn = 0;
    const model = {
      provider: 'scripted',
      model: 'm',
      async *stream() {
        const parts = turn++ === 0 ? Array.from({ length: count }, (_, index) => ({ type: 'tool_call', id: `c${index}`, name: 'pause', arguments: '{}' })) : [{ type: 'text', text: 'done' }];
        const finish = turn === 1 ? 'tool_calls' : 'stop';
        yield { type: 'turn', turn: { message: { role: 'assistant', parts }, finish, usage: { input: 1, output: 1 } } };
      },
    };
    const result = await callWithTools({ model, registry, dispatcher, services, prompt: 'go', limits: { maxParallelCalls: count, maxIdenticalCalls: count } });
    return result.toolCalls.filter((call) => call.result.success).length;
  };
}
