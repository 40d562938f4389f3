// The AI SDK's own chat client (what `useChat` is made of), unmodified, against the server: answer, tools, approve, deny, stop, resume.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { Script } from '@haft/agent/testing';
import { Tool, type ToolContext } from '@haft/core';
import { ChangeHistory, ReadFile, WriteFile } from '@haft/plugin-fs';
import { AbstractChat, type ChatState, type ChatStatus, DefaultChatTransport, type UIMessage, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import { type WebFixture, openFixture } from '../../testdata/web-fixture.js';

@Tool('Waits until it is stopped.', { name: 'wait', scopes: [] })
class Wait {
  execute({ signal }: ToolContext): Promise<string> {
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  }
}

/** The state that React's hook keeps, without React. */
class PlainState implements ChatState<UIMessage> {
  status: ChatStatus = 'ready';
  error: Error | undefined = undefined;
  messages: UIMessage[] = [];
  pushMessage = (message: UIMessage): void => void (this.messages = [...this.messages, message]);
  popMessage = (): void => void (this.messages = this.messages.slice(0, -1));
  replaceMessage = (index: number, message: UIMessage): void => void (this.messages = this.messages.with(index, structuredClone(message)));
  snapshot = <T>(thing: T): T => structuredClone(thing);
}

class PlainChat extends AbstractChat<UIMessage> {}

let fixture: WebFixture;

afterEach(() => fixture.close());

async function open(script: Script): Promise<PlainChat> {
  fixture = await openFixture({ script, tools: [ReadFile, WriteFile, Wait], services: [ChangeHistory] });
  return chatWith('chat-1');
}

function chatWith(id: string): PlainChat {
  const transport = new DefaultChatTransport<UIMessage>({ api: `${fixture.server.url}/api/chat`, headers: { authorization: `Bearer ${fixture.server.token}` } });
  return new PlainChat({ id, state: new PlainState(), transport, sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses });
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('it never happened');
}

const textOf = (message: UIMessage | undefined): string => (message?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
const toolsOf = (message: UIMessage | undefined) => (message?.parts ?? []).flatMap((part) => (part.type === 'dynamic-tool' ? [part] : []));
const writing = [{ calls: [{ name: 'write_file', arguments: { path: 'new.txt', content: 'hello\n' } }] }, { text: 'Finished.' }];

test('an answer with reasoning and a tool call arrives as the parts that useChat shows', async () => {
  const chat = await open([{ reasoning: 'I must read.', calls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] }, { text: 'It says first line.' }]);
  await chat.sendMessage({ text: 'read it' });
  expect(chat.error).toBeUndefined();
  const answer = chat.messages.at(-1);
  expect(chat.messages.map((message) => message.role)).toEqual(['user', 'assistant']);
  expect(answer?.parts.map((part) => part.type)).toEqual(['step-start', 'reasoning', 'dynamic-tool', 'step-start', 'text']);
  expect(toolsOf(answer)).toMatchObject([{ toolName: 'read_file', state: 'output-available', input: { path: 'notes.txt' }, output: expect.stringContaining('first line') }]);
  expect(textOf(answer)).toBe('It says first line.');
});

test('a question is asked; the answer yes runs the call, and the same message goes on', async () => {
  const chat = await open(writing);
  await chat.sendMessage({ text: 'write' });
  const [asked] = toolsOf(chat.messages.at(-1));
  expect(asked?.state).toBe('approval-requested');
  expect(existsSync(join(fixture.root, 'new.txt'))).toBe(false);
  if (asked?.state !== 'approval-requested') throw new Error('not asked');
  await chat.addToolApprovalResponse({ id: asked.approval.id, approved: true });
  await until(() => textOf(chat.messages.at(-1)) === 'Finished.' && chat.status === 'ready');
  expect(chat.messages.map((message) => message.role)).toEqual(['user', 'assistant']);
  expect(toolsOf(chat.messages.at(-1))).toMatchObject([{ state: 'output-available' }]);
  expect(readFileSync(join(fixture.root, 'new.txt'), 'utf8')).toBe('hello\n');
});

test('the answer no, with its reason, reaches the model', async () => {
  const chat = await open(writing);
  await chat.sendMessage({ text: 'write' });
  const [asked] = toolsOf(chat.messages.at(-1));
  if (asked?.state !== 'approval-requested') throw new Error('not asked');
  await chat.addToolApprovalResponse({ id: asked.approval.id, approved: false, reason: 'not here' });
  await until(() => textOf(chat.messages.at(-1)) === 'Finished.');
  expect(toolsOf(chat.messages.at(-1))).toMatchObject([{ state: 'output-denied' }]);
  expect(existsSync(join(fixture.root, 'new.txt'))).toBe(false);
  expect(await (await fixture.api('/api/sessions/chat-1')).text()).toContain('not here');
});

test('stop ends the stream; the server stops the run when nobody comes back, or at once by its own path', async () => {
  const chat = await open([{ text: 'I wait. ', calls: [{ name: 'wait' }] }, { text: 'again' }]);
  const sending = chat.sendMessage({ text: 'wait' });
  await until(() => toolsOf(chat.messages.at(-1)).length === 1);
  await chat.stop();
  await sending;
  expect((await fixture.api('/api/sessions/chat-1/stop', { body: {} })).status).toBe(200);
  await until(() => chat.status === 'ready');
  for (let isRunning = true; isRunning; ) isRunning = ((await (await fixture.api('/api/sessions/chat-1')).json()) as { running: boolean }).running;
  await chat.sendMessage({ text: 'go on' });
  expect(textOf(chat.messages.at(-1))).toBe('again');
});

test('a new client resumes a running answer from its beginning; without one it is told that nothing runs', async () => {
  const chat = await open([{ text: 'I wait. ', calls: [{ name: 'wait' }] }]);
  const sending = chat.sendMessage({ text: 'wait' });
  await until(() => toolsOf(chat.messages.at(-1)).length === 1);
  const other = chatWith('chat-1');
  const resuming = other.resumeStream();
  await until(() => toolsOf(other.messages.at(-1)).length === 1);
  expect(textOf(other.messages.at(-1))).toBe('I wait. ');
  await fixture.api('/api/sessions/chat-1/stop', { body: {} });
  await Promise.all([sending, resuming]);
  await until(() => other.status === 'ready');
  expect((await fixture.api('/api/chat/chat-1/stream')).status).toBe(204);
});

test.each([
  [{}, 'id'],
  [{ id: 'a', messages: [] }, 'messages'],
  [{ id: 'a', messages: [{ role: 'user', parts: [] }] }, 'text'],
  [{ id: '../../x', messages: [{ role: 'user', parts: [{ type: 'text', text: 'x' }] }] }, 'session'],
])('a body that is no chat is refused: %j', async (body, word) => {
  await open([]);
  const answer = await fixture.api('/api/chat', { body });
  expect([400, 404]).toContain(answer.status);
  expect(await answer.text()).toContain(word);
});
