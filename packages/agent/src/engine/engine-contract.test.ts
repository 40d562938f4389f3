// What the loop may rely on, whichever engine a run lives on.
import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlannedCall, ToolResult } from '@haft/core';
import { tick } from '../../test/kit.js';
import { type AgentEngine, type AgentEvent, InProcessEngine, type RunStart, type SessionScope, SessionStore } from '../index.js';

const folder = mkdtempSync(join(tmpdir(), 'haft-engines-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const engines: [string, () => AgentEngine][] = [
  ['in process', () => new InProcessEngine()],
  ['on a journal', () => SessionStore.open(folder).create().engine],
];

const planned = { call: { id: 'r1:t1.1', name: 'write', arguments: '{}' }, tool: 'write', arguments: {}, scopes: ['write'], idempotent: false, accesses: [], hash: 'h' } as unknown as PlannedCall;
const done: ToolResult = { callId: 'r1:t1.1', tool: 'write', status: 'success', success: true, content: 'ok', durationMs: 0, queuedMs: 0, retryCount: 0 };

describe.each(engines)('an engine %s', (_name, make) => {
  const start = <R>(engine: AgentEngine, body: (scope: SessionScope) => Promise<R>, more: Partial<RunStart> = {}): Promise<R> =>
    engine.start({ runId: 'r1', sessionId: 's1', signal: new AbortController().signal, execute: () => Promise.resolve(done), emit: () => undefined, ...more }, body);

  test('a step gives its value, and its failure', async () => {
    await start(make(), async (scope) => {
      expect(await scope.step('one', () => Promise.resolve({ a: [1, 'x', null] }))).toEqual({ a: [1, 'x', null] });
      await expect(scope.step('two', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    });
  });

  test('a value is found whether it comes before the wait or after it; only the first counts', async () => {
    const engine = make();
    await start(engine, async (scope) => {
      await engine.signal('r1', 'early', { answer: 1 });
      await engine.signal('r1', 'early', { answer: 2 });
      expect(await scope.waitFor('early')).toEqual({ answer: 1 });
      const waiting = scope.waitFor('late');
      await tick(1);
      await engine.signal('r1', 'late', 'here');
      expect(await waiting).toBe('here');
    });
  });

  test('a wait ends by its time-out and by the stop of the run', async () => {
    const controller = new AbortController();
    await start(make(), async (scope) => {
      await expect(scope.waitFor('never', { timeoutMs: 5 })).rejects.toMatchObject({ name: 'WaitTimeout' });
      const waits = Promise.allSettled([scope.waitFor('never'), scope.sleep('nap', 60_000)]);
      await tick(1);
      controller.abort(new Error('stopped'));
      expect(await waits).toMatchObject([{ reason: { message: 'stopped' } }, { reason: { message: 'stopped' } }]);
    }, { signal: controller.signal });
  });

  test('dispatch carries out once and events pass through', async () => {
    let ran = 0;
    const events: AgentEvent[] = [];
    const execute = () => Promise.resolve({ ...done, content: `ran ${(ran += 1)}` });
    const event: AgentEvent = { type: 'turn_started', turn: 1, id: 'e', runId: 'r1', sessionId: 's1', at: 'now' };
    const result = await start(make(), (scope) => {
      scope.emit(event);
      return scope.dispatch(planned, undefined);
    }, { execute, emit: (each) => events.push(each) });
    expect(result.content).toBe('ran 1');
    expect(events).toEqual([event]);
  });

  test('each attempt has an id of its own', async () => {
    const engine = make();
    const first = await start(engine, (scope) => Promise.resolve(scope.attemptId));
    expect(await start(engine, (scope) => Promise.resolve(scope.attemptId), { runId: 'r2' })).not.toBe(first);
  });
});
