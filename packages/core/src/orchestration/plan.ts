/** Steps that depend on one another: what depends on nothing unfinished runs at once, cycles are refused before anything runs. */
import { ToolFailure } from '../errors.js';
import type { ToolResult } from '../call/tool-call.js';
import { compensate } from './compensate.js';
import type { ChainOptions, StepsResult } from './chain.js';
import { type NamedStep, type Step, type StepRunner, nameSteps, runStep, skipped, valueOfResult } from './step.js';
import { stepsNamedIn } from './template.js';

/**
 * Dependencies are the steps that templates name, and those in `after`. A step whose dependency failed is skipped; the rest go on.
 * @throws ToolFailure `template_error` for a step that is not there, `invalid_arguments` for a cycle: before anything runs.
 */
export async function plan(steps: readonly Step[], runner: StepRunner, options: ChainOptions = {}): Promise<StepsResult> {
  const named = nameSteps(steps);
  const dependencies = dependenciesOf(named);
  refuseCycles(dependencies);
  const values = new Map<string, unknown>();
  const finished: { name: string; result: ToolResult }[] = [];
  const running = new Map<string, Promise<ToolResult>>();
  for (const name of topological(dependencies)) running.set(name, runWhenReady(name));
  const results = await Promise.all(named.map(({ name }) => running.get(name) as Promise<ToolResult>));
  const success = results.every((result) => result.success);
  const outcome: StepsResult = { success, results, names: named.map(({ name }) => name) };
  if (!success && options.undo) outcome.undone = await compensate(finished, runner);
  return outcome;

  async function runWhenReady(name: string): Promise<ToolResult> {
    const index = named.findIndex((step) => step.name === name);
    const step = named[index] as NamedStep;
    for (const needed of dependencies.get(name) ?? []) {
      const result = await (running.get(needed) as Promise<ToolResult>);
      if (!result.success) return skipped(step, runner.idOf(index + 1), `step ${needed} ${result.status === 'skipped' ? 'was skipped' : 'failed'}`);
    }
    const result = await runStep(step, index + 1, { steps: values }, runner);
    if (result.success) finished.push({ name, result });
    values.set(name, valueOfResult(result));
    return result;
  }
}

type Dependencies = ReadonlyMap<string, readonly string[]>;

function dependenciesOf(steps: readonly NamedStep[]): Dependencies {
  const names = new Set(steps.map(({ name }) => name));
  return new Map(
    steps.map((step) => {
      const needed = [...new Set([...stepsNamedIn(step.arguments), ...(step.after ?? [])])];
      const unknown = needed.find((name) => !names.has(name));
      if (unknown !== undefined) throw new ToolFailure('template_error', `Step ${step.name} needs a step ${JSON.stringify(unknown)}, which is not in the plan. It has: ${[...names].join(', ')}.`);
      return [step.name, needed];
    }),
  );
}

function refuseCycles(dependencies: Dependencies): void {
  if (topological(dependencies).length === dependencies.size) return;
  const ordered = new Set(topological(dependencies));
  const start = [...dependencies.keys()].find((name) => !ordered.has(name)) as string;
  const path = [start];
  for (let at = start; ; ) {
    at = (dependencies.get(at) ?? []).find((name) => !ordered.has(name)) as string;
    const seen = path.indexOf(at);
    path.push(at);
    if (seen !== -1) throw new ToolFailure('invalid_arguments', `The steps of the plan need each other in a circle: ${path.slice(seen).join(' → ')}.`);
  }
}

/** Names in an order in which every step comes after what it needs; those on a cycle, or behind one, are left out. */
function topological(dependencies: Dependencies): string[] {
  const order: string[] = [];
  const placed = new Set<string>();
  for (let grew = true; grew; ) {
    grew = false;
    for (const [name, needed] of dependencies) {
      if (placed.has(name) || !needed.every((one) => placed.has(one))) continue;
      placed.add(name);
      order.push(name);
      grew = true;
    }
  }
  return order;
}
