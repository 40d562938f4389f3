// Calls at once: the limit, the order, locks by resource, and that each of thousands settles once and leaves nothing behind.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ToolRegistry } from '../registry/tool-registry.js';
import { fakeTool, noServices } from '../testing/fake-tool.js';
import type { Access } from '../permission/access.js';
import type { ToolContext, ToolDefinition } from '../tool/tool.js';
import type { CallLimits } from './call-ports.js';
import { createDispatcher } from './dispatch.js';
import type { ToolResult } from './tool-call.js';

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const allow = { decide: () => ({ verdict: 'allow' as const, reasons: [{ verdict: 'allow' as const, rule: 'test', source: { kind: 'flag' as const, where: 'test' } }] }) };
const resolver = { resolve: (access: Access) => Promise.resolve([{ ...access, resource: access.value, inside: true }]) };
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Fails instead of waiting for ever, so that a run that hangs is shrunk to its smallest form. */
async function orHang<T>(work: Promise<T>): Promise<T> {
  let guard: ReturnType<typeof setTimeout> | undefined;
  const hangs = new Promise<never>((_resolve, reject) => {
    guard = setTimeout(() => reject(new Error('the calls hang')), 5_000);
  });
  return Promise.race([work, hangs]).finally(() => clearTimeout(guard));
}

function dispatcherFor(tools: ToolDefinition[], limits: CallLimits = {}) {
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register(tool, 'test');
  const dispatcher = createDispatcher({ registry, policy: allow, resolver, limits });
  let calls = 0;
  return (name: string, args: object = {}, signal = new AbortController().signal): Promise<ToolResult> =>
    dispatcher.dispatch({ id: `c${++calls}`, name, arguments: JSON.stringify(args) }, { sessionId: 's', signal, services: noServices });
}

/** Counts how many run at once, in all and by key. */
function meter() {
  const running = new Map<string, number>();
  const peaks = new Map<string, number>();
  const order: string[] = [];
  return {
    peaks,
    order,
    async during<T>(keys: string[], work: () => Promise<T>): Promise<T> {
      for (const key of keys) {
        running.set(key, (running.get(key) ?? 0) + 1);
        peaks.set(key, Math.max(peaks.get(key) ?? 0, running.get(key) ?? 0));
      }
      order.push(keys.join(' '));
      try {
        return await work();
      } finally {
        for (const key of keys) running.set(key, (running.get(key) ?? 0) - 1);
      }
    },
  };
}

describe('RETRY-07: concurrency limit', () => {
  test('at most three run at once, nested calls go on, an aborted waiter never starts, the rest run in order', async () => {
    const measured = meter();
    const controllers = Array.from({ length: 20 }, () => new AbortController());
    const call = dispatcherFor(
      [
        fakeTool({ name: 'outer' }, ({ n }, context) =>
          measured.during(['outer', `outer${text(n)}`], async () => {
            await pause(5);
            if (n === 4) throw new Error('four fails');
            return (await context.call('inner', { n: n ?? 0 })).content;
          }),
        ),
        fakeTool({ name: 'inner' }, () => measured.during(['inner'], () => pause(2))),
      ],
      { maxConcurrency: 3 },
    );
    const results = controllers.map((controller, n) => call('outer', { n }, controller.signal));
    await pause(2);
    for (const n of [7, 11]) controllers[n]!.abort();
    const settled = await Promise.all(results);
    expect(measured.peaks.get('outer')).toBe(3);
    expect(measured.peaks.get('inner')).toBeLessThanOrEqual(3);
    expect(settled.map(({ status }) => status)).toEqual(controllers.map((_, n) => (n === 7 || n === 11 ? 'cancelled' : n === 4 ? 'error' : 'success')));
    const started = measured.order.filter((name) => name.startsWith('outer ')).map((name) => Number(name.slice(11)));
    expect(started).toEqual(controllers.map((_, n) => n).filter((n) => n !== 7 && n !== 11));
  });

  test('waiting does not count against the time-out', async () => {
    const call = dispatcherFor([fakeTool({ name: 'slow', timeoutMs: 500 }, () => pause(100))], { maxConcurrency: 1 });
    const results = await Promise.all(Array.from({ length: 6 }, () => call('slow')));
    expect(results.map(({ status }) => status)).toEqual(results.map(() => 'success'));
    expect(results.at(-1)!.queuedMs).toBeGreaterThan(results[1]!.queuedMs);
  });

  test('a tool has a limit of its own, and an exclusive one runs alone', async () => {
    const measured = meter();
    const call = dispatcherFor([
      fakeTool({ name: 'two', concurrency: 2 }, () => measured.during(['two', 'any'], () => pause(3))),
      fakeTool({ name: 'alone', concurrency: 'exclusive' }, () => measured.during(['alone', 'any'], async () => { await pause(3); return [...measured.peaks]; })),
    ]);
    await Promise.all([call('two'), call('two'), call('two'), call('two')]);
    expect(measured.peaks.get('two')).toBe(2);
    measured.peaks.clear();
    const [, , during] = await Promise.all([call('two'), call('two'), call('alone'), call('two')]);
    expect(during!.success).toBe(true);
    expect(measured.order.slice(-4)).toEqual(['two any', 'two any', 'alone any', 'two any']);
    expect(measured.peaks.get('any')).toBe(2);
  });

  test('many nested calls of one call share its place and cannot starve it', async () => {
    const measured = meter();
    const call = dispatcherFor(
      [
        fakeTool({ name: 'fan' }, async (_args, context) => (await Promise.all(Array.from({ length: 10 }, (_, n) => context.call('leaf', { n })))).filter((result) => result.success).length),
        fakeTool({ name: 'leaf' }, () => measured.during(['leaf'], () => pause(1))),
      ],
      { maxConcurrency: 2 },
    );
    const results = await Promise.all([call('fan'), call('fan'), call('fan')]);
    expect(results.map(({ data }) => data)).toEqual([10, 10, 10]);
    expect(measured.peaks.get('leaf')).toBeLessThanOrEqual(2);
  });
});

describe('locks by resource', () => {
  const editing = (measured: ReturnType<typeof meter>) => [
    fakeTool({ name: 'edit', scopes: ['write'], access: ({ path }) => [{ kind: 'path', mode: 'write', value: text(path) }] }, ({ path }) => measured.during([`edit ${text(path)}`, 'edit'], () => pause(3))),
    fakeTool({ name: 'view', access: ({ path }) => [{ kind: 'path', mode: 'read', value: text(path) }] }, ({ path }) => measured.during([`view ${text(path)}`], () => pause(3))),
  ];

  test('two edits of one file queue, edits of two files run together, readers share', async () => {
    const measured = meter();
    const call = dispatcherFor(editing(measured));
    await Promise.all([call('edit', { path: 'a' }), call('edit', { path: 'a' }), call('edit', { path: 'b' }), call('view', { path: 'c' }), call('view', { path: 'c' })]);
    expect(measured.peaks.get('edit a')).toBe(1);
    expect(measured.peaks.get('edit')).toBe(2);
    expect(measured.peaks.get('view c')).toBe(2);
  });

  test('a reader of a file may let a nested call write it, and waits for nobody but other readers', async () => {
    const measured = meter();
    const call = dispatcherFor([
      ...editing(measured),
      fakeTool({ name: 'refactor', access: ({ path }) => [{ kind: 'path', mode: 'read', value: text(path) }] }, async ({ path }, context) => (await context.call('edit', { path: path ?? '' })).status),
    ]);
    const [first, second] = await Promise.all([call('refactor', { path: 'a' }), call('view', { path: 'a' })]);
    expect(first!.data).toBe('success');
    expect(second!.success).toBe(true);
  });

  test('two calls that wait for each other end: one is refused, the other goes on', async () => {
    const measured = meter();
    const call = dispatcherFor([
      ...editing(measured),
      fakeTool({ name: 'both', scopes: ['write'], access: ({ first }) => [{ kind: 'path', mode: 'write', value: text(first) }] }, async ({ second }, context: ToolContext) => {
        await pause(5);
        return (await context.call('edit', { path: second ?? '' })).code ?? 'done';
      }),
    ]);
    const results = await Promise.all([call('both', { first: 'x', second: 'y' }), call('both', { first: 'y', second: 'x' })]);
    expect(results.map(({ data }) => data)).toEqual(expect.arrayContaining(['deadlock', 'done']));
  });

  test('law: calls with any sets of paths all end, and no path ever has a writer beside anyone', async () => {
    const access = fc.record({ path: fc.constantFrom('a', 'b', 'c', 'd'), mode: fc.constantFrom('read' as const, 'write' as const) });
    const callShape = fc.record({ accesses: fc.array(access, { maxLength: 3 }), nested: fc.option(fc.array(access, { maxLength: 2 }), { nil: undefined }) });
    await fc.assert(
      fc.asyncProperty(fc.array(callShape, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 4 }), async (shapes, maxConcurrency) => {
        const writers = new Map<string, number>();
        const broken: string[] = [];
        type Accesses = { path: string; mode: 'read' | 'write' }[];
        const touch = fakeTool(
          { name: 'touch', access: ({ accesses }) => (accesses as unknown as Accesses).map(({ path, mode }) => ({ kind: 'path' as const, mode, value: path })) },
          async ({ accesses, nested }, context) => {
            const written = [...new Set((accesses as unknown as Accesses).filter(({ mode }) => mode === 'write').map(({ path }) => path))];
            if (context.callId.includes('/')) return 'nested';
            for (const path of written) if (writers.set(path, (writers.get(path) ?? 0) + 1).get(path) !== 1) broken.push(path);
            await Promise.resolve();
            const status = nested ? (await context.call('touch', { accesses: nested })).code ?? 'done' : 'done';
            for (const path of written) writers.set(path, (writers.get(path) ?? 0) - 1);
            return status;
          },
        );
        const call = dispatcherFor([touch], { maxConcurrency });
        const results = await orHang(Promise.all(shapes.map((shape) => call('touch', shape))));
        expect(broken).toEqual([]);
        for (const result of results) expect(['done', 'deadlock', undefined]).toContain(result.data ?? (result.code === 'deadlock' ? 'deadlock' : undefined));
      }),
      { numRuns: 1000 },
    );
  });
});

test('10,000 calls at once with a limit of 64, of which some fail, time out or are aborted: each settles once, in its way, never above the limit', async () => {
  const measured = meter();
  const call = dispatcherFor(
    [
      fakeTool({ name: 'work', timeoutMs: 30 }, ({ n }, { signal }) =>
        measured.during(['work'], async () => {
          const kind = Number(n) % 10;
          if (kind === 1) throw new Error('fails');
          if (kind === 2) return new Promise((resolve) => signal.addEventListener('abort', () => resolve('too late')));
          return Number(n);
        }),
      ),
    ],
    { maxConcurrency: 64 },
  );
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  const results = await Promise.all(
    Array.from({ length: 10_000 }, (_, n) => {
      const controller = new AbortController();
      if (n % 10 === 3) setTimeout(() => controller.abort(), n % 7);
      return call('work', { n }, controller.signal);
    }),
  );
  expect(measured.peaks.get('work')).toBeLessThanOrEqual(64);
  expect(results.map(({ callId }) => callId)).toEqual(results.map((_, n) => `c${n + 1}`));
  results.forEach((result, n) => {
    const expected = { 1: ['error'], 2: ['timeout'], 3: ['success', 'cancelled'] }[n % 10 as 1] ?? ['success'];
    expect(expected).toContain(result.status);
    if (result.success) expect(result.data).toBe(n);
  });
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024);
});
