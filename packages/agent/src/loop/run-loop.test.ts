// The loop from outside: an agent over a scripted model and plain tools.
import { describe, expect, test } from '@jest/globals';
import { type HandTool, collect, contentText, handMade, tick, toolMessages } from '../../test/kit.js';
import { type AgentEvent, ModelError, callWithTools, createAgent, repairHistory } from '../index.js';
import { scriptedModel } from '../testing/scripted-model.js';

const echo: HandTool = { run: ({ text }) => text };
const path = (mode: 'read' | 'write') => (values: Record<string, unknown>) => [{ kind: 'path' as const, mode, value: String(values.path), resource: String(values.path), inside: true }];

describe('turns', () => {
  test('an answer without calls ends the run', async () => {
    const model = scriptedModel([{ text: 'hello' }]);
    const { events, result } = await collect(createAgent(handMade(model, {})).run('hi'));
    expect(result).toMatchObject({ status: 'completed', text: 'hello', turns: 1, usage: { input: 10, output: 5 }, toolCalls: [] });
    expect(events.map((event) => event.type)).toEqual(['run_started', 'turn_started', 'text_delta', 'turn_finished', 'run_finished']);
    expect(model.requests[0]?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]);
  });

  test('one tool: the result goes back to the model, ids are ours, the provider\'s id is kept', async () => {
    const model = scriptedModel([{ calls: [{ id: 'call_9', name: 'echo', arguments: { text: 'x' } }] }, { text: 'done' }]);
    const { events, result } = await collect(createAgent(handMade(model, { echo })).run('hi'));
    const id = `${result.runId}:t1.1`;
    expect(result.toolCalls).toMatchObject([{ call: { id, name: 'echo', arguments: '{"text":"x"}' }, result: { callId: id, data: 'x' } }]);
    expect(model.requests[1]?.messages.slice(1)).toMatchObject([
      { role: 'assistant', parts: [{ type: 'tool_call', id, providerId: 'call_9' }] },
      { role: 'tool', callId: id, tool: 'echo', status: 'success', content: [{ type: 'text', text: 'x' }] },
    ]);
    expect(events.map((event) => event.type)).toEqual([
      'run_started', 'turn_started', 'tool_call_started', 'tool_call_finished', 'turn_finished', 'turn_started', 'text_delta', 'turn_finished', 'run_finished',
    ]);
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
  });

  test('a second run of one agent goes on with the conversation', async () => {
    const model = scriptedModel([{ text: 'one' }, { text: 'two' }]);
    const agent = createAgent(handMade(model, {}));
    await collect(agent.run('first'));
    await collect(agent.run('second'));
    expect(model.requests[1]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
  });

  test('PROT-06: a server that reuses its call ids, across turns and inside one, gets every result exactly once', async () => {
    const call = (id: string, text: string) => ({ id, name: 'echo', arguments: { text } });
    const model = scriptedModel([{ calls: [call('call_0', 't1')] }, { calls: [call('call_0', 't2')] }, { calls: [call('d', 'x'), call('d', 'y')] }, { text: 'done' }]);
    const { result } = await collect(createAgent(handMade(model, { echo })).run('go'));
    const sent = toolMessages(model.requests[3]?.messages ?? []);
    expect(sent.map(contentText)).toEqual(['t1', 't2', 'x', 'y']);
    expect(new Set(sent.map((message) => message.callId)).size).toBe(4);
    expect(result.toolCalls).toHaveLength(4);
  });

  test('PROT-10: failing, denied and unknown calls beside a good one: five results in call order, one next request', async () => {
    const tools: Record<string, HandTool> = {
      ok: { run: () => 'fine' },
      boom: { run: () => { throw new Error('boom'); } },
      slow: { run: async () => { await tick(20); throw new Error('too slow'); } },
      secret: { verdict: 'deny', run: () => 'never' },
    };
    const rejections: unknown[] = [];
    const onRejection = (reason: unknown) => rejections.push(reason);
    process.on('unhandledRejection', onRejection);
    const model = scriptedModel([{ calls: ['ok', 'boom', 'slow', 'secret', 'nope'].map((name) => ({ name })) }, { text: 'done' }]);
    const { result } = await collect(createAgent(handMade(model, tools)).run('go'));
    await tick(5);
    process.off('unhandledRejection', onRejection);
    expect(result.toolCalls.map(({ result: { code = 'success' } }) => code)).toEqual(['success', 'execution_failed', 'execution_failed', 'permission_denied', 'unknown_tool']);
    expect(toolMessages(model.requests[1]?.messages ?? []).map((message) => message.tool)).toEqual(['ok', 'boom', 'slow', 'secret', 'nope']);
    expect(model.requests).toHaveLength(2);
    expect(rejections).toEqual([]);
  });

  test.each(['length', 'content_filter', 'error'] as const)('an answer that ended with %s runs none of its calls', async (finish) => {
    let ran = 0;
    const model = scriptedModel([{ calls: [{ name: 'echo', arguments: '{"text":"a' }], finish }, { text: 'done' }]);
    const { events, result } = await collect(createAgent(handMade(model, { echo: { run: () => (ran += 1) } })).run('go'));
    expect(ran).toBe(0);
    expect(events.filter((event) => event.type.startsWith('tool_call')).map((event) => event.type)).toEqual(['tool_call_started', 'tool_call_finished']);
    expect(result.toolCalls).toMatchObject([{ result: { success: false, code: 'invalid_arguments' } }]);
    expect(repairHistory([...result.messages]).repairs).toEqual([]);
  });
});

describe('what runs together', () => {
  test('calls that only read run at once, up to the limit, and results keep the model\'s order', async () => {
    let now = 0;
    let peak = 0;
    const look: HandTool = {
      run: async ({ n }) => {
        peak = Math.max(peak, (now += 1));
        await tick(20 - Number(n));
        now -= 1;
        return n;
      },
    };
    const calls = [1, 2, 3, 4, 5, 6].map((n) => ({ name: 'look', arguments: { n } }));
    const model = scriptedModel([{ calls }, { text: 'done' }]);
    const { result } = await collect(createAgent({ ...handMade(model, { look }), limits: { maxParallelCalls: 3 } }).run('go'));
    expect(peak).toBe(3);
    expect(toolMessages(result.messages).map(contentText)).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  test('a call waits for an earlier one that touches the same file, and is planned after it', async () => {
    const log: string[] = [];
    const files = new Set<string>();
    const write: HandTool = { scopes: ['write'], accesses: path('write'), run: async ({ path: file }) => { await tick(10); files.add(String(file)); log.push(`write ${String(file)}`); } };
    const read: HandTool = { accesses: path('read'), run: ({ path: file }) => { log.push(`read ${String(file)}`); return files.has(String(file)) ? 'there' : 'missing'; } };
    const model = scriptedModel([
      { calls: [{ name: 'write', arguments: { path: 'a/x' } }, { name: 'read', arguments: { path: 'b' } }, { name: 'read', arguments: { path: 'a/x' } }] },
      { text: 'done' },
    ]);
    const { result } = await collect(createAgent(handMade(model, { write, read })).run('go'));
    expect(log).toEqual(['read b', 'write a/x', 'read a/x']);
    expect(contentText(toolMessages(result.messages)[2]!)).toBe('there');
  });

  test('commands and dangerous tools run alone', async () => {
    const log: string[] = [];
    const bash: HandTool = { scopes: ['dangerous'], run: async ({ n }) => { log.push(`start ${String(n)}`); await tick(5); log.push(`end ${String(n)}`); } };
    const model = scriptedModel([{ calls: [{ name: 'bash', arguments: { n: 1 } }, { name: 'bash', arguments: { n: 2 } }] }, { text: 'done' }]);
    await collect(createAgent(handMade(model, { bash })).run('go'));
    expect(log).toEqual(['start 1', 'end 1', 'start 2', 'end 2']);
  });
});

describe('approval', () => {
  const tools = (): { ran: string[]; tools: Record<string, HandTool> } => {
    const ran: string[] = [];
    return { ran, tools: { write: { scopes: ['write'], verdict: 'ask', accesses: path('write'), run: ({ path: file }) => { ran.push(String(file)); return 'written'; } }, echo } };
  };
  const turns = [{ calls: [{ name: 'write', arguments: { path: 'a' } }, { name: 'write', arguments: { path: 'b' } }, { name: 'echo', arguments: { text: 'x' } }] }, { text: 'done' }];

  test('asks one after the other by events, and `answer` decides', async () => {
    const { ran, tools: made } = tools();
    const agent = createAgent(handMade(scriptedModel(turns), made));
    const { events, result } = await collect(agent.run('go'), async (event) => {
      if (event.type !== 'tool_call_approval' || event.answer) return;
      const first = event.request.arguments.path === 'a';
      expect(await agent.answer(event.callId, first ? { answer: 'once' } : { answer: 'deny', reason: 'not b' })).toBe(true);
      expect(await agent.answer(event.callId, { answer: 'once' })).toBe(false);
    });
    expect(ran).toEqual(['a']);
    expect(result.toolCalls.map(({ result: { code = 'success' } }) => code)).toEqual(['success', 'approval_declined', 'success']);
    expect(events.filter((event) => event.type === 'tool_call_approval').map((event) => event.answer?.answer)).toEqual([undefined, 'once', undefined, 'deny']);
  });

  test('PERM-05: one answered, then stopped: the answered call keeps its result, the undecided ones are cancelled and never run', async () => {
    const { ran, tools: made } = tools();
    const agent = createAgent(handMade(scriptedModel([turns[0]!, { text: 'again' }]), made));
    const { result } = await collect(agent.run('go'), async (event) => {
      if (event.type !== 'tool_call_approval' || event.answer) return;
      if (event.request.arguments.path === 'a') await agent.answer(event.callId, { answer: 'once' });
      else {
        for (let tries = 0; ran.length === 0 && tries < 1_000; tries += 1) await tick(5);
        await tick(20);
        agent.abort();
      }
    });
    expect(ran).toEqual(['a']);
    expect(result.status).toBe('cancelled');
    expect(result.toolCalls.map(({ result: { status } }) => status)).toEqual(['success', 'cancelled', 'success']);
    expect(repairHistory([...result.messages]).repairs).toEqual([]);
    expect((await collect(agent.run('more'))).result.text).toBe('again');
  });

  test('what is allowed for the session is not asked again in the same turn', async () => {
    const { ran, tools: made } = tools();
    let questions = 0;
    const approver = { ask: () => Promise.resolve({ answer: (questions += 1) > 0 ? ('session' as const) : ('once' as const) }) };
    await collect(createAgent({ ...handMade(scriptedModel(turns), made), approver }).run('go'));
    expect(ran).toEqual(['a', 'b']);
    expect(questions).toBe(1);
  });

  test('edited arguments are planned and asked anew, then run', async () => {
    const { ran, tools: made } = tools();
    const seen: unknown[] = [];
    const approver = {
      ask: (request: { arguments: { path?: unknown } }) => {
        seen.push(request.arguments.path);
        return Promise.resolve(request.arguments.path === 'a' ? { answer: 'edit' as const, arguments: { path: 'c' } } : { answer: 'once' as const });
      },
    };
    await collect(createAgent({ ...handMade(scriptedModel([{ calls: [turns[0]!.calls![0]!] }, { text: 'done' }]), made), approver }).run('go'));
    expect(seen).toEqual(['a', 'c']);
    expect(ran).toEqual(['c']);
  });

  test('with nobody to ask the call is refused and the run goes on', async () => {
    const { ran, tools: made } = tools();
    const result = await callWithTools({ ...handMade(scriptedModel(turns), made), prompt: 'go' });
    expect(ran).toEqual([]);
    expect(result.status).toBe('completed');
    expect(result.toolCalls.map(({ result: { code = 'success' } }) => code)).toEqual(['approval_unavailable', 'approval_unavailable', 'success']);
  });
});

describe('stopping', () => {
  test('an abort while tools run gives every open call a cancelled result, and the next run works', async () => {
    const slow: HandTool = { run: (_values, context) => new Promise((_resolve, reject) => context.signal.addEventListener('abort', () => reject(new Error('stopped')))) };
    const model = scriptedModel([{ calls: [{ name: 'slow' }, { name: 'echo', arguments: { text: 'x' } }, { name: 'slow', arguments: { n: 2 } }] }, { text: 'again' }]);
    const agent = createAgent({ ...handMade(model, { slow, echo }), limits: { maxParallelCalls: 1 } });
    const { result } = await collect(agent.run('go'), (event) => { if (event.type === 'tool_call_started') setTimeout(() => agent.abort(), 5); });
    expect(result.status).toBe('cancelled');
    expect(result.toolCalls.map((entry) => entry.result.status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(repairHistory([...result.messages]).repairs).toEqual([]);
    expect((await collect(agent.run('more'))).result).toMatchObject({ status: 'completed', text: 'again' });
  });

  test('an abort while the model writes ends at once; an outer signal does it too', async () => {
    const controller = new AbortController();
    const agent = createAgent(handMade(scriptedModel([{ text: 'never', delayMs: 60_000 }]), {}));
    const { result } = await collect(agent.run('go', { signal: controller.signal }), (event) => { if (event.type === 'turn_started') setTimeout(() => controller.abort(), 5); });
    expect(result).toMatchObject({ status: 'cancelled', turns: 0, text: '' });
  });

  test('leaving the event loop early stops the run', async () => {
    let signal: AbortSignal | undefined;
    const slow: HandTool = { run: (_values, context) => new Promise((_resolve, reject) => { signal = context.signal; signal.addEventListener('abort', () => reject(new Error('stopped'))); }) };
    const agent = createAgent(handMade(scriptedModel([{ calls: [{ name: 'slow' }] }, { text: 'again' }]), { slow }));
    for await (const event of agent.run('go')) if (event.type === 'tool_call_started') break;
    expect(signal?.aborted).toBe(true);
    expect((await collect(agent.run('more'))).result.text).toBe('again');
  });
});

describe('limits', () => {
  const looping = () => scriptedModel((request, index) => ('toolChoice' in (request.body as object) ? { text: 'what I know' } : { calls: [{ name: 'echo', arguments: { text: `n${index}` } }] }));

  test('at the turn limit the model is asked once more, without tools', async () => {
    const model = looping();
    const { result } = await collect(createAgent({ ...handMade(model, { echo }), limits: { maxTurns: 3 } }).run('go'));
    expect(result).toMatchObject({ status: 'max_turns', turns: 3, text: 'what I know', error: { code: 'max_turns' } });
    expect(result.toolCalls).toHaveLength(3);
    expect(model.requests).toHaveLength(4);
    expect(model.requests[3]?.toolChoice).toBe('none');
  });

  test('without a closing answer it stops there, and a script that has none left changes nothing', async () => {
    const model = looping();
    await collect(createAgent({ ...handMade(model, { echo }), limits: { maxTurns: 3, finalAnswer: false } }).run('go'));
    expect(model.requests).toHaveLength(3);
    const short = scriptedModel([{ text: 'so far', calls: [{ name: 'echo', arguments: { text: 'a' } }] }]);
    const { result } = await collect(createAgent({ ...handMade(short, { echo }), limits: { maxTurns: 1 } }).run('go'));
    expect(result).toMatchObject({ status: 'max_turns', text: 'so far', error: { message: expect.stringContaining('limit of 1 turn is reached') } });
  });

  test('budgets of calls, tokens, money and time end the run as budget_exceeded', async () => {
    const run = async (limits: object, more: object = {}) => (await collect(createAgent({ ...handMade(looping(), { echo }), limits, ...more }).run('go'))).result;
    const calls = await run({ maxCalls: 2 });
    expect(calls).toMatchObject({ status: 'budget_exceeded', text: 'what I know' });
    expect(calls.toolCalls.map((entry) => entry.result.code)).toEqual([undefined, undefined, 'budget_exceeded']);
    expect(await run({ maxTokens: 40 })).toMatchObject({ status: 'budget_exceeded', turns: 3 });
    expect(await run({ maxCost: 0.25 }, { prices: { 'scripted:scripted-model': { input: 0, output: 20_000 } } })).toMatchObject({ status: 'budget_exceeded', turns: 3, cost: 0.3 });
    const slow = scriptedModel([{ text: 'never', delayMs: 60_000 }]);
    expect((await collect(createAgent({ ...handMade(slow, {}), limits: { maxMs: 20 } }).run('go'))).result).toMatchObject({ status: 'budget_exceeded', error: { message: expect.stringContaining('20 ms') } });
  });

  test('the time that a person takes for an answer is not counted', async () => {
    const ask: HandTool = { verdict: 'ask', run: () => 'done' };
    const approver = { ask: async () => { await tick(1_200); return { answer: 'once' as const }; } };
    const model = scriptedModel([{ calls: [{ name: 'ask' }] }, { text: 'fine' }]);
    expect((await collect(createAgent({ ...handMade(model, { ask }), approver, limits: { maxMs: 1_000 } }).run('go'))).result.status).toBe('completed');
    const slow = scriptedModel([{ calls: [{ name: 'ask' }] }, { text: 'late', delayMs: 60_000 }]);
    expect((await collect(createAgent({ ...handMade(slow, { ask }), approver, limits: { maxMs: 1_000 } }).run('go'))).result.status).toBe('budget_exceeded');
  });

  test('the same call with the same result again and again is refused, then the run is stopped; an effect in between starts anew', async () => {
    let reads = 0;
    const look: HandTool = { run: () => { reads += 1; return 'same'; } };
    const model = scriptedModel((request) => ('toolChoice' in (request.body as object) ? { text: 'enough' } : { calls: [{ name: 'look' }] }));
    const { result } = await collect(createAgent(handMade(model, { look })).run('go'));
    expect(reads).toBe(3);
    expect(result).toMatchObject({ status: 'budget_exceeded', text: 'enough' });
    expect(result.toolCalls.map((entry) => entry.result.code)).toEqual([undefined, undefined, undefined, 'repeated_call', 'repeated_call', 'repeated_call']);

    reads = 0;
    const change: HandTool = { scopes: ['write'], accesses: path('write'), run: () => 'changed' };
    const work = scriptedModel((_request, index) => (index < 12 ? { calls: [{ name: index % 2 === 0 ? 'look' : 'change', arguments: index % 2 === 0 ? {} : { path: 'a', index } }] } : { text: 'done' }));
    expect((await collect(createAgent(handMade(work, { look, change })).run('go'))).result.status).toBe('completed');
    expect(reads).toBe(6);
  });
});

describe('failures of the model', () => {
  const status = (code: number, headers?: Record<string, string>) => ({ fault: { kind: 'status' as const, status: code, ...(headers ? { headers } : {}) } });

  test('a passing failure is retried, says so, and leaves no trace in history', async () => {
    const model = scriptedModel([status(503), { fault: { kind: 'reset_before_headers' } }, { text: 'there' }]);
    const { events, result } = await collect(createAgent(handMade(model, {})).run('hi'));
    expect(result).toMatchObject({ status: 'completed', text: 'there', turns: 1 });
    expect(events.filter((event) => event.type === 'retrying').map(({ attempt, code }) => [attempt, code])).toEqual([[1, 'overloaded'], [2, 'network']]);
    expect(result.messages).toHaveLength(2);
  });

  test('RETRY-02: a partial turn is discarded: the second attempt alone is kept, and no call of the first runs', async () => {
    const ran: unknown[] = [];
    let attempt = 0;
    const whole = scriptedModel([{ text: 'Hello', calls: [{ name: 'echo', arguments: { text: 'b' } }] }, { text: 'done' }]);
    const model = { ...whole, async *stream(...args: Parameters<typeof whole.stream>) {
      if ((attempt += 1) === 1) {
        yield { type: 'text_delta' as const, text: 'Hel' };
        throw new ModelError('network', 'connection lost', { provider: 'scripted', retryable: true });
      }
      yield* whole.stream(...args);
    } };
    const { events, result } = await collect(createAgent(handMade(model, { echo: { run: ({ text }) => { ran.push(text); return text; } } })).run('go'));
    expect(ran).toEqual(['b']);
    expect(JSON.stringify(result.messages)).not.toContain('HelHello');
    const order = events.map((event) => event.type);
    expect(order.indexOf('retrying')).toBeGreaterThan(order.indexOf('text_delta'));
  });

  test('a stream that ends without its last event is a failure, retried once', async () => {
    let requests = 0;
    const broken = { provider: 'p', model: 'm', async *stream() { requests += 1; yield { type: 'text_delta' as const, text: 'half' }; } };
    const { result } = await collect(createAgent(handMade(broken, {})).run('hi'));
    expect(result).toMatchObject({ status: 'failed', text: '', error: { code: 'protocol' } });
    expect(requests).toBe(2);
  });

  test('RETRY-11: what cannot get better is not retried, and the next turn works', async () => {
    for (const code of [400, 401, 403, 404, 413, 422]) {
      const model = scriptedModel([status(code), { text: 'fine' }]);
      const agent = createAgent(handMade(model, {}));
      const { result } = await collect(agent.run('hi'));
      expect(result.status).toBe('failed');
      expect(model.requests).toHaveLength(1);
      expect((await collect(agent.run('again'))).result.status).toBe('completed');
      // A prompt that the provider cannot take would make every later request fail: it is taken back.
      expect(JSON.stringify(model.requests[1]?.messages).includes('hi')).toBe([401, 403, 404].includes(code));
    }
  });

  test('RETRY-10: after a failure the history holds the user\'s message once', async () => {
    const model = scriptedModel([status(503), status(503), status(503), status(503), { text: 'fine' }]);
    const agent = createAgent(handMade(model, {}));
    await collect(agent.run('first'));
    await collect(agent.run('second'));
    expect(model.requests).toHaveLength(5);
    expect(model.requests[4]?.messages.map((message) => message.role === 'user' && message.content[0])).toEqual([{ type: 'text', text: 'first' }, { type: 'text', text: 'second' }]);
  });

  test('RETRY-10: a prompt that failed and is sent again word by word is in the conversation once', async () => {
    const model = scriptedModel([status(401), { text: 'fine' }]);
    const agent = createAgent(handMade(model, {}));
    await collect(agent.run('hello'));
    const { result } = await collect(agent.run('hello'));
    expect(model.requests[1]?.messages).toHaveLength(1);
    expect(result.messages.map((message) => message.role)).toEqual(['user', 'assistant']);
  });

  test('PROT-15: an answer with nothing in it is asked for once more, then reported', async () => {
    const empty = { calls: [], finish: 'tool_calls' as const };
    const model = scriptedModel([empty, empty, { text: 'never asked for' }]);
    const { result } = await collect(createAgent(handMade(model, {})).run('hi'));
    expect(result).toMatchObject({ status: 'failed', error: { code: 'empty_answer', message: 'The model returned nothing.' } });
    expect(model.requests).toHaveLength(2);
    expect(result.messages).toHaveLength(1);
  });

  test('what an empty answer cost is counted, once', async () => {
    const { events, result } = await collect(createAgent(handMade(scriptedModel([{ usage: { input: 7, output: 1 } }, { text: 'there' }]), {})).run('hi'));
    expect(result).toMatchObject({ status: 'completed', usage: { input: 17, output: 6 } });
    expect(events.find((event) => event.type === 'turn_finished')?.usage).toEqual({ input: 10, output: 5 });
  });

  test('a wait can be aborted', async () => {
    const agent = createAgent(handMade(scriptedModel([status(429, { 'retry-after': '30' }), { text: 'late' }]), {}));
    const { result } = await collect(agent.run('hi'), (event: AgentEvent) => { if (event.type === 'retrying') agent.abort(); });
    expect(result.status).toBe('cancelled');
  });
});

describe('steering', () => {
  const steering = { role: 'user', content: [{ type: 'text', text: 'be brief' }], origin: 'steering' };
  const oneCall = { calls: [{ name: 'echo', arguments: { text: 'x' } }] };

  test('a message sent while a tool runs is read with the next request and stays in history', async () => {
    const model = scriptedModel([oneCall, { text: 'done' }]);
    const agent = createAgent(handMade(model, { echo }));
    const { result } = await collect(agent.run('go'), (event) => (event.type === 'tool_call_started' ? agent.steer('be brief') : undefined));
    expect(model.requests[1]?.messages.at(-1)).toEqual(steering);
    expect(result.messages.at(-2)).toEqual(steering);
  });

  test('a message sent while the final answer is written makes it not the final one', async () => {
    const model = scriptedModel([{ text: 'a long answer' }, { text: 'short' }]);
    const agent = createAgent(handMade(model, {}));
    let sent = false;
    const { result } = await collect(agent.run('go'), async (event) => {
      if (event.type !== 'turn_started' || sent) return;
      sent = true;
      await agent.steer('be brief');
    });
    expect(result).toMatchObject({ status: 'completed', text: 'short', turns: 2 });
    expect(model.requests[1]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
  });

  test('a request that fails does not lose it', async () => {
    const model = scriptedModel([oneCall, { fault: { kind: 'status', status: 401 } }, { text: 'done' }]);
    const agent = createAgent(handMade(model, { echo }));
    await collect(agent.run('go'), (event) => (event.type === 'tool_call_started' ? agent.steer('be brief') : undefined));
    await collect(agent.run('again'));
    expect(model.requests[2]?.messages.at(-1)).toEqual(steering);
  });
});
