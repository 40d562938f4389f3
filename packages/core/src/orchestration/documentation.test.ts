// Holds docs/orchestration.md to the code.
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createDispatcher } from '../call/dispatch.js';
import { ToolFailure } from '../errors.js';
import { ToolRegistry } from '../registry/tool-registry.js';
import { fakeTool, noServices } from '../testing/fake-tool.js';
import { conditionKeys } from './condition.js';
import { type OrchestrationResult, runOrchestration } from './run-orchestration.js';
import { dispatcherRunner } from './step.js';

const page = readFileSync(new URL('../../../../docs/orchestration.md', import.meta.url), 'utf8');

test('the forms on the page docs/orchestration.md run as they are written', async () => {
  const registry = new ToolRegistry();
  registry.register(fakeTool({ name: 'echo' }, (args) => args), 'test');
  registry.register(fakeTool({ name: 'fail' }, () => { throw new ToolFailure('not_found', 'nothing there'); }), 'test');
  const runner = dispatcherRunner(createDispatcher({ registry }), { sessionId: 's', signal: new AbortController().signal, services: noServices });
  const outcomes: Record<string, OrchestrationResult> = {};
  for (const [, block = ''] of page.matchAll(/```json\n([\s\S]*?)```/g)) {
    const value = JSON.parse(block) as Record<string, unknown>;
    outcomes[Object.keys(value)[0] as string] = await runOrchestration(value, runner);
  }
  expect(Object.keys(outcomes)).toEqual(['chain', 'parallel', 'router', 'plan']);
  expect(outcomes['chain']?.results.map(({ data }) => data)).toEqual([{ items: [{ id: 'a' }], n: 0 }, { first: 'a', n: 0 }]);
  expect(outcomes['parallel']?.results.map(({ status }) => status)).toEqual(['success', 'error', 'success']);
  expect(outcomes['router']).toMatchObject({ matched: 0, results: [{ code: 'not_found' }, { data: { made: 'error' } }] });
  expect(outcomes['plan']?.results.map(({ data }) => data)).toEqual([{ l: 1, r: 2 }, { v: 1 }, { v: 2 }]);
});

test('the page names every condition', () => {
  for (const key of conditionKeys) expect(page).toContain(`\`${key}\``);
});
