// A port or a listener that fails: the gate stays closed, and the caller still gets one coded result.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ToolFailure } from '../errors.js';
import type { Access } from '../permission/access.js';
import type { AuditRecord, PermissionPolicy } from '../permission/ports.js';
import { ToolRegistry } from '../registry/tool-registry.js';
import { fakeClock } from '../testing/fake-clock.js';
import { fakeTool, noServices } from '../testing/fake-tool.js';
import type { DispatcherOptions } from './call-ports.js';
import { createDispatcher } from './dispatch.js';
import type { CallContext, ToolCall } from './tool-call.js';

const verdict = (said: 'allow' | 'ask' | 'deny'): PermissionPolicy => ({ decide: () => ({ verdict: said, reasons: [{ verdict: said, rule: 'test', source: { kind: 'flag', where: 'test' } }] }) });
const context = (more: Partial<CallContext> = {}): CallContext => ({ sessionId: 's', signal: new AbortController().signal, services: noServices, ...more });

function dispatcherWith(options: Partial<DispatcherOptions>, execute = () => 'written') {
  const registry = new ToolRegistry();
  registry.register(fakeTool({ name: 'write', scopes: ['write'], access: () => [{ kind: 'path', mode: 'write', value: 'a' }] }, execute), 'test');
  return createDispatcher({ registry, policy: verdict('allow'), ...options });
}

const call: ToolCall = { id: 'c', name: 'write', arguments: '{}' };

describe('a port that fails closes the gate', () => {
  test.each<[string, Partial<DispatcherOptions>, string]>([
    ['a resolver that rejects', { resolver: { resolve: () => Promise.reject(new Error('disk')) } }, 'permission_denied'],
    ['a resolver that throws', { resolver: { resolve: () => { throw new Error('disk'); } } }, 'permission_denied'],
    ['a resolver that refuses', { resolver: { resolve: () => Promise.reject(new ToolFailure('path_denied', 'no')) } }, 'path_denied'],
    ['a resolver that hangs', { resolver: { resolve: () => new Promise(() => undefined) }, limits: { timeoutMs: 20 } }, 'timeout'],
    ['a policy that throws', { policy: { decide: () => { throw new Error('rule'); } } }, 'permission_denied'],
    ['a limiter that rejects', { rateLimiter: { take: () => Promise.reject(new Error('store')) } }, 'permission_denied'],
    ['an audit log that rejects', { audit: { append: () => Promise.reject(new Error('full')) } }, 'audit_unavailable'],
  ])('%s', async (_what, options, code) => {
    let ran = 0;
    const result = await dispatcherWith(options, () => `${++ran}`).dispatch(call, context());
    expect(result).toMatchObject({ success: false, code });
    expect(ran).toBe(0);
  });

  test('an approver that does not heed the signal is not waited for', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 10);
    const result = await dispatcherWith({ policy: verdict('ask') }).dispatch(call, context({ signal: controller.signal, approver: { ask: () => new Promise(() => undefined) } }));
    expect(result.status).toBe('cancelled');
  });

  test('an answer that is none of the known ones is a no', async () => {
    const approver = { ask: () => Promise.resolve({ answer: 'yes' } as never) };
    expect((await dispatcherWith({ policy: verdict('ask') }).dispatch(call, context({ approver }))).code).toBe('approval_declined');
  });
});

test('calls of any shape give a coded result', async () => {
  const dispatcher = dispatcherWith({});
  const shapes: unknown[] = [{ id: 'c', name: undefined, arguments: '{}' }, { id: 'c', name: 'write', arguments: undefined }, { id: 'c', name: 'write', arguments: { a: 1 } }, { id: 'c', name: 3, arguments: 'null' }, { id: 'c', name: 'x'.repeat(1e6), arguments: '{}' }];
  const results = await Promise.all(shapes.map((shape) => dispatcher.dispatch(shape as ToolCall, context())));
  expect(results.map(({ code }) => code)).toEqual(['unknown_tool', 'invalid_arguments', 'invalid_arguments', 'unknown_tool', 'unknown_tool']);
  for (const result of results) expect(JSON.stringify(result.content).length).toBeLessThan(1_000);
});

test('a listener of events that fails does not touch the call', async () => {
  const registry = new ToolRegistry();
  registry.register(fakeTool({ name: 'loud' }, (_args, { output, progress }) => { output('x'); progress('y'); return 'done'; }), 'test');
  const result = await createDispatcher({ registry }).dispatch({ id: 'c', name: 'loud', arguments: '{}' }, context({ onEvent: () => { throw new Error('listener'); } }));
  expect(result).toMatchObject({ success: true, content: 'done' });
});

test('a failure that a plugin made with its own copy of core keeps its code', async () => {
  class ToolFailureOfAnotherCopy extends Error {
    override readonly name = 'ToolFailure';
    readonly code = 'its_own_code';
    readonly retryable = true;
  }
  const result = await dispatcherWith({}, () => { throw new ToolFailureOfAnotherCopy('from elsewhere'); }).dispatch(call, context());
  expect(result).toMatchObject({ status: 'error', code: 'its_own_code', error: 'from elsewhere', retryable: true });
});

test('law: whatever fails, a result comes, nothing rejects, and a write runs only when it was allowed and is on record', async () => {
  const fault = fc.constantFrom('fine' as const, 'fine' as const, 'fine' as const, 'rejects' as const, 'throws' as const);
  const faults = fc.record({ resolver: fault, limiter: fault, policy: fault, audit: fault, approver: fault, grants: fault, spill: fault, tool: fault, undo: fault });
  const act = <T>(how: 'fine' | 'rejects' | 'throws', value: T): Promise<T> => {
    if (how === 'throws') throw new Error('thrown');
    return how === 'rejects' ? Promise.reject(new Error('rejected')) : Promise.resolve(value);
  };
  await fc.assert(
    fc.asyncProperty(faults, fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const), fc.constantFrom('once' as const, 'always' as const, 'deny' as const), async (how, said, answer) => {
      const records: AuditRecord[] = [];
      let started = 0;
      const decision = { ...verdict(said).decide({} as never), suggestion: ['write'] };
      const dispatcher = dispatcherWith(
        {
          policy: { decide: () => { if (how.policy !== 'fine') throw new Error('policy'); return decision; } },
          resolver: { resolve: (access: Access) => act(how.resolver, [{ ...access, resource: 'a', inside: true }]) },
          rateLimiter: { take: () => act(how.limiter, { allowed: true, retryAfterMs: 0 }) },
          audit: { append: (record) => { if (how.audit === 'fine') records.push(record); return act(how.audit, undefined); } },
          grants: { add: () => act(how.grants, ['g']) },
          spill: { save: () => act(how.spill, '/f') },
          clock: fakeClock(),
          limits: { maxOutputChars: 300 },
        },
        () => {
          expect(records.some(({ event }) => event === 'call_started')).toBe(true);
          started += 1;
          if (how.tool !== 'fine') throw new Error('tool');
          return 'x'.repeat(500);
        },
      );
      const result = await dispatcher.dispatch(call, context({ approver: { ask: () => act(how.approver, { answer }) } }));
      const mayRun = said === 'allow' || (said === 'ask' && how.approver === 'fine' && answer !== 'deny');
      const gateFine = how.policy === 'fine' && how.resolver === 'fine' && how.limiter === 'fine' && how.audit === 'fine';
      expect(started).toBe(mayRun && gateFine ? 1 : 0);
      expect(result.success).toBe(started === 1 && how.tool === 'fine');
      expect(result.content.length).toBeGreaterThan(0);
      if (!result.success) expect(result.code).toMatch(/^[a-z_]+$/);
    }),
    { numRuns: 1000 },
  );
});
