// A call through the dispatcher from start to end: plan, approval, execution, time-out, cancel.
import { describe, expect, jest, test } from '@jest/globals';
import { ToolFailure } from '../errors.js';
import type { Approver } from '../permission/approval.js';
import { createPolicy } from '../permission/permission-policy.js';
import type { AuditRecord, PermissionPolicy } from '../permission/ports.js';
import { ToolRegistry } from '../registry/tool-registry.js';
import { fakeTool, noServices } from '../testing/fake-tool.js';
import type { ToolContext, ToolDefinition } from '../tool/tool.js';
import { createDispatcher } from './dispatch.js';
import type { DispatcherOptions } from './call-ports.js';
import type { CallContext, CallEvent, PlannedCall, ToolResult } from './tool-call.js';

const allowAll: PermissionPolicy = { decide: () => ({ verdict: 'allow', reasons: [{ verdict: 'allow', rule: 'test', source: { kind: 'flag', where: 'test' } }] }) };
const askAll: PermissionPolicy = { decide: () => ({ verdict: 'ask', reasons: [{ verdict: 'ask', rule: 'test', source: { kind: 'flag', where: 'test' } }], suggestion: ['write(a)'] }) };
const readOnly: PermissionPolicy = {
  decide: ({ tool }) => {
    const verdict = tool.name === 'secret' ? 'deny' : 'allow';
    return { verdict, reasons: [{ verdict, rule: `${verdict} rule`, source: { kind: 'user', where: 'config' } }] };
  },
};

function setUp(tools: ToolDefinition[], options: Partial<DispatcherOptions> = {}) {
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register(tool, 'test');
  const dispatcher = createDispatcher({ registry, policy: allowAll, ...options });
  const context = (more: Partial<CallContext> = {}): CallContext => ({ sessionId: 's1', signal: new AbortController().signal, services: noServices, ...more });
  let calls = 0;
  const call = (name: string, args: unknown = {}, more: Partial<CallContext> = {}) =>
    dispatcher.dispatch({ id: `c${++calls}`, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }, context(more));
  return { dispatcher, registry, context, call };
}

const answering = (...answers: Parameters<Approver['ask']> extends never ? never : Awaited<ReturnType<Approver['ask']>>[]): Approver & { asked: Parameters<Approver['ask']>[0][] } => {
  const asked: Parameters<Approver['ask']>[0][] = [];
  return {
    asked,
    ask: (request) => {
      asked.push(request);
      return Promise.resolve(answers[asked.length - 1] ?? { answer: 'deny' });
    },
  };
};

describe('a call from start to end', () => {
  test('a good call gives data for the program and text for the model', async () => {
    const { call } = setUp([fakeTool({ name: 'add' }, ({ a, b }) => ({ sum: Number(a) + Number(b) }))]);
    expect(await call('add', { a: 1, b: 2 })).toMatchObject({ callId: 'c1', tool: 'add', status: 'success', success: true, data: { sum: 3 }, content: '{"sum":3}', retryCount: 0 });
  });

  test('blank arguments are an empty object', async () => {
    const { call } = setUp([fakeTool({ name: 'now' }, (args) => args)]);
    expect(await call('now', ' ')).toMatchObject({ success: true, data: {} });
  });

  test('a rule of the tool refuses before the tool runs', async () => {
    const execute = jest.fn(() => 'ran');
    const { call } = setUp([fakeTool({ name: 'pay', check: ({ amount }) => (Number(amount) > 100 ? 'At most 100 may be paid.' : undefined) }, execute)]);
    expect(await call('pay', { amount: 500 })).toMatchObject({ status: 'error', code: 'rule_violated', error: 'At most 100 may be paid.' });
    expect(execute).not.toHaveBeenCalled();
    expect(await call('pay', { amount: 50 })).toMatchObject({ success: true });
  });

  test('a tool that fails with a code is reported with that code and whether trying again helps', async () => {
    const { call } = setUp([fakeTool({ name: 'fetch' }, () => { throw new ToolFailure('exit_status', 'ended with 2', { data: { status: 2 } }); })]);
    expect(await call('fetch')).toMatchObject({ status: 'error', code: 'exit_status', content: 'exit_status: ended with 2', data: { status: 2 }, retryable: false });
  });

  test('a programming error is logged with its stack and reported without it', async () => {
    const lines: { message: string; fields: { stack?: string } }[] = [];
    const quiet = () => undefined;
    const log = { debug: quiet, info: quiet, warn: quiet, error: (message: string, fields?: object) => void lines.push({ message, fields: fields ?? {} }) };
    const { call } = setUp([fakeTool({ name: 'broken' }, () => (undefined as unknown as { x: number }).x)], { log });
    const result = await call('broken');
    expect(result).toMatchObject({ status: 'error', code: 'execution_failed' });
    expect(JSON.stringify(result)).not.toMatch(/dispatch\.test|at .*\(/);
    expect(lines[0]?.fields.stack).toMatch(/dispatch\.test/);
  });

  test('progress, output and the result of a generator arrive; destructuring the context works', async () => {
    const events: CallEvent[] = [];
    const { call } = setUp([
      fakeTool({ name: 'count' }, async function* (_args: unknown, { output }: ToolContext) {
        yield { done: 1, total: 2 };
        output('half way');
        yield 'nearly';
        return 'counted';
      }),
    ]);
    expect(await call('count', {}, { onEvent: (event) => void events.push(event) })).toMatchObject({ content: 'counted' });
    expect(events.map((event) => (event.type === 'progress' ? event.update : event.type === 'output' ? event.chunk : ''))).toEqual([{ done: 1, total: 2 }, 'half way', 'nearly']);
  });

  test('a nested call goes through the same policy and ends with its parent', async () => {
    const { call } = setUp(
      [fakeTool({ name: 'outer' }, async (_args, context) => (await context.call('secret', {})).code), fakeTool({ name: 'secret' })],
      { policy: readOnly },
    );
    expect(await call('outer')).toMatchObject({ data: 'permission_denied' });
  });
});

describe('time-out and cancel', () => {
  const hang = (_args: unknown, context: ToolContext) =>
    new Promise((_resolve, reject) => context.signal.addEventListener('abort', () => reject(new Error('late error after the end'))));

  test('a tool that does not finish is stopped and told so; its late error is not unhandled', async () => {
    const { call } = setUp([fakeTool({ name: 'slow', timeoutMs: 20 }, hang), fakeTool({ name: 'chained', timeoutMs: 20 }, () => ({ then: (settle: (value: unknown) => void) => settle(new Promise(() => undefined)) })), fakeTool({ name: 'endless', timeoutMs: 20 }, async function* () { for (;;) yield 'on'; })]);
    expect(await call('slow')).toMatchObject({ status: 'timeout', code: 'timeout', retryable: true });
    expect(await call('endless')).toMatchObject({ status: 'timeout', code: 'timeout' });
    expect(await call('chained')).toMatchObject({ status: 'timeout', code: 'timeout' });
  });

  test('the caller can cancel a running call', async () => {
    const controller = new AbortController();
    const { call } = setUp([fakeTool({ name: 'slow' }, hang)]);
    const running = call('slow', {}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 10);
    expect(await running).toMatchObject({ status: 'cancelled', code: 'cancelled', retryable: false });
  });

  test('a call that is cancelled before it starts does not run', async () => {
    const execute = jest.fn(() => 'ran');
    const { call } = setUp([fakeTool({ name: 'any' }, execute)]);
    expect(await call('any', {}, { signal: AbortSignal.abort() })).toMatchObject({ status: 'cancelled' });
    expect(execute).not.toHaveBeenCalled();
  });
});

describe('protocol cases that the dispatcher answers', () => {
  test('PROT-03: what is not exactly one JSON object never runs', async () => {
    const execute = jest.fn(({ text }: { text?: unknown }) => text);
    const { call } = setUp([fakeTool({ name: 'echo' }, execute)]);
    const texts = ['[1]', '"x"', '```json\n{"text":"y"}\n```', '{"text":"a"}{"text":"b"}', '{"text":"a"} trailing', "{text:'a'}", '{"text":"a","text":"b"}'];
    const results: ToolResult[] = [];
    for (const text of texts) results.push(await call('echo', text));
    expect(results.map((result) => result.code ?? result.content)).toEqual([
      'invalid_arguments', 'invalid_arguments', 'y', 'invalid_arguments', 'invalid_arguments', 'invalid_arguments', 'invalid_arguments',
    ]);
    expect(execute).toHaveBeenCalledTimes(1);
    expect(results[6]?.error).toContain('"text"');
  });

  test('PROT-10: calls of one turn fail each in its own way, and none takes another with it', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const { call } = setUp(
      [
        fakeTool({ name: 'ok' }, () => 'fine'),
        fakeTool({ name: 'boom' }, () => Promise.reject(new Error('boom'))),
        fakeTool({ name: 'slow', timeoutMs: 10 }, () => new Promise((_resolve, reject) => setTimeout(() => reject(new Error('late')), 30))),
        fakeTool({ name: 'secret' }),
      ],
      { policy: readOnly },
    );
    const results = await Promise.all(['ok', 'boom', 'slow', 'secret', 'okk'].map((name) => call(name)));
    await new Promise((resolve) => setTimeout(resolve, 60));
    process.off('unhandledRejection', unhandled);
    expect(results.map(({ callId, code }) => [callId, code])).toEqual([
      ['c1', undefined], ['c2', 'execution_failed'], ['c3', 'timeout'], ['c4', 'permission_denied'], ['c5', 'unknown_tool'],
    ]);
    expect(results[4]?.content).toContain('ok');
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('PROT-11: hostile and misspelt names are unknown, with a suggestion, and never reach the policy', async () => {
    const decide = jest.fn(allowAll.decide);
    const { call } = setUp([fakeTool({ name: 'read_file' })], { policy: { decide } });
    const names = ['constructor', '__proto__', 'toString', 'Read_File', 'functions.read_file', ''];
    const results = await Promise.all(names.map((name) => call(name, { path: 'a' })));
    expect(results.map(({ code }) => code)).toEqual(names.map(() => 'unknown_tool'));
    expect(results[3]?.content).toContain('Did you mean read_file?');
    expect(results[4]?.content).toContain('Did you mean read_file?');
    expect(decide).not.toHaveBeenCalled();
  });

  test('a hidden tool is refused at the call and not suggested', async () => {
    const { call } = setUp([fakeTool({ name: 'read_file' }), fakeTool({ name: 'write_file' })]);
    const result = await call('write_file', {}, { visibleTools: new Set(['read_file']) });
    expect(result.code).toBe('unknown_tool');
    expect(result.content).not.toContain('mean write_file');
  });
});

describe('approval', () => {
  const written: unknown[] = [];
  const write = fakeTool({ name: 'write', scopes: ['write'], sensitive: ['token'] }, (args) => { written.push(args); return 'written'; });

  test('what is asked runs once after "once", and the question hides sensitive values', async () => {
    const approver = answering({ answer: 'once' });
    const { call } = setUp([write], { policy: askAll });
    expect(await call('write', { path: 'a', token: 't0p' }, { approver })).toMatchObject({ success: true });
    expect(approver.asked[0]).toMatchObject({ tool: 'write', arguments: { path: 'a', token: '[sensitive]' }, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(written.at(-1)).toEqual({ path: 'a', token: 't0p' });
  });

  test('nobody to ask, a "no" with its reason, and an approver that fails', async () => {
    const { call } = setUp([write], { policy: askAll });
    expect(await call('write')).toMatchObject({ code: 'approval_unavailable' });
    expect(await call('write', {}, { approver: answering({ answer: 'deny', reason: 'not now' }) })).toMatchObject({ code: 'approval_declined', error: expect.stringContaining('not now') });
    expect(await call('write', {}, { approver: { ask: () => Promise.reject(new Error('gone')) } })).toMatchObject({ code: 'approval_declined' });
  });

  test('"always" stores the suggestion that was shown', async () => {
    const added: unknown[] = [];
    const { call } = setUp([write], { policy: askAll, grants: { add: (...grant) => { added.push(grant); return Promise.resolve(['g1']); } } });
    await call('write', {}, { approver: answering({ answer: 'always' }) });
    expect(added).toEqual([[['write(a)'], 'always', 's1']]);
  });

  test('an edited call is planned again and asked again', async () => {
    const approver = answering({ answer: 'edit', arguments: { path: 'b' } }, { answer: 'once' });
    const { call } = setUp([write], { policy: askAll });
    expect(await call('write', { path: 'a' }, { approver })).toMatchObject({ success: true, callId: 'c1' });
    expect(approver.asked.map((request) => request.arguments)).toEqual([{ path: 'a' }, { path: 'b' }]);
    expect(written.at(-1)).toEqual({ path: 'b' });
  });

  test('PERM-05: answers in any order hit their own calls, also after the plan went through JSON', async () => {
    const { dispatcher, context } = setUp([write, fakeTool({ name: 'read' }, () => 'read')], { policy: { decide: (query) => (query.tool.name === 'read' ? allowAll : askAll).decide(query) } });
    const plans: PlannedCall[] = [];
    for (const [id, name] of [['w1', 'write'], ['w2', 'write'], ['r', 'read']] as const) {
      const outcome = await dispatcher.plan({ id, name, arguments: JSON.stringify({ path: id }) }, context());
      if (outcome.kind === 'planned') plans.push(JSON.parse(JSON.stringify(outcome.planned)) as PlannedCall);
    }
    const second = await dispatcher.execute(plans[1]!, { answer: 'once' }, context());
    const first = await dispatcher.execute(plans[0]!, { answer: 'deny' }, context());
    const third = await dispatcher.execute(plans[2]!, undefined, context());
    expect([first, second, third].map(({ callId, code, success }) => [callId, code, success])).toEqual([['w1', 'approval_declined', false], ['w2', undefined, true], ['r', undefined, true]]);
    expect(written.at(-1)).toEqual({ path: 'w2' });
  });

  test('PERM-05: an answer is good only for the call that was shown', async () => {
    const { dispatcher, context } = setUp([write], { policy: askAll });
    const outcome = await dispatcher.plan({ id: 'w', name: 'write', arguments: '{"path":"a"}' }, context());
    if (outcome.kind !== 'planned') throw new Error('not planned');
    const stored = JSON.parse(JSON.stringify(outcome.planned)) as PlannedCall;
    const before = written.length;
    const changed = { ...stored, arguments: { path: '/etc/passwd' } };
    expect(await dispatcher.execute(changed, { answer: 'once' }, context())).toMatchObject({ code: 'permission_denied' });
    outcome.planned.arguments['path'] = '/etc/passwd';
    expect(await dispatcher.execute(outcome.planned, { answer: 'once' }, context())).toMatchObject({ code: 'permission_denied' });
    expect(written.slice(before)).not.toContainEqual({ path: '/etc/passwd' });
  });
});

test('PERM-05: an answer is not good for a tool that may do more by then', async () => {
  const before = setUp([fakeTool({ name: 'send', scopes: ['write'] }, () => 'sent')], { policy: askAll });
  const after = setUp([fakeTool({ name: 'send', scopes: ['write', 'network'] }, () => 'sent')], { policy: askAll });
  const plan = await before.dispatcher.plan({ id: 'c1', name: 'send', arguments: '{}' }, before.context());
  if (plan.kind !== 'planned') throw new Error('not planned');
  const stored = JSON.parse(JSON.stringify(plan.planned)) as PlannedCall;
  expect(await after.dispatcher.execute(stored, { answer: 'once' }, after.context())).toMatchObject({ code: 'permission_denied' });
  expect(await before.dispatcher.execute(stored, { answer: 'once' }, before.context())).toMatchObject({ success: true });
});

test('PERM-05: a further attempt runs what was approved, whatever was done to the record or its text', async () => {
  const seen: unknown[] = [];
  const flaky = fakeTool({ name: 'write', scopes: ['write'], retry: { attempts: 2, on: ['error'], baseMs: 1 } }, (args) => {
    seen.push(structuredClone(args));
    args['path'] = 'changed by the tool';
    if (seen.length % 2 === 1) throw new Error('again');
    return 'done';
  });
  const { dispatcher, context } = setUp([flaky], { policy: askAll });
  const outcome = await dispatcher.plan({ id: 'w', name: 'write', arguments: '{"path":"a"}' }, context());
  if (outcome.kind !== 'planned') throw new Error('not planned');
  const stored = JSON.parse(JSON.stringify(outcome.planned)) as PlannedCall;
  outcome.planned.call.arguments = '{"path":"/etc/passwd"}';
  expect(await dispatcher.execute(outcome.planned, { answer: 'once' }, context())).toMatchObject({ success: true, retryCount: 1 });
  stored.call.arguments = '{"path":"/etc/passwd"}';
  expect(await dispatcher.execute(stored, { answer: 'once' }, context())).toMatchObject({ success: true, retryCount: 1 });
  expect(seen).toEqual([{ path: 'a' }, { path: 'a' }, { path: 'a' }, { path: 'a' }]);
});

describe('audit', () => {
  const collect = (records: AuditRecord[]) => ({ append: (record: AuditRecord) => { records.push(record); return Promise.resolve(); } });

  test('a call is on record before it runs, and its end after', async () => {
    const records: AuditRecord[] = [];
    const seen: number[] = [];
    const { call } = setUp([fakeTool({ name: 'write', scopes: ['write'], sensitive: ['token'] }, () => { seen.push(records.length); return 'ok'; })], { audit: collect(records) });
    await call('write', { token: 'abc' });
    await call('nope');
    expect(seen).toEqual([1]);
    expect(records.map(({ event, tool }) => [event, tool])).toEqual([['call_started', 'write'], ['call_finished', 'write'], ['call_refused', 'nope']]);
    expect(JSON.stringify(records)).not.toContain('abc');
  });

  test('the value of a secret is nowhere: not in what is asked, decided or put on record, whose resource is the parameter by its name', async () => {
    const records: AuditRecord[] = [];
    const approver = answering({ answer: 'once' });
    const tool = fakeTool({ name: 'login', scopes: ['network'], sensitive: ['pin'], resources: [{ path: 'pin', kind: 'secret', access: 'read' }] }, ({ pin }) => `used ${(pin as string).length}`);
    const { call } = setUp([tool], { audit: collect(records), policy: createPolicy({ rules: [] }) });
    expect(await call('login', { pin: 'four-1234' }, { approver })).toMatchObject({ success: true, content: 'used 9' });
    expect(approver.asked[0]?.accesses).toEqual([{ kind: 'secret', mode: 'read', value: 'pin', resource: 'pin' }]);
    expect(JSON.stringify([records, approver.asked])).not.toContain('1234');
  });

  test('where the log cannot be written, what can change something does not run; reading goes on', async () => {
    const execute = jest.fn(() => 'ran');
    const audit = { append: () => Promise.reject(new Error('disk full')) };
    const { call } = setUp([fakeTool({ name: 'write', scopes: ['write'] }, execute), fakeTool({ name: 'read' }, () => 'text')], { audit });
    expect(await call('write')).toMatchObject({ code: 'audit_unavailable', error: expect.stringContaining('disk full') });
    expect(execute).not.toHaveBeenCalled();
    expect(await call('read')).toMatchObject({ success: true });
  });
});
