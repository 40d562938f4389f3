// Chains, plans, parallel steps and routers over a real dispatcher, with references, failures and compensation.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createDispatcher } from '../call/dispatch.js';
import { ToolFailure } from '../errors.js';
import { createPolicy } from '../permission/permission-policy.js';
import { PluginHost } from '../plugin/plugin-host.js';
import { ToolRegistry } from '../registry/tool-registry.js';
import { fakeTool, noServices } from '../testing/fake-tool.js';
import type { ToolDefinition } from '../tool/tool.js';
import { chain } from './chain.js';
import { parallel } from './parallel.js';
import { plan } from './plan.js';
import { router } from './router.js';
import { isOrchestration, runOrchestration } from './run-orchestration.js';
import { dispatcherRunner } from './step.js';
import { resolveTemplates, stepsNamedIn } from './template.js';
import { workflows } from './workflow-plugin.js';
import { workflowTool } from './workflow-tool.js';

const allow = { decide: () => ({ verdict: 'allow' as const, reasons: [{ verdict: 'allow' as const, rule: 'test', source: { kind: 'flag' as const, where: 'test' } }] }) };

function setUp(...tools: ToolDefinition[]) {
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register(tool, 'test');
  const dispatcher = createDispatcher({ registry, policy: allow });
  const context = { sessionId: 's', signal: new AbortController().signal, services: noServices };
  return { runner: dispatcherRunner(dispatcher, context), dispatcher, context };
}

const echo = fakeTool({ name: 'echo' }, (args) => args);
const fail = fakeTool({ name: 'fail' }, () => { throw new ToolFailure('not_found', 'nothing there'); });

describe('RETRY-08: templates', () => {
  const scope = { prev: { value: { items: [{ id: 'a' }], n: 0, s: '$5 off', nul: null } }, steps: new Map<string, unknown>([['first', { path: 'x/y.ts', deep: { list: [1, 2] } }]]), short: true };
  const failing = (value: unknown) => {
    try {
      return `resolved to ${JSON.stringify(resolveTemplates(value, scope))}`;
    } catch (error) {
      expect((error as ToolFailure).code).toBe('template_error');
      return (error as Error).message;
    }
  };

  test.each<[unknown, unknown]>([
    ['$items.0.id', 'a'],
    ['$prev.items.0.id', 'a'],
    ['$n', 0],
    ['$s', '$5 off'],
    ['$nul', null],
    ['$prev', scope.prev.value],
    ['$$5', '$5'],
    ['$$prev.n', '$prev.n'],
    ['cost $5', 'cost $5'],
    ['$5', '$5'],
    ['$', '$'],
    ['$HOME/bin', '$HOME/bin'],
    ['$items.length', 1],
    ['$steps.first.path', 'x/y.ts'],
    ['copy of ${steps.first.path}: ${prev.n} ${steps.first.deep.list}', 'copy of x/y.ts: 0 [1,2]'],
    ['$${prev.n} and ${HOME}', '${prev.n} and ${HOME}'],
    [{ a: ['$n', { b: '$nul' }], c: 3 }, { a: [0, { b: null }], c: 3 }],
  ])('%j', (template, value) => {
    expect(resolveTemplates(template, scope)).toEqual(value);
  });

  test.each([
    ['$missing.x', /missing\.x.*"missing" is not there; there are items, n, s, nul/],
    ['$__proto__.x', /__proto__/],
    ['$items.0.constructor', /constructor/],
    ['$items.7', /the list has 1 items/],
    ['$n.x', /nothing inside a number/],
    ['$steps.second.a', /the finished steps are first/],
    ['in ${prev.missing}', /prev\.missing/],
  ])('%s is an error that names the path', (template, message) => {
    expect(failing(template)).toMatch(message);
  });

  test('where there is no step before, $prev is an error and short names are plain text', () => {
    expect(() => resolveTemplates('$prev', { steps: new Map() })).toThrow(/no step before/);
    expect(resolveTemplates('$HOME', { steps: new Map(), short: true })).toBe('$HOME');
  });

  test('law: a value without dollars stays equal, and escaping any string gives it back', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        const plain = JSON.parse(JSON.stringify(value).replaceAll('$', '')) as unknown;
        expect(resolveTemplates(plain, scope)).toEqual(plain);
        const literal = `$$${text.replaceAll('${', '')}`;
        expect(resolveTemplates(literal, scope)).toBe(literal.slice(1));
      }),
      { numRuns: 1000 },
    );
  });

  test('law: a template of a path gives the very value at that path, whatever its type, never expanded again', () => {
    const key = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,8}$/).filter((name) => name !== '__proto__');
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 4 }), fc.jsonValue(), (path, leaf) => {
        const value = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), leaf);
        const resolved = resolveTemplates({ args: [`$prev.${path.join('.')}`] }, { prev: { value }, steps: new Map() });
        expect(resolved).toEqual({ args: [leaf] });
      }),
      { numRuns: 1000 },
    );
  });

  test('law: any text resolves or is a coded error, and the steps it needs are those it names', () => {
    const pieces = fc.array(fc.constantFrom('$', '$$', '${', '}', 'prev', 'steps', '.', 'first', 'x', '__proto__', '0', ' ', 'n'), { maxLength: 8 });
    fc.assert(
      fc.property(pieces.map((parts) => parts.join('')), (text) => {
        failing(text);
        expect(stepsNamedIn({ a: [text] }).every((name) => text.includes(`steps.${name}`))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('RETRY-09: chain', () => {
  const log: string[] = [];
  const undoing = (name: string, more: () => void = () => undefined) =>
    fakeTool({ name, scopes: ['write'], undo: () => { log.push(`c${name.slice(-1)}`); more(); } }, () => ({ made: name }));

  test('the third of four fails: results for all, the fourth skipped, the first two undone in reverse, once', async () => {
    log.length = 0;
    const { runner } = setUp(undoing('step_1'), undoing('step_2'), fail, echo);
    const outcome = await chain([{ tool: 'step_1' }, { tool: 'step_2' }, { tool: 'fail' }, { tool: 'echo' }], runner, { undo: true });
    expect(outcome.results.map(({ status }) => status)).toEqual(['success', 'success', 'error', 'skipped']);
    expect(outcome.results[3]).toMatchObject({ code: 'step_skipped', content: expect.stringContaining('step fail failed') });
    expect(log).toEqual(['c2', 'c1']);
    expect(outcome).toMatchObject({ success: false, undone: [{ step: 'step_2', outcome: 'undone' }, { step: 'step_1', outcome: 'undone' }] });
  });

  test('a compensation that fails is reported and does not stop the other', async () => {
    log.length = 0;
    const { runner } = setUp(undoing('step_1'), undoing('step_2', () => { throw new Error('cannot'); }), fail);
    const outcome = await chain([{ tool: 'step_1' }, { tool: 'step_2' }, { tool: 'fail' }], runner, { undo: true });
    expect(log).toEqual(['c2', 'c1']);
    expect(outcome.undone).toEqual([{ step: 'step_2', outcome: 'failed', error: 'Error: cannot' }, { step: 'step_1', outcome: 'undone' }]);
  });

  test('nothing is undone unless asked, and a chain that succeeds keeps what it did', async () => {
    log.length = 0;
    const { runner } = setUp(undoing('step_1'), fail);
    await chain([{ tool: 'step_1' }, { tool: 'fail' }], runner);
    await chain([{ tool: 'step_1' }], runner, { undo: true });
    expect(log).toEqual([]);
  });

  test('steps see the step before and any named step; a template without a value fails its step before the tool runs', async () => {
    const { runner } = setUp(echo);
    const outcome = await chain(
      [
        { tool: 'echo', name: 'start', arguments: { list: [1, 2], text: 'hi' } },
        { tool: 'echo', arguments: { first: '$list.0', all: '$prev.list' } },
        { tool: 'echo', arguments: { again: '$steps.start.text', before: '$steps.echo.first' } },
        { tool: 'echo', arguments: { no: '$nothing.here' } },
        { tool: 'echo' },
      ],
      runner,
    );
    expect(outcome.results.map(({ data }) => data)).toEqual([{ list: [1, 2], text: 'hi' }, { first: 1, all: [1, 2] }, { again: 'hi', before: 1 }, undefined, undefined]);
    expect(outcome.results[3]).toMatchObject({ status: 'error', code: 'template_error', error: expect.stringContaining('nothing.here') });
    expect(outcome.names).toEqual(['start', 'echo', 'echo_2', 'echo_3', 'echo_4']);
  });
});

test('SCH-19: arguments that are nested too deep fail their own step, in words', async () => {
  const { runner } = setUp(echo);
  let deep: unknown = 1;
  for (let level = 0; level < 20_000; level += 1) deep = { c: deep };
  const results = await parallel([{ tool: 'echo', arguments: { deep } }, { tool: 'echo', arguments: { n: 1 } }], runner);
  expect(results).toMatchObject([{ status: 'error', error: expect.stringContaining('nested too deep') }, { success: true, data: { n: 1 } }]);
  expect(results[0]?.error).not.toMatch(/call stack/);
});

describe('RETRY-09: parallel and router', () => {
  test('one that throws has its failure in its own slot, in the order of the calls', async () => {
    const { runner } = setUp(echo, fail, fakeTool({ name: 'boom' }, () => { throw new Error('boom'); }));
    const results = await parallel([{ tool: 'echo', arguments: { n: 1 } }, { tool: 'boom' }, { tool: 'nope' }, { tool: 'echo', arguments: { n: 2 } }], runner);
    expect(results.map(({ callId, status, code }) => [callId, status, code])).toEqual([
      ['step.1', 'success', undefined], ['step.2', 'error', 'execution_failed'], ['step.3', 'error', 'unknown_tool'], ['step.4', 'success', undefined],
    ]);
  });

  const routed = (value: object, more: object = {}) => {
    const { runner } = setUp(echo, fail);
    return router(
      {
        call: { tool: 'echo', arguments: value },
        routes: [
          { when: { value: '$prev.count', greaterThan: 10 }, then: { tool: 'echo', arguments: { took: 'many', count: '$count' } } },
          { when: { value: '$prev.kind', in: ['a', 'b'] }, then: { tool: 'echo', arguments: { took: 'kind' } } },
          { when: { value: '$prev.extra', exists: true }, then: { tool: 'echo', arguments: { took: 'extra' } } },
        ],
        ...more,
      },
      runner,
    );
  };

  test('the first condition that holds decides; types count', async () => {
    expect(await routed({ count: 11, kind: 'a' })).toMatchObject({ success: true, matched: 0, results: [{}, { data: { took: 'many', count: 11 } }] });
    expect(await routed({ count: 1, kind: 'b' })).toMatchObject({ matched: 1 });
    expect(await routed({ count: '11', kind: '', extra: null })).toMatchObject({ matched: 2 });
  });

  test('no match is an outcome of its own, with and without a default; a missing value is an error that names it', async () => {
    expect(await routed({ count: 1, kind: 'c' })).toMatchObject({ success: false, matched: 'none', results: [{}, { tool: 'router', code: 'no_route' }] });
    expect(await routed({ count: 1, kind: 'c' }, { default: { tool: 'echo', arguments: { took: 'default' } } })).toMatchObject({ success: true, matched: 'default', results: [{}, { data: { took: 'default' } }] });
    expect(await routed({ kind: 'a' })).toMatchObject({ success: false, results: [{}, { code: 'template_error', error: expect.stringContaining('prev.count') }] });
  });

  test('a failed first call can be routed by its code', async () => {
    const { runner } = setUp(echo, fail);
    const outcome = await router({ call: { tool: 'fail' }, routes: [{ when: { value: '$prev.code', equals: 'not_found' }, then: { tool: 'echo' } }] }, runner);
    expect(outcome).toMatchObject({ matched: 0, success: true });
  });
});

describe('plan', () => {
  test('independent steps run together, dependent ones after what they need', async () => {
    const running = new Set<string>();
    const together: string[] = [];
    const work = fakeTool({ name: 'work' }, async ({ id, ...rest }) => {
      const name = JSON.stringify(id);
      running.add(name);
      await new Promise((resolve) => setTimeout(resolve, 10));
      together.push([...running].toSorted((a, b) => (a < b ? -1 : 1)).join(''));
      running.delete(name);
      return { id, ...rest };
    });
    const { runner } = setUp(work);
    const outcome = await plan(
      [
        { tool: 'work', name: 'join', arguments: { id: 3, a: '$steps.left.id', b: '${steps.right.id}' } },
        { tool: 'work', name: 'left', arguments: { id: 1 } },
        { tool: 'work', name: 'right', arguments: { id: 2 } },
        { tool: 'work', name: 'last', arguments: { id: 4 }, after: ['join'] },
      ],
      runner,
    );
    expect(outcome.results.map(({ data }) => data)).toEqual([{ id: 3, a: 1, b: '2' }, { id: 1 }, { id: 2 }, { id: 4 }]);
    expect(together).toEqual(['12', '2', '3', '4']);
  });

  test('a step whose need failed is skipped, the rest goes on, and what was done can be taken back', async () => {
    const log: string[] = [];
    const { runner } = setUp(fail, fakeTool({ name: 'make', undo: () => void log.push('undone') }, () => ({ id: 1 })));
    const outcome = await plan([{ tool: 'fail', name: 'bad' }, { tool: 'make', name: 'needs', arguments: { x: '$steps.bad.y' } }, { tool: 'make', name: 'alone' }, { tool: 'make', name: 'far', after: ['needs'] }], runner, { undo: true });
    expect(outcome.results.map(({ status }) => status)).toEqual(['error', 'skipped', 'success', 'skipped']);
    expect(log).toEqual(['undone']);
  });

  test('cycles and unknown steps are refused before anything runs', async () => {
    let ran = 0;
    const { runner } = setUp(fakeTool({ name: 'count' }, () => ++ran));
    await expect(plan([{ tool: 'count', name: 'a', after: ['b'] }, { tool: 'count', name: 'b', arguments: { x: '$steps.c.y' } }, { tool: 'count', name: 'c', after: ['a'] }, { tool: 'count', name: 'd' }], runner)).rejects.toThrow(/a → b → c → a/);
    await expect(plan([{ tool: 'count', arguments: { x: '$steps.nobody.y' } }], runner)).rejects.toThrow(/"nobody"/);
    await expect(plan([{ tool: 'count', name: 'same' }, { tool: 'count', name: 'same' }], runner)).rejects.toThrow(/named "same"/);
    expect(ran).toBe(0);
  });

  test('law: in any acyclic plan every step runs once, after all that it names', async () => {
    const shape = fc.array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(shape, fc.boolean(), async (needs, reversed) => {
        const order: string[] = [];
        const { runner } = setUp(fakeTool({ name: 'note' }, async ({ me }) => { await Promise.resolve(); order.push(String(me as string)); return { me }; }));
        const steps = needs.map((list, index) => ({ tool: 'note', name: `s${index}`, arguments: { me: `s${index}`, needs: list.filter(() => index > 0).map((n) => `$steps.s${n % index}.me`) } }));
        const outcome = await plan(reversed ? steps.toReversed() : steps, runner);
        expect(outcome.success).toBe(true);
        expect(order.toSorted()).toEqual(steps.map(({ name }) => name).toSorted());
        for (const step of steps) for (const needed of stepsNamedIn(step.arguments)) expect(order.indexOf(needed)).toBeLessThan(order.indexOf(step.name));
      }),
      { numRuns: 200 },
    );
  });
});

describe('as JSON, and as a tool', () => {
  test('a script line is told from a call, run, and refused with the place of the mistake', async () => {
    const { runner } = setUp(echo, fail);
    expect(isOrchestration({ chain: [] })).toBe(true);
    expect(isOrchestration({ name: 'echo', arguments: {} })).toBe(false);
    // What is misspelt is told as one, and what a model writes to run_steps is one.
    expect([{ chan: [] }, { Plan: [] }, { mode: 'chain', steps: [] }].map(isOrchestration)).toEqual([true, true, true]);
    expect([{ tool: 'echo', plans: 1 }, { arguments: {} }, [], null].map(isOrchestration)).toEqual([false, false, false, false]);
    expect(await runOrchestration({ mode: 'chain', steps: [{ tool: 'echo', arguments: { a: 1 } }, { tool: 'echo', arguments: { b: '$prev.a' } }] }, runner)).toMatchObject({ success: true, results: [{}, { data: { b: 1 } }] });
    expect(await runOrchestration({ chain: [{ name: 'echo', arguments: { a: 1 } }, { tool: 'echo', arguments: { b: '$prev.a' } }] }, runner)).toMatchObject({ success: true, results: [{}, { data: { b: 1 } }] });
    expect(await runOrchestration({ chain: [{ id: 's1', name: 'echo', args: { a: 1 } }, { name: 'echo', arguments: '{"b":"$steps.s1.a"}' }, { name: 'echo', params: { c: '$nope' } }] }, runner)).toMatchObject({ results: [{}, { data: { b: 1 } }, { callId: 'step.3', code: 'template_error' }] });
    expect(await runOrchestration({ router: { call: { tool: 'echo', arguments: { n: 1 } }, routes: [{ when: { value: '$n', equals: 1 }, then: { tool: 'echo' } }] } }, runner)).toMatchObject({ matched: 0 });
    const wrong: [unknown, RegExp][] = [
      [{ chain: [], plan: [] }, /exactly one of/],
      [{ chain: [] }, /chain must be a list of at least one step/],
      [{ chain: [{ arguments: {} }] }, /chain\[0\] needs "tool"/],
      [{ plan: [{ tool: 'echo', argument: {} }] }, /plan\[0\] does not know "argument"/],
      [{ chain: [{ tool: 'echo', arguments: '[1]' }] }, /one JSON object, not an array/],
      [{ chain: [{ tool: 'echo' }], undoo: true }, /"undoo" is not known/],
      [{ chan: [{ tool: 'echo' }] }, /exactly one of .*"chan" is not known: did you mean "chain"\?/],
      [{ plan: [{ tool: 'echo', aftr: [] }] }, /does not know "aftr" \(did you mean "after"\?\)/],
      [{ mode: 'paralel', steps: [{ tool: 'echo' }] }, /"mode" must be one of .*did you mean "parallel"/],
      [{ mode: 'router', steps: [{ tool: 'echo' }] }, /"mode" must be one of chain, parallel, plan/],
      [{ router: { routes: [{ when: { value: '$prev' }, then: { tool: 'echo' } }] } }, /routes\[0\]\.when needs one of/],
    ];
    for (const [value, message] of wrong) await expect(runOrchestration(value, runner)).rejects.toThrow(message);
  });

  test('the plugin offers the one tool, which needs no leave of its own', async () => {
    const host = await PluginHost.start({ plugins: [workflows()], root: '/work' });
    expect(host.registry.list().map(({ name, plugin, scopes }) => [name, plugin, scopes])).toEqual([['run_steps', 'workflows', []]]);
    expect(createPolicy({ rules: [] }).decide({ tool: host.registry.get('run_steps')!, accesses: [], sessionId: 's' }).verdict).toBe('allow');
  });

  test('a model runs steps through one tool, under the same rules, and reads how each ended', async () => {
    const undone: string[] = [];
    const { dispatcher, context } = setUp(workflowTool(), echo, fail, fakeTool({ name: 'make', undo: () => void undone.push('made') }, () => 'made'));
    const call = (args: object) => dispatcher.dispatch({ id: 'w', name: 'run_steps', arguments: JSON.stringify(args) }, context);
    const result = await call({ mode: 'chain', undo: true, steps: [{ tool: 'make' }, { tool: 'echo', arguments: { it: '$prev' } }, { tool: 'fail' }, { tool: 'echo' }] });
    expect(result.content).toBe('1. make: success\nmade\n\n2. echo: success\n{"it":"made"}\n\n3. fail: error\nnot_found: nothing there\n\n4. echo: skipped\nstep_skipped: Step echo_2 was not run because step fail failed.');
    expect(undone).toEqual(['made']);
    expect(await call({ mode: 'parallel', steps: [{ tool: 'run_steps' }] })).toMatchObject({ code: 'invalid_arguments' });
    expect(await call({ mode: 'loop', steps: [] })).toMatchObject({ code: 'invalid_arguments' });
  });
});
