// The agent on core's real dispatcher: what the loop's own tests do with a stand-in holds with the real one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type ApprovalAnswer, Param, PluginHost, SetupError, Tool, type ToolContext, ToolFailure, ToolRegistry, Workspace, createDispatcher, definePlugin, tool } from '@haft/core';
import { fakeTool, noServices } from '@haft/core/testing';
import { collect, tick, toolMessages } from '../../test/kit.js';
import { type RunResult, callWithTools, createAgent, subRun } from '../index.js';
import { scriptedModel } from '../testing/scripted-model.js';

function registryWith(...tools: ReturnType<typeof fakeTool>[]): ToolRegistry {
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register(tool, 'test');
  return registry;
}

test('unknown tool, bad JSON, non-object arguments, a failing tool and a good call in one turn: five results, the run goes on', async () => {
  const registry = registryWith(
    fakeTool({ name: 'echo' }, ({ text }) => text),
    fakeTool({ name: 'boom' }, () => { throw new ToolFailure('not_found', 'There is no such thing.'); }),
  );
  const calls = [{ name: 'ecko' }, { name: 'echo', arguments: '{"text":' }, { name: 'echo', arguments: '[1]' }, { name: 'boom' }, { name: 'echo', arguments: { text: 'fine' } }];
  const model = scriptedModel([{ calls }, { text: 'done' }]);
  const result = await callWithTools({ model, registry, services: noServices, prompt: 'go' });
  expect(result.status).toBe('completed');
  expect(result.toolCalls.map((entry) => entry.result.code ?? entry.result.status)).toEqual(['unknown_tool', 'invalid_arguments', 'invalid_arguments', 'not_found', 'success']);
  expect(toolMessages(model.requests[1]?.messages ?? [])).toHaveLength(5);
});

test('PROT-03: arguments that are not one JSON object never run, and every id gets exactly one result', async () => {
  const ran: unknown[] = [];
  const registry = registryWith(fakeTool({ name: 'echo' }, ({ text }) => { ran.push(text); return text; }));
  const texts = ['[1]', '"x"', '```json\n{"text":"y"}\n```', '{"text":"a"}{"text":"b"}', '{"text":"a"} trailing', "{text:'a'}"];
  const model = scriptedModel([{ calls: texts.map((text, index) => ({ id: String(index + 1), name: 'echo', arguments: text })) }, { text: 'done' }]);
  const result = await callWithTools({ model, registry, services: noServices, prompt: 'go' });
  expect(result.toolCalls).toHaveLength(6);
  expect(new Set(toolMessages(model.requests[1]?.messages ?? []).map((message) => message.callId)).size).toBe(6);
  expect(ran.filter((text) => text !== 'y')).toEqual([]);
  for (const index of [0, 1, 3]) expect(result.toolCalls[index]?.result.code).toBe('invalid_arguments');
});

test('PROT-11: hostile tool names are plain unknown tools', async () => {
  const registry = registryWith(fakeTool({ name: 'read_file' }));
  const names = ['constructor', '__proto__', 'toString', 'Read_File', 'functions.read_file', ''];
  const model = scriptedModel([{ calls: names.map((name) => ({ name })) }, { text: 'done' }]);
  const result = await callWithTools({ model, registry, services: noServices, prompt: 'go' });
  expect(result.toolCalls.map((entry) => entry.result.code)).toEqual(names.map(() => 'unknown_tool'));
});

test('PROT-10: a time-out, a denial and a failure beside a success, on the real dispatcher', async () => {
  const registry = registryWith(
    fakeTool({ name: 'ok' }),
    fakeTool({ name: 'boom' }, () => { throw new Error('boom'); }),
    fakeTool({ name: 'slow', timeoutMs: 20 }, () => new Promise(() => undefined)),
    fakeTool({ name: 'secret', scopes: ['dangerous'] }),
  );
  const policy = { decide: ({ tool }: { tool: { name: string } }) => ({ verdict: tool.name === 'secret' ? ('deny' as const) : ('allow' as const), reasons: [{ verdict: 'deny' as const, rule: 'no', source: { kind: 'flag' as const, where: '--deny' } }] }) };
  const dispatcher = createDispatcher({ registry, policy });
  const model = scriptedModel([{ calls: ['ok', 'boom', 'slow', 'secret', 'nope'].map((name) => ({ name })) }, { text: 'done' }]);
  const result = await callWithTools({ model, registry, dispatcher, services: noServices, prompt: 'go' });
  expect(result.toolCalls.map((entry) => entry.result.code ?? entry.result.status)).toEqual(['success', 'execution_failed', 'timeout', 'permission_denied', 'unknown_tool']);
});

test('a write asks by default: declined, then allowed; live output and progress come as events', async () => {
  const wrote: unknown[] = [];
  const registry = registryWith(fakeTool({ name: 'note', scopes: ['write'] }, async ({ text }, context) => {
    context.progress('half');
    context.output('chunk');
    await tick(1);
    wrote.push(text);
    return 'noted';
  }));
  const note = (text: string) => ({ calls: [{ name: 'note', arguments: { text } }] });
  const agent = createAgent({ model: scriptedModel([note('a'), note('b'), { text: 'done' }]), registry, services: noServices });
  const { events, result } = await collect(agent.run('go'), async (event) => {
    if (event.type === 'tool_call_approval' && !event.answer) await agent.answer(event.callId, event.request.arguments.text === 'b' ? { answer: 'once' } : { answer: 'deny' });
  });
  expect(wrote).toEqual(['b']);
  expect(result.toolCalls.map((entry) => entry.result.code)).toEqual(['approval_declined', undefined]);
  expect(events.filter((event) => event.type === 'tool_call_output' || event.type === 'tool_call_progress')).toMatchObject([{ update: 'half' }, { chunk: 'chunk' }]);
});

test('Ctrl-C stops a tool that does not listen soon, and the conversation stays usable', async () => {
  const registry = registryWith(fakeTool({ name: 'deaf' }, () => new Promise(() => undefined)));
  const agent = createAgent({ model: scriptedModel([{ calls: [{ name: 'deaf' }] }, { text: 'again' }]), registry, services: noServices });
  let stopped = 0;
  const { result } = await collect(agent.run('go'), (event) => {
    if (event.type === 'tool_call_started') setTimeout(() => { stopped = performance.now(); agent.abort(); }, 5);
  });
  expect(performance.now() - stopped).toBeLessThan(5_000);
  expect(result.toolCalls).toMatchObject([{ result: { status: 'cancelled' } }]);
  expect((await collect(agent.run('more'))).result.text).toBe('again');
});

test('a tool list that the run is not to see cannot be called either', async () => {
  const registry = registryWith(fakeTool({ name: 'one' }), fakeTool({ name: 'two' }), fakeTool({ name: 'later', defer: true }));
  const model = scriptedModel([{ calls: [{ name: 'two' }] }, { text: 'done' }]);
  const { result } = await collect(createAgent({ model, registry, services: noServices, tools: ['one'] }).run('go'));
  expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(['one']);
  expect(result.toolCalls[0]?.result.code).toBe('unknown_tool');
});

test('a deferred tool is shown once the model has searched for it, and stays', async () => {
  const registry = registryWith(fakeTool({ name: 'one' }), fakeTool({ name: 'weather_report', description: 'Tells the weather of a city.', defer: true }), fakeTool({ name: 'other', description: 'Counts sheep.', defer: true }));
  const model = scriptedModel([{ text: 'nothing needed' }, { calls: [{ name: 'search_tools', arguments: { query: 'weather', limit: 1 } }] }, { calls: [{ name: 'weather_report' }] }, { text: 'sunny' }, { text: 'again' }]);
  const agent = createAgent({ model, registry, services: noServices });
  await collect(agent.run('hello'));
  const { result } = await collect(agent.run('weather?'));
  await collect(agent.run('and tomorrow?'));
  expect(result.toolCalls.map((entry) => entry.result.status)).toEqual(['success', 'success']);
  const shown = model.requests.map((request) => request.tools.map(({ name }) => name).join(' '));
  expect(shown).toEqual(['one search_tools', 'one search_tools', 'one weather_report search_tools', 'one weather_report search_tools', 'one weather_report search_tools']);
  expect(model.requests[0]?.tools).toBe(model.requests[1]?.tools);
});

@Tool('Adds two numbers.', { name: 'add', scopes: [] })
class Add {
  @Param('One')
  a!: number;

  @Param('Other')
  b!: number;

  execute(): number {
    return this.a + this.b;
  }
}

test('callWithTools takes decorated classes and functions as they are', async () => {
  const greet = tool({ name: 'greet', description: 'Greets.', scopes: [] }, () => 'hello');
  const model = scriptedModel([{ calls: [{ name: 'add', arguments: { a: 1, b: 2 } }, { name: 'greet' }] }, { text: 'done' }]);
  const result = await callWithTools({ model, tools: [Add, greet], prompt: 'go' });
  expect(result.toolCalls.map((entry) => entry.result.content)).toEqual(['3', 'hello']);
  await expect(callWithTools({ model, tools: [Add], registry: new ToolRegistry(), prompt: 'go' })).rejects.toThrow('either');
});

@Tool('Tells how long a file is.', { name: 'count', scopes: ['read'] })
class Count {
  @Param('File', { kind: 'path', access: 'read' })
  path!: string;

  constructor(private readonly workspace: Workspace) {}

  async execute(): Promise<number> {
    return (await this.workspace.readFile(this.path)).length;
  }
}

describe('a tool with a path', () => {
  const calls = [{ name: 'count', arguments: { path: 'x.txt' } }, { name: 'count', arguments: { path: '../y.txt' } }];
  let folder: string;
  let workspace: Workspace;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'haft-agent-'));
    writeFileSync(join(folder, 'x.txt'), 'hello');
    workspace = await Workspace.open({ root: folder });
  });
  afterEach(() => {
    workspace.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const codes = (result: RunResult) => result.toolCalls.map(({ result: { code, content } }) => code ?? content);

  test('works with callWithTools where a Workspace is provided', async () => {
    const provide = [{ provide: Workspace, useValue: workspace }];
    const result = await callWithTools({ model: scriptedModel([{ calls }, { text: 'done' }]), tools: [Count], provide, prompt: 'go' });
    expect(codes(result)).toEqual(['5', 'path_outside_workspace']);
  });

  test('works with createAgent over a host that has one', async () => {
    const counting = definePlugin({ name: 'counting', tools: [Count] });
    const host = await PluginHost.start({ plugins: [counting()], services: [{ provide: Workspace, useValue: workspace }], root: folder });
    const agent = createAgent({ model: scriptedModel([{ calls }, { text: 'done' }]), host });
    expect(codes((await collect(agent.run('go'))).result)).toEqual(['5', 'path_outside_workspace']);
    await agent.dispose();
    await host.dispose();
  });

  test('without one is refused with the reason, not as if the path led outside', async () => {
    const count = fakeTool({ name: 'count', resources: [{ path: 'path', kind: 'path', access: 'read' }] });
    const result = await callWithTools({ model: scriptedModel([{ calls }, { text: 'done' }]), tools: [count], prompt: 'go' });
    expect(result.toolCalls[0]?.result).toMatchObject({ code: 'path_outside_workspace', error: expect.stringMatching(/no workspace.*give the dispatcher a Workspace/) });
  });
});

test('what is missing or of the wrong kind is told as a mistake of the set-up, before anything runs', async () => {
  const model = scriptedModel([]);
  const registry = new ToolRegistry();
  const wrong = (options: object) => callWithTools({ model, registry, prompt: 'go', ...options } as Parameters<typeof callWithTools>[0]);
  await expect(wrong({ model: undefined })).rejects.toThrow(/`model` is missing.*offline\(\)/);
  await expect(wrong({ model: 'gpt-5' })).rejects.toThrow(/`model` is no model adapter/);
  await expect(wrong({ prompt: undefined })).rejects.toThrow('The prompt is missing');
  await expect(wrong({ prompt: 7 })).rejects.toThrow('no text and no user message');
  await expect(wrong({ prompt: undefined })).rejects.toBeInstanceOf(SetupError);
  expect(() => createAgent({ registry } as unknown as Parameters<typeof createAgent>[0])).toThrow(SetupError);
  expect(() => createAgent({ model, registry, tools: [Add] as never })).toThrow(/names.*callWithTools\(\{ tools \}\)/);
});

test('a sensitive argument reaches the tool, and no event', async () => {
  let got: unknown;
  const registry = registryWith(fakeTool({ name: 'login', scopes: ['write'], sensitive: ['password'] }, ({ password }) => { got = password; return 'in'; }));
  const model = scriptedModel([{ calls: [{ name: 'login', arguments: { user: 'me', password: 'hunter2' } }] }, { text: 'done' }]);
  const agent = createAgent({ model, registry, services: noServices });
  const { events } = await collect(agent.run('go'), async (event) => { if (event.type === 'tool_call_approval' && !event.answer) await agent.answer(event.callId, { answer: 'once' }); });
  expect(got).toBe('hunter2');
  expect(events.filter((event) => event.type.startsWith('tool_call')).length).toBeGreaterThan(2);
  expect(JSON.stringify(events)).not.toContain('hunter2');
});

test('the model is told when the user edited its call', async () => {
  const registry = registryWith(fakeTool({ name: 'note', scopes: ['write'] }, ({ text }) => `noted ${JSON.stringify(text)}`));
  const model = scriptedModel([{ calls: [{ name: 'note', arguments: { text: 'a' } }] }, { text: 'done' }]);
  const approver = { ask: ({ arguments: { text } }: { arguments: { text?: unknown } }) => Promise.resolve(text === 'a' ? { answer: 'edit' as const, arguments: { text: 'b' } } : { answer: 'once' as const }) };
  const { result } = await collect(createAgent({ model, registry, services: noServices, approver }).run('go'));
  expect(result.toolCalls[0]?.result.content).toBe('(The user changed the arguments, to: {"text":"b"})\nnoted "b"');
});

test('a tool that runs an agent: fewer tools, the same policy, its questions are asked, its end ends it', async () => {
  const wrote: unknown[] = [];
  const inner = scriptedModel([{ calls: [{ name: 'note', arguments: { text: 'x' } }, { name: 'look' }, { name: 'delegate' }, { name: 'note', arguments: '[' }] }, { text: 'inner done' }]);
  const registry = registryWith(
    fakeTool({ name: 'note', scopes: ['write'] }, ({ text }) => { wrote.push(text); return 'noted'; }),
    fakeTool({ name: 'look' }, () => 'seen'),
    fakeTool({ name: 'delegate' }, async (_values, context: ToolContext) => {
      const result = await subRun(context, { model: inner, registry, tools: ['note', 'look'], prompt: 'inner task' });
      return { text: result.text, codes: result.toolCalls.map((entry) => entry.result.code ?? 'success') };
    }),
  );
  const outer = scriptedModel([{ calls: [{ name: 'delegate' }] }, { text: 'outer done' }]);
  const agent = createAgent({ model: outer, registry, services: noServices });
  const asked: string[] = [];
  const { result } = await collect(agent.run('go'), async (event) => {
    if (event.type !== 'tool_call_approval' || event.answer) return;
    asked.push(event.request.tool);
    await agent.answer(event.callId, { answer: 'once' });
  });
  expect(asked).toEqual(['note']);
  expect(wrote).toEqual(['x']);
  expect(result.toolCalls[0]?.result.data).toEqual({ text: 'inner done', codes: ['success', 'success', 'unknown_tool', 'invalid_arguments'] });
  expect(inner.requests[0]?.tools.map(({ name }) => name)).toEqual(['note', 'look']);
});

describe('what makes no sense is refused before anything runs', () => {
  const base = { registry: new ToolRegistry(), services: noServices };

  test.each([
    { limits: { maxTurns: 0 } }, { limits: { maxParallelCalls: -1 } }, { limits: { maxMs: Number.NaN } }, { limits: { maxCalls: 1.5 } },
    { retry: { attempts: 0 } }, { retry: { baseMs: Number.POSITIVE_INFINITY } },
  ])('%j', (options) => {
    expect(() => createAgent({ ...base, model: scriptedModel([]), ...options })).toThrow(SetupError);
  });

  test('an empty prompt, and a second run beside the first', async () => {
    const agent = createAgent({ ...base, model: scriptedModel([{ text: 'hi', delayMs: 20 }]) });
    await expect(agent.run('  ').next()).rejects.toThrow('empty');
    const first = agent.run('go');
    await first.next();
    await expect(agent.run('too').next()).rejects.toThrow('already running');
    expect((await collect(first)).result.text).toBe('hi');
  });

  test('an answer of no known shape is no consent', async () => {
    const ran: string[] = [];
    const registry = registryWith(fakeTool({ name: 'note', scopes: ['write'] }, () => ran.push('note')));
    const turns = [{ calls: [{ name: 'note' }] }, { text: 'done' }];
    const odd = { answer: 'yes' } as unknown as ApprovalAnswer;
    const asked = createAgent({ model: scriptedModel(turns), registry, services: noServices, approver: { ask: () => Promise.resolve(odd) } });
    expect((await collect(asked.run('go'))).result.toolCalls[0]?.result.code).toBe('approval_declined');
    const agent = createAgent({ model: scriptedModel(turns), registry, services: noServices });
    await collect(agent.run('go'), async (event) => {
      if (event.type !== 'tool_call_approval' || event.answer) return;
      await expect(agent.answer(event.callId, odd)).rejects.toThrow('none of once');
      await expect(agent.answer(event.callId, { answer: 'edit' } as unknown as ApprovalAnswer)).rejects.toThrow('arguments');
      await agent.answer(event.callId, { answer: 'deny' });
    });
    expect(ran).toEqual([]);
  });

  test('a programming error of an adapter ends the run as failed and is logged with its stack', async () => {
    const logged: object[] = [];
    const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: (_message: string, fields?: object) => void logged.push(fields ?? {}) };
    // eslint-disable-next-line require-yield -- it fails before its first event
    const model = { provider: 'p', model: 'm', async *stream(): AsyncGenerator<never> { throw new TypeError('adapter bug'); } };
    const { result } = await collect(createAgent({ ...base, model, log }).run('go'));
    expect(result).toMatchObject({ status: 'failed', error: { code: 'internal', message: 'adapter bug' } });
    expect(JSON.stringify(logged)).toContain('agent.test.ts');
  });
});

test('what is told too late for the last request can be taken back; otherwise the next run reads it', async () => {
  const model = scriptedModel([{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
  const agent = createAgent({ model, registry: registryWith(), services: noServices });
  const steerAtTheEnd = (text: string) => (event: { type: string }) => (event.type === 'run_finished' ? agent.steer(text) : undefined);
  await collect(agent.run('first'), steerAtTheEnd('late'));
  expect(agent.takeBackSteering()).toEqual(['late']);
  await collect(agent.run('second'), steerAtTheEnd('later'));
  expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('late');
  await collect(agent.run('third'));
  expect(JSON.stringify(model.requests[2]?.messages)).toContain('later');
});
