// Retries, paused tools, budgets and repeated calls.
import { describe, expect, test } from '@jest/globals';
import { ToolFailure } from '../errors.js';
import { ToolRegistry } from '../registry/tool-registry.js';
import { fakeTool, noServices } from '../testing/fake-tool.js';
import type { ToolDefinition } from '../tool/tool.js';
import type { CallClock, CallLimits } from './call-ports.js';
import { createDispatcher } from './dispatch.js';
import { retryDelay } from './retry-policy.js';
import type { CallContext, CallEvent, ToolResult } from './tool-call.js';

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const allow = { decide: () => ({ verdict: 'allow' as const, reasons: [{ verdict: 'allow' as const, rule: 'test', source: { kind: 'flag' as const, where: 'test' } }] }) };

/** A clock that never waits and says how long it would have. */
function fakeClock(): CallClock & { slept: number[]; time: number } {
  const clock = {
    slept: [] as number[],
    time: 0,
    random: () => 1,
    now: () => clock.time,
    sleep: (ms: number) => {
      clock.slept.push(ms);
      clock.time += ms;
      return Promise.resolve();
    },
  };
  return clock;
}

function setUp(tools: ToolDefinition[], limits: CallLimits = {}) {
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register(tool, 'test');
  const clock = fakeClock();
  const dispatcher = createDispatcher({ registry, policy: allow, limits, clock });
  let calls = 0;
  const call = (name: string, args: object = {}, more: Partial<CallContext> = {}): Promise<ToolResult> =>
    dispatcher.dispatch({ id: `c${++calls}`, name, arguments: JSON.stringify(args) }, { sessionId: 's', signal: new AbortController().signal, services: noServices, ...more });
  return { call, clock, dispatcher };
}

/** Fails `times` times, then succeeds; counts its runs. */
function flaky(name: string, times: number, failure: () => Error, options: Partial<ToolDefinition> = {}) {
  const runs: string[] = [];
  const tool = fakeTool({ name, ...options }, (_args, context) => {
    runs.push(context.idempotencyKey);
    if (runs.length <= times) throw failure();
    return 'worked';
  });
  return { tool, runs };
}

const reset = () => Object.assign(new Error('socket'), { code: 'ECONNRESET' });

describe('retry', () => {
  test('a network error of a tool that only reads and may be repeated is tried again, with growing waits and one key', async () => {
    const { tool, runs } = flaky('fetch', 2, reset, { idempotent: true });
    const { call, clock } = setUp([tool]);
    const events: CallEvent[] = [];
    expect(await call('fetch', {}, { onEvent: (event) => void events.push(event) })).toMatchObject({ success: true, retryCount: 2 });
    expect(clock.slept).toEqual([200, 400]);
    expect(new Set(runs)).toEqual(new Set(['s/c1']));
    expect(events).toEqual([
      { type: 'retrying', callId: 'c1', attempt: 2, delayMs: 200, reason: 'execution_failed' },
      { type: 'retrying', callId: 'c1', attempt: 3, delayMs: 400, reason: 'execution_failed' },
    ]);
  });

  test.each<[string, Partial<ToolDefinition>]>([
    ['writes', { idempotent: true, scopes: ['write'] }],
    ['uses the network', { idempotent: true, scopes: ['network'] }],
    ['is dangerous', { idempotent: true, scopes: ['dangerous'] }],
    ['may not be repeated', { idempotent: false, scopes: ['read'] }],
  ])('a tool that %s is not tried again by itself', async (_why, options) => {
    const { tool, runs } = flaky('once', 1, reset, options);
    expect(await setUp([tool]).call('once')).toMatchObject({ success: false, retryCount: 0 });
    expect(runs).toHaveLength(1);
  });

  test('a tool that asks for it is tried again on the kinds that it names, and each attempt is a new instance', async () => {
    const instances = new Set<unknown>();
    const tool = fakeTool({ name: 'asks', scopes: ['write'], retry: { attempts: 3, on: ['error'], baseMs: 10 } }, () => { throw new Error('again'); });
    const counted = { ...tool, instantiate: (...given: Parameters<typeof tool.instantiate>) => { const handler = tool.instantiate(...given); instances.add(handler); return handler; } };
    const { call, clock } = setUp([counted]);
    expect(await call('asks')).toMatchObject({ code: 'execution_failed', retryCount: 2 });
    expect(instances.size).toBe(3);
    expect(clock.slept).toEqual([10, 20]);
  });

  test('Retry-After is waited for; one that is too long is not', async () => {
    const asks = (retryAfterMs: number) => flaky('asks', 1, () => new ToolFailure('rate_limited', 'slow down', { kind: 'network', retryAfterMs }), { idempotent: true });
    const short = setUp([asks(7_000).tool]);
    expect(await short.call('asks')).toMatchObject({ success: true });
    expect(short.clock.slept).toEqual([7_000]);
    const long = setUp([asks(3_600_000).tool]);
    expect(await long.call('asks')).toMatchObject({ success: false, code: 'rate_limited' });
  });

  test('never after a cancel', async () => {
    const controller = new AbortController();
    const { tool, runs } = flaky('fetch', 5, () => { controller.abort(); return reset(); }, { idempotent: true });
    const { call, clock } = setUp([tool]);
    expect((await call('fetch', {}, { signal: controller.signal })).success).toBe(false);
    expect(runs).toHaveLength(1);
    expect(clock.slept).toEqual([]);
  });

  test('waits stay between half and whole of the doubled base, and under the most', () => {
    const tool = fakeTool({ name: 'any', retry: { attempts: 10, baseMs: 100, maxMs: 1_000 } });
    const failure = new ToolFailure('timeout', 'late');
    expect([1, 2, 3, 4, 5].map((attempt) => retryDelay(tool, failure, attempt, () => 0))).toEqual([50, 100, 200, 400, 500]);
    expect([1, 2, 3, 4, 5].map((attempt) => retryDelay(tool, failure, attempt, () => 1))).toEqual([100, 200, 400, 800, 1_000]);
    expect(retryDelay(tool, failure, 10, () => 0)).toBeUndefined();
  });
});

describe('circuit breaker', () => {
  const circuit = { failures: 3, pauseMs: 10_000 };

  test('a tool that keeps failing is paused, tried once after the pause, and back when that works', async () => {
    const { tool, runs } = flaky('weak', 4, () => new Error('down'));
    const { call, clock } = setUp([tool], { circuit });
    for (let n = 0; n < 3; n++) expect((await call('weak')).code).toBe('execution_failed');
    expect(await call('weak')).toMatchObject({ code: 'circuit_open', retryable: true, error: expect.stringContaining('10 s') });
    expect(runs).toHaveLength(3);
    clock.time += 10_000;
    expect((await call('weak')).code).toBe('execution_failed');
    expect((await call('weak')).code).toBe('circuit_open');
    clock.time += 10_000;
    expect((await call('weak')).success).toBe(true);
    expect((await call('weak')).success).toBe(true);
  });

  test('coded answers of the tool do not count as failures', async () => {
    const { call } = setUp([fakeTool({ name: 'look' }, () => { throw new ToolFailure('not_found', 'no such file'); })], { circuit });
    for (let n = 0; n < 6; n++) expect((await call('look')).code).toBe('not_found');
  });

  test('the fallback that a tool names runs in its place, under the same policy, and answers to the same call', async () => {
    const tools = [fakeTool({ name: 'rich', degradeTo: 'plain' }, () => { throw new Error('down'); }), fakeTool({ name: 'plain' }, ({ q }) => `plain ${text(q)}`)];
    const { call } = setUp(tools, { circuit });
    for (let n = 0; n < 3; n++) await call('rich', { q: 1 });
    expect(await call('rich', { q: 2 })).toMatchObject({ success: true, callId: 'c4', tool: 'plain', content: 'plain 2' });
  });

  test('two tools that name each other do not go round for ever', async () => {
    const down = () => { throw new Error('down'); };
    const { call } = setUp([fakeTool({ name: 'a', degradeTo: 'b' }, down), fakeTool({ name: 'b', degradeTo: 'a' }, down)], { circuit: { failures: 1, pauseMs: 1_000 } });
    await call('a');
    await call('b');
    expect(await call('a')).toMatchObject({ code: 'circuit_open', callId: 'c3' });
  });
});

describe('budgets and repeats', () => {
  test('calls, cost and running time end, each session for itself', async () => {
    const { call, clock } = setUp([fakeTool({ name: 'free' }), fakeTool({ name: 'dear', cost: 3 }), fakeTool({ name: 'long' }, () => { clock.time += 60; return 'x'; })], { budget: { maxCalls: 4, maxCost: 5, maxWallMs: 100 } });
    expect((await call('dear')).success).toBe(true);
    expect(await call('dear')).toMatchObject({ code: 'budget_exceeded', error: expect.stringContaining('cost 5 (3 used, dear costs 3)') });
    for (let n = 0; n < 3; n++) expect((await call('free')).success).toBe(true);
    expect(await call('free')).toMatchObject({ code: 'budget_exceeded', error: expect.stringContaining('4 calls') });
    for (let n = 0; n < 2; n++) expect((await call('long', {}, { sessionId: 'other' })).success).toBe(true);
    expect(await call('free', {}, { sessionId: 'other' })).toMatchObject({ code: 'budget_exceeded', error: expect.stringContaining('100 ms') });
  });

  test('a session that is forgotten starts again', async () => {
    const { call, dispatcher } = setUp([fakeTool({ name: 'free' })], { budget: { maxCalls: 1 } });
    await call('free');
    expect((await call('free')).code).toBe('budget_exceeded');
    dispatcher.forgetSession?.('s');
    expect((await call('free')).success).toBe(true);
  });

  test('the same call with the same outcome is refused after some times; another outcome or another call starts anew', async () => {
    let answer = 'same';
    const { call } = setUp([fakeTool({ name: 'poll' }, () => answer)], { maxRepeats: 3 });
    for (let n = 0; n < 3; n++) expect((await call('poll', { a: 1, b: 2 })).success).toBe(true);
    expect(await call('poll', { b: 2, a: 1 })).toMatchObject({ code: 'repeated_call', error: expect.stringContaining('3 times in a row') });
    expect((await call('poll', { a: 2 })).success).toBe(true);
    expect((await call('poll', { a: 1, b: 2 })).success).toBe(true);
    answer = 'changed';
    for (let n = 0; n < 3; n++) expect((await call('poll', { a: 1, b: 2 })).success).toBe(true);
  });
});

test('a stopped tool that tells what it did so far is heard', async () => {
  const tool = fakeTool({ name: 'bash', timeoutMs: 10 }, (_args, { signal }) => new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new ToolFailure('cancelled', 'stopped after 3 lines', { data: { lines: 3 } })));
  }));
  expect(await setUp([tool]).call('bash')).toMatchObject({ status: 'timeout', code: 'timeout', error: 'stopped after 3 lines', data: { lines: 3 } });
});
