// One agent run, driven by the offline stand-in, by OpenAI's two APIs and by Anthropic's: the same tool results, the same neutral history.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Message, type ModelAdapter, type RunResult, callWithTools } from '@haft/agent';
import { type ModelServer, type ScriptedTurn, startModelServer } from '@haft/agent/testing';
import { anthropic } from '@haft/anthropic';
import { PluginHost, type ToolResult, Workspace, createAccessResolver, createDispatcher, createPolicy, definePlugin } from '@haft/core';
import { offline } from '@haft/offline';
import { openai } from '@haft/openai';
import { ChangeHistory, EditFile, Glob, ListDir, ReadFile, WriteFile } from '@haft/plugin-fs';

const files = definePlugin({ name: 'files', tools: [ReadFile, WriteFile, EditFile, Glob, ListDir], services: [ChangeHistory] });

/** Each part as one turn: a read and a listing together, then an edit that must wait, then the answer. */
const request = 'read notes.txt and list src then replace old by new in notes.txt then read notes.txt';

let server: ModelServer;
let recorded: ScriptedTurn[] = [];

beforeEach(async () => {
  server = await startModelServer((_request, index) => recorded[index % recorded.length] ?? { text: 'nothing recorded' });
});

afterEach(async () => {
  await server.close();
});

test('the offline stand-in, OpenAI Chat, OpenAI Responses and Anthropic give the same results and the same history', async () => {
  const base = await runWith(offline());
  expect(base.result.status).toBe('completed');
  expect(base.result.toolCalls.map(({ call, result }) => [call.name, result.status])).toEqual([
    ['read_file', 'success'],
    ['list_dir', 'success'],
    ['edit_file', 'success'],
    ['read_file', 'success'],
  ]);
  expect(base.file).toBe('a new line\n');

  recorded = turnsOf(base.result.messages);
  const vendors = [
    openai({ model: 'gpt-4.1', apiKey: 'test', baseURL: server.openaiBaseURL, api: 'chat' }),
    openai({ model: 'gpt-4.1', apiKey: 'test', baseURL: server.openaiBaseURL, api: 'responses' }),
    anthropic({ model: 'claude-sonnet-4-5', apiKey: 'test', baseURL: server.anthropicBaseURL }),
  ];
  for (const model of vendors) {
    const run = await runWith(model);
    expect(run.result.toolCalls.map(({ result }) => plainResult(result))).toEqual(base.result.toolCalls.map(({ result }) => plainResult(result)));
    expect(run.result.messages.map(plainMessage)).toEqual(base.result.messages.map(plainMessage));
    expect(run.file).toBe(base.file);
  }
  expect(server.requests.filter((sent) => sent.refused !== undefined)).toEqual([]);
  expect(new Set(server.requests.map((sent) => sent.api))).toEqual(new Set(['chat', 'responses', 'messages']));
});

async function runWith(model: ModelAdapter): Promise<{ result: RunResult; file: string }> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'haft-agree-')));
  writeFileSync(join(root, 'notes.txt'), 'a old line\n');
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src', 'a.ts'), '');
  const workspace = await Workspace.open({ root });
  const host = await PluginHost.start({ plugins: [files()], services: [{ provide: Workspace, useValue: workspace }], root });
  try {
    const policy = createPolicy({ rules: [{ source: { kind: 'flag', where: 'test' }, allow: ['*'] }] });
    const dispatcher = createDispatcher({ registry: host.registry, policy, resolver: createAccessResolver(workspace) });
    const result = await callWithTools({ model, host, dispatcher, prompt: request });
    return { result, file: readFileSync(join(root, 'notes.txt'), 'utf8') };
  } finally {
    await host.dispose();
    workspace.close();
    rmSync(root, { recursive: true });
  }
}

/** What the stand-in said, as a script for the servers. */
function turnsOf(messages: readonly Message[]): ScriptedTurn[] {
  return messages.flatMap((message): ScriptedTurn[] => {
    if (message.role !== 'assistant') return [];
    const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    const calls = message.parts.flatMap((part) => (part.type === 'tool_call' ? [{ name: part.name, arguments: part.arguments }] : []));
    return [{ ...(text === '' ? {} : { text }), ...(calls.length === 0 ? {} : { calls }) }];
  });
}

/** Without what must differ between two runs: ids and times. */
function plainResult({ tool, status, success, code, content, data }: ToolResult): object {
  return { tool, status, success, code, content, data: { ...(data as object), undoId: undefined } };
}

function plainMessage(message: Message): object {
  if (message.role === 'user') return message;
  if (message.role === 'tool') return { ...message, callId: withoutRun(message.callId) };
  const parts = message.parts.map((part) => (part.type === 'tool_call' ? { type: part.type, id: withoutRun(part.id), name: part.name, arguments: part.arguments } : { type: part.type, text: part.text }));
  return { role: message.role, parts, finish: message.finish };
}

function withoutRun(id: string): string {
  return id.slice(id.indexOf(':'));
}
