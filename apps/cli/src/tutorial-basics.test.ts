// The basic ideas of the field's tutorials, each once, through the whole way: scripted model, loop, dispatcher, plugin host, real files.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type RunResult, callWithTools } from '@haft/agent';
import { type ScriptedCall, type ScriptedTurn, scriptedModel } from '@haft/agent/testing';
import { Param, PluginHost, Tool, ToolFailure, type ToolSource, Workspace, createAccessResolver, createDispatcher, definePlugin } from '@haft/core';
import { ReadFile } from '@haft/plugin-fs';

@Tool('Add two whole numbers.', { name: 'add', scopes: [] })
class Add {
  @Param('First', { type: () => Number }) a!: number;
  @Param('Second', { type: () => Number }) b!: number;
  execute() {
    return { sum: this.a + this.b };
  }
}

@Tool('Always fails.', { name: 'fail', scopes: [] })
class Fail {
  execute(): never {
    throw new ToolFailure('no_luck', 'The dice said no.');
  }
}

@Tool('Say something long.', { name: 'long', scopes: [], maxOutputChars: 1_000 })
class Long {
  execute() {
    return `${'start '.repeat(1_000)}${'middle '.repeat(20_000)}the end`;
  }
}

let base: string;
let root: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'haft-basics-')));
  root = join(base, 'work');
  mkdirSync(root);
  mkdirSync(join(root, 'x'));
  writeFileSync(join(base, 'secret.txt'), 'outside');
  writeFileSync(join(root, 'a.txt'), 'inside');
});

afterEach(() => rmSync(base, { recursive: true }));

async function run(turns: ScriptedTurn[], options: { tools?: readonly ToolSource[]; maxTurns?: number } = {}): Promise<RunResult & { requests: number }> {
  const workspace = await Workspace.open({ root });
  const plugin = definePlugin({ name: 'basics', tools: options.tools ?? [Add, Fail, Long, ReadFile] });
  const host = await PluginHost.start({ plugins: [plugin()], services: [{ provide: Workspace, useValue: workspace }], root });
  const model = scriptedModel(turns);
  try {
    const dispatcher = createDispatcher({ registry: host.registry, resolver: createAccessResolver(workspace) });
    const result = await callWithTools({ model, host, dispatcher, prompt: 'go', limits: { maxTurns: options.maxTurns ?? 5, finalAnswer: false } });
    return { ...result, requests: model.requests.length };
  } finally {
    await host.dispose();
    workspace.close();
  }
}

/** One turn with these calls, then an answer. */
const calling = (...calls: ScriptedCall[]): ScriptedTurn[] => [{ calls }, { text: 'done' }];

describe('the basics of tool calling', () => {
  test('no tool: the answer is the answer', async () => {
    const result = await run([{ text: 'Hello.' }]);
    expect(result).toMatchObject({ status: 'completed', text: 'Hello.', turns: 1, toolCalls: [] });
  });

  test('one tool: its result goes back to the model, which answers', async () => {
    const result = await run(calling({ name: 'add', arguments: { a: 2, b: 40 } }));
    expect(result.text).toBe('done');
    expect(result.toolCalls[0]?.result).toMatchObject({ status: 'success', data: { sum: 42 } });
    expect(result.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  test('several calls in one turn: one result each, in the order of the calls', async () => {
    const result = await run(calling({ name: 'add', arguments: { a: 1, b: 1 } }, { name: 'fail' }, { name: 'add', arguments: { a: 2, b: 2 } }));
    expect(result.toolCalls.map(({ call, result: { status, data } }) => [call.name, status, data])).toEqual([
      ['add', 'success', { sum: 2 }],
      ['fail', 'error', undefined],
      ['add', 'success', { sum: 4 }],
    ]);
    const callIds = result.messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []));
    expect(callIds).toEqual(result.toolCalls.map(({ call }) => call.id));
    expect(result.requests).toBe(2);
  });

  test('unknown tool: an error that names the nearest', async () => {
    const { result } = (await run(calling({ name: 'read_fil', arguments: { path: 'a.txt' } }))).toolCalls[0] ?? {};
    expect(result).toMatchObject({ status: 'error', code: 'unknown_tool' });
    expect(result?.content).toMatch(/read_file/);
  });

  test('bad JSON: refused, and the next turn goes on', async () => {
    const result = await run(calling({ name: 'add', arguments: '{"a": 1, ' }));
    expect(result.toolCalls[0]?.result).toMatchObject({ status: 'error', code: 'invalid_arguments' });
    expect(result.status).toBe('completed');
  });

  test.each(['[1, 2]', '"text"', '7', 'null'])('non-object arguments (%s): refused', async (text) => {
    const { result } = (await run(calling({ name: 'add', arguments: text }))).toolCalls[0] ?? {};
    expect(result).toMatchObject({ status: 'error', code: 'invalid_arguments' });
    expect(result?.content).toMatch(/object/);
  });

  test('bad arguments: every wrong field is named with its rule and what was received', async () => {
    const { result } = (await run(calling({ name: 'add', arguments: { a: 'many', c: 1 } }))).toolCalls[0] ?? {};
    expect(result?.code).toBe('invalid_arguments');
    expect(result?.details?.map(({ path }) => path).toSorted()).toEqual(['a', 'b', 'c']);
    expect(result?.content).toMatch(/"many"/);
  });

  test('failing tool: its code and message reach the model, the run goes on', async () => {
    const result = await run(calling({ name: 'fail' }));
    expect(result.toolCalls[0]?.result).toMatchObject({ status: 'error', code: 'no_luck', error: 'The dice said no.' });
    expect(result.status).toBe('completed');
  });

  test('output over the limit is cut in the middle, and the notice says how much there was', async () => {
    const { result } = (await run(calling({ name: 'long' }))).toolCalls[0] ?? {};
    expect((result?.content ?? '').length).toBeLessThan(1_600);
    expect(result?.content).toMatch(/^start /);
    expect(result?.content).toMatch(/the end/);
    expect(result?.truncation?.totalChars).toBe(146_007);
  });

  test('the turn limit ends a model that never stops calling', async () => {
    const result = await run(Array.from({ length: 20 }, (_, index) => ({ calls: [{ name: 'add', arguments: { a: index, b: 1 } }] })), { maxTurns: 3 });
    expect(result).toMatchObject({ status: 'max_turns', turns: 3 });
    expect(result.toolCalls).toHaveLength(3);
  });

  test('duplicate tool names are refused at start, naming both plugins', async () => {
    const one = definePlugin({ name: 'one', tools: [Add] });
    const other = definePlugin({ name: 'other', tools: [Add] });
    await expect(PluginHost.start({ plugins: [one(), other()], root })).rejects.toThrow(/add.*one.*other|one.*other.*add/s);
  });
});

describe('the workspace is the limit', () => {
  test.each(['../secret.txt', 'x/../../secret.txt', '/etc/passwd'])('path escape by %s is refused', async (path) => {
    const { result } = (await run(calling({ name: 'read_file', arguments: { path } }))).toolCalls[0] ?? {};
    expect(result).toMatchObject({ status: 'error', success: false });
    expect(['path_outside_workspace', 'permission_denied']).toContain(result?.code);
    expect(JSON.stringify(result)).not.toContain('outside"');
  });

  test('path escape by a symbolic link is refused', async () => {
    symlinkSync('../secret.txt', join(root, 'innocent.txt'));
    const { result } = (await run(calling({ name: 'read_file', arguments: { path: 'innocent.txt' } }))).toolCalls[0] ?? {};
    expect(result).toMatchObject({ status: 'error', success: false });
    expect(['path_outside_workspace', 'permission_denied']).toContain(result?.code);
  });
});
