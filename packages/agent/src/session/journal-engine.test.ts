// Runs that outlive their process: the first attempt is left hanging where it is, the second opens a copy of the file, as after kill -9.
import { afterAll, describe, expect, test } from '@jest/globals';
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolRegistry } from '@haft/core';
import { fakeTool, noServices } from '@haft/core/testing';
import { type HandTool, collect, contentText, handMade, tick, toolMessages } from '../../test/kit.js';
import { type Agent, type AgentEvent, type FileSession, type ModelAdapter, SessionStore, createAgent, repairHistory } from '../index.js';
import { scriptedModel } from '../testing/scripted-model.js';

const root = mkdtempSync(join(tmpdir(), 'haft-journal-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;

const untilStopped = (signal: AbortSignal) => new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
const never = () => new Promise<never>(() => undefined);
const store = () => SessionStore.open(join(root, `store-${(count += 1)}`));

/** Runs until `stop` says so, and leaves everything as a killed process would: nothing is closed, nothing ends. */
async function runUntil(agent: Agent, prompt: string, stop: (event: AgentEvent) => boolean | Promise<boolean>): Promise<AgentEvent[]> {
  const run = agent.run(prompt);
  const events: AgentEvent[] = [];
  for (;;) {
    const next = await run.next();
    if (next.done) throw new Error('the run ended before it was to be killed');
    events.push(next.value);
    if (await stop(next.value)) return events;
  }
}

/** Waits until the file holds this text: until the step that it belongs to is on record. */
async function recorded(from: SessionStore, id: string, ...texts: string[]): Promise<true> {
  const path = join(from.folder, `${id}.jsonl`);
  while (!texts.every((text) => existsSync(path) && readFileSync(path, 'utf8').includes(text))) await tick(2);
  return true;
}

/** The session as the next process finds it. */
function afterKill(from: SessionStore, id: string): FileSession {
  const to = store();
  copyFileSync(join(from.folder, `${id}.jsonl`), join(to.folder, `${id}.jsonl`));
  const blobs = join(from.folder, `${id}.blobs`);
  if (existsSync(blobs)) cpSync(blobs, join(to.folder, `${id}.blobs`), { recursive: true });
  return to.load(id);
}

const turns = [{ calls: [{ name: 'write', arguments: { n: 1 } }, { name: 'read', arguments: { n: 2 } }] }, { calls: [{ name: 'write', arguments: { n: 3 } }] }, { text: 'done' }];

/** Answers by how many answers are in the history, so that a resumed run is given what an uninterrupted one would be. */
const script = (hangAt?: number): ModelAdapter & { requests: unknown[] } => scriptedModel(({ body }) => {
  const { messages } = body as { messages: { role: string }[] };
  const answers = messages.filter((message) => message.role === 'assistant').length;
  return answers === hangAt ? never() : turns[answers]!;
});

function tools(log: string[], hang?: string): Record<string, HandTool> {
  const work = (name: string): HandTool['run'] => async ({ n }) => {
    log.push(`${name} ${String(n)}`);
    if (hang === `${name} ${String(n)}`) await never();
    return `${name} ${String(n)} done`;
  };
  const at = (mode: 'read' | 'write') => ({ n }: Record<string, unknown>) => [{ kind: 'path' as const, mode, value: `f${String(n)}`, resource: `f${String(n)}`, inside: true }];
  return { write: { scopes: ['write'], accesses: at('write'), run: work('write') }, read: { accesses: at('read'), run: work('read') } };
}

describe('resume', () => {
  test('a request that failed is not made again before its wait is over, and an answer of a later attempt stands in the history', async () => {
    const from = store();
    const session = from.create();
    const busy = { fault: { kind: 'status' as const, status: 429, headers: { 'retry-after': '0.4' } } };
    await runUntil(createAgent({ ...handMade(scriptedModel([busy]), tools([])), session }), 'go', (event) => event.type === 'retrying' && recorded(from, session.id, '/model/wait'));
    const until = Number(/"until":(\d+)/.exec(readFileSync(join(from.folder, `${session.id}.jsonl`), 'utf8'))?.[1]);

    const next = afterKill(from, session.id);
    const asked: number[] = [];
    const model = scriptedModel(() => {
      asked.push(Date.now());
      return { text: 'here' };
    });
    const { events, result } = await collect(createAgent({ ...handMade(model, tools([])), session: next }).resume());
    expect(result).toMatchObject({ status: 'completed', text: 'here' });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toBeGreaterThanOrEqual(until);
    expect(events.filter((event) => event.type === 'retrying')).toMatchObject([{ attempt: 1, code: 'rate_limited' }]);
    await next.close();
    expect(SessionStore.open(join(root, `store-${count}`)).read(session.id).messages).toEqual(result.messages);
  });

  test('a call that changes something and was interrupted is reported unknown and not started again; finished ones are kept', async () => {
    const log: string[] = [];
    const from = store();
    const session = from.create();
    await runUntil(createAgent({ ...handMade(script(), tools(log, 'write 3')), session }), 'go', async (event) => {
      if (event.type !== 'tool_call_started' || !JSON.stringify(event.arguments).includes('3')) return false;
      await recorded(from, session.id, `"t":"claim","run":"${event.runId}","key":"${event.callId}"`);
      while (!log.includes('write 3')) await tick(2);
      return true;
    });
    expect([...log].sort()).toEqual(['read 2', 'write 1', 'write 3']);

    const next = afterKill(from, session.id);
    const model = script();
    const { result } = await collect(createAgent({ ...handMade(model, tools(log)), session: next }).resume());
    expect([...log].sort()).toEqual(['read 2', 'write 1', 'write 3']);
    expect(result.toolCalls.map(({ result: { status, code } }) => [status, code])).toEqual([['success', undefined], ['success', undefined], ['unknown', 'interrupted']]);
    expect(result).toMatchObject({ status: 'completed', text: 'done', turns: 3, usage: { input: 30, output: 15 } });
    expect(model.requests).toHaveLength(1);
    expect(next.unfinished).toBeUndefined();
    await next.close();
  });

  test('an interrupted read is simply made again', async () => {
    const log: string[] = [];
    const from = store();
    const session = from.create();
    await runUntil(createAgent({ ...handMade(script(), tools(log, 'read 2')), session }), 'go', async (event) => {
      if (event.type !== 'tool_call_started' || event.tool !== 'read') return false;
      return recorded(from, session.id, 'write 1 done');
    });
    const next = afterKill(from, session.id);
    const { result } = await collect(createAgent({ ...handMade(script(), tools(log)), session: next }).resume());
    expect([...log].sort()).toEqual(['read 2', 'read 2', 'write 1', 'write 3']);
    expect(result.toolCalls.every((entry) => entry.result.success)).toBe(true);
    await next.close();
  });

  test('killed while the model answers: the answer is asked for again, events of finished steps keep their ids', async () => {
    const log: string[] = [];
    const from = store();
    const session = from.create();
    const first = await runUntil(createAgent({ ...handMade(script(1), tools(log)), session }), 'go', (event) => event.type === 'turn_started' && event.turn === 2);
    const next = afterKill(from, session.id);
    const { events, result } = await collect(createAgent({ ...handMade(script(), tools(log)), session: next }).resume());
    expect([...log].sort()).toEqual(['read 2', 'write 1', 'write 3']);
    expect(result.text).toBe('done');
    const finished = first.filter((event) => event.type === 'tool_call_finished').map((event) => event.id);
    expect(events.filter((event) => finished.includes(event.id))).toHaveLength(2);
    await next.close();
  });

  test('SESS-08: killed while a question is open: it is asked again, nothing runs before the answer, finished siblings do not run twice', async () => {
    const log: string[] = [];
    const asking = () => ({ ...tools(log), write: { ...tools(log).write!, verdict: 'ask' as const } });
    const from = store();
    const session = from.create();
    await runUntil(createAgent({ ...handMade(script(), asking()), session }), 'go', async (event) => {
      return event.type === 'tool_call_approval' && recorded(from, session.id, 'read 2 done');
    });
    const ranBefore = [...log];
    const next = afterKill(from, session.id);
    const agent = createAgent({ ...handMade(script(), asking()), session: next });
    const { result } = await collect(agent.resume(), async (event) => {
      if (event.type !== 'tool_call_approval' || event.answer) return;
      expect(log).toEqual(ranBefore);
      await agent.answer(event.callId, { answer: 'deny' });
    });
    expect(log.filter((line) => line.startsWith('write'))).toEqual([]);
    expect(log.filter((line) => line.startsWith('read'))).toHaveLength(1);
    expect(result.toolCalls.map((entry) => entry.result.code)).toEqual(['approval_declined', undefined, 'approval_declined']);
    await next.close();
  });

  test('an answer that was given before the kill is not asked for again', async () => {
    const log: string[] = [];
    const asking = (hang?: string) => ({ ...tools(log, hang), write: { ...tools(log, hang).write!, verdict: 'ask' as const } });
    const from = store();
    const session = from.create();
    const agent = createAgent({ ...handMade(script(), asking('read 2')), session });
    await runUntil(agent, 'go', async (event) => {
      if (event.type !== 'tool_call_approval' || event.answer) return false;
      await agent.answer(event.callId, { answer: 'once' });
      return recorded(from, session.id, 'write 1 done');
    });
    const next = afterKill(from, session.id);
    const second = createAgent({ ...handMade(script(), asking()), session: next });
    const asked: string[] = [];
    await collect(second.resume(), async (event) => {
      if (event.type !== 'tool_call_approval' || event.answer || event.request.arguments.n === 1) return;
      asked.push(JSON.stringify(event.request.arguments));
      await second.answer(event.callId, { answer: 'once' });
    });
    expect(asked).toEqual(['{"n":3}']);
    expect(log.filter((line) => line === 'write 1')).toHaveLength(1);
    await next.close();
  });

  test('a tool that only reads but calls one that writes is not run again after the write has begun', async () => {
    const log: string[] = [];
    const registryWith = (hang: boolean) => {
      const registry = new ToolRegistry();
      registry.register(fakeTool({ name: 'note', scopes: ['write'] }, () => { log.push('note'); return 'noted'; }), 'test');
      registry.register(fakeTool({ name: 'delegate' }, async (_values, context) => { await context.call('note', {}); return hang ? untilStopped(context.signal) : 'delegated'; }), 'test');
      return registry;
    };
    const model = () => scriptedModel(({ body }) => ((body as { messages: unknown[] }).messages.length === 1 ? { calls: [{ name: 'delegate' }] } : { text: 'done' }));
    const approver = { ask: () => Promise.resolve({ answer: 'once' as const }) };
    const from = store();
    const session = from.create();
    const killed = createAgent({ model: model(), registry: registryWith(true), services: noServices, approver, session });
    await runUntil(killed, 'go', async (event) => {
      if (event.type !== 'tool_call_approval' || event.answer === undefined) return false;
      while (log.length === 0) await tick(2);
      return true;
    });
    const next = afterKill(from, session.id);
    killed.abort();
    const { result } = await collect(createAgent({ model: model(), registry: registryWith(false), services: noServices, approver, session: next }).resume());
    await next.close();
    expect(log).toEqual(['note']);
    expect(result.toolCalls.map((entry) => entry.result.status)).toEqual(['unknown']);
  });

  test('on the real dispatcher: a plan that comes back from the file is asked with the same hash, and carried out after its answer', async () => {
    const log: string[] = [];
    const registry = new ToolRegistry();
    registry.register(fakeTool({ name: 'note', scopes: ['write'] }, ({ path }) => { log.push(JSON.stringify(path)); return 'noted'; }), 'test');
    const model = () => scriptedModel(({ body }) => ((body as { messages: unknown[] }).messages.length === 1 ? { calls: [{ name: 'note', arguments: { path: 'a.txt' } }] } : { text: 'done' }));
    const from = store();
    const session = from.create();
    const before = await runUntil(createAgent({ model: model(), registry, services: noServices, session }), 'go', (event) => event.type === 'tool_call_approval');
    const next = afterKill(from, session.id);
    const agent = createAgent({ model: model(), registry, services: noServices, session: next });
    const { events, result } = await collect(agent.resume(), async (event) => {
      if (event.type === 'tool_call_approval' && !event.answer) await agent.answer(event.callId, { answer: 'once' });
    });
    await next.close();
    const hashOf = (list: AgentEvent[]) => list.flatMap((event) => (event.type === 'tool_call_approval' ? [event.request.hash] : []))[0];
    expect(hashOf(events)).toBe(hashOf(before));
    expect(result.toolCalls[0]?.result.status).toBe('success');
    expect(log).toEqual(['"a.txt"']);
  });

  test('a new prompt instead of a resume: nothing runs, the conversation is valid and says what happened to each call', async () => {
    const log: string[] = [];
    const from = store();
    const session = from.create();
    await runUntil(createAgent({ ...handMade(script(), tools(log, 'write 1')), session }), 'go', async (event) => {
      if (event.type !== 'tool_call_started') return false;
      while (!log.includes('write 1')) await tick(2);
      return recorded(from, session.id, 'read 2 done');
    });
    const before = [...log];
    const next = afterKill(from, session.id);
    const model = scriptedModel([{ text: 'I see' }]);
    await collect(createAgent({ ...handMade(model, tools(log)), session: next }).run('what happened?'));
    expect(log).toEqual(before);
    const sent = model.requests[0]!.messages;
    expect(repairHistory([...sent]).repairs).toEqual([]);
    expect(toolMessages(sent).map(({ status }) => status)).toEqual(['unknown', 'success']);
    expect(contentText(toolMessages(sent)[0]!)).toContain('unknown');
    const { messages } = next;
    const id = next.id;
    await next.close();
    expect(SessionStore.open(join(root, `store-${count}`)).read(id).messages).toEqual(messages);
  });

  test('a steering message that no request has carried yet survives, once', async () => {
    const log: string[] = [];
    const from = store();
    const session = from.create();
    const agent = createAgent({ ...handMade(script(2), tools(log, 'write 3')), session });
    let first = true;
    await runUntil(agent, 'go', async (event) => {
      if (event.type !== 'tool_call_started') return false;
      if (first) await agent.steer('early');
      first = false;
      if (!JSON.stringify(event.arguments).includes('3')) return false;
      await agent.steer('late');
      return true;
    });
    const next = afterKill(from, session.id);
    const { result } = await collect(createAgent({ ...handMade(script(), tools(log)), session: next }).resume());
    await next.close();
    const steered = result.messages.flatMap((message) => (message.role === 'user' && message.origin === 'steering' ? message.content : []));
    expect(steered).toEqual([{ type: 'text', text: 'early' }, { type: 'text', text: 'late' }]);
    expect(result.status).toBe('completed');
  });

  test('a steering message that made the final answer not the final one is not given twice after a kill', async () => {
    const from = store();
    const session = from.create();
    const model = (hang: boolean) => scriptedModel(({ body }) => {
      const answers = (body as { messages: { role: string }[] }).messages.filter((message) => message.role === 'assistant').length;
      return answers === 1 && hang ? never() : { text: `answer ${answers}` };
    });
    const agent = createAgent({ ...handMade(model(true), {}), session });
    await runUntil(agent, 'go', async (event) => {
      if (event.type === 'turn_started' && event.turn === 1) await agent.steer('late');
      return event.type === 'turn_started' && event.turn === 2;
    });
    const next = afterKill(from, session.id);
    const { result } = await collect(createAgent({ ...handMade(model(false), {}), session: next }).resume());
    await next.close();
    expect(result.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  test('a cancelled run is over: its calls have results on record and there is nothing to resume', async () => {
    const from = store();
    const session = from.create();
    const slow: HandTool = { run: (_values, context) => new Promise((_resolve, reject) => context.signal.addEventListener('abort', () => reject(new Error('stopped')))) };
    const agent = createAgent({ ...handMade(scriptedModel([{ calls: [{ name: 'slow' }, { name: 'slow' }] }]), { slow }), session, limits: { maxParallelCalls: 1 } });
    const { result } = await collect(agent.run('go'), (event) => { if (event.type === 'tool_call_started') setTimeout(() => agent.abort(), 5); });
    await agent.dispose();
    expect(result.status).toBe('cancelled');
    const again = from.load(session.id);
    expect(again.unfinished).toBeUndefined();
    expect(again.messages).toEqual(result.messages);
    expect(readdirSync(from.folder)).toContain(`${session.id}.jsonl`);
    await again.close();
  });
});
