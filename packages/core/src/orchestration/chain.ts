/** Steps one after the other, each seeing the results of those before; the first failure ends it. */
import type { ToolResult } from '../call/tool-call.js';
import { type Compensation, compensate } from './compensate.js';
import { type Step, type StepRunner, nameSteps, runStep, skipped, valueOfResult } from './step.js';

export interface ChainOptions {
  /** After a failure, undo() the finished steps, last first. */
  undo?: boolean;
}

export interface StepsResult {
  success: boolean;
  /** One for every step, in the order in which they are written; `skipped` for those not reached. */
  results: ToolResult[];
  /** The steps' names, in the same order. */
  names: string[];
  undone?: Compensation[];
}

/** Never rejects for what the steps do. @throws ToolFailure `invalid_arguments` for steps that cannot be told apart. */
export async function chain(steps: readonly Step[], runner: StepRunner, options: ChainOptions = {}): Promise<StepsResult> {
  const named = nameSteps(steps);
  const results: ToolResult[] = [];
  const finished: { name: string; result: ToolResult }[] = [];
  const values = new Map<string, unknown>();
  let prev: { value: unknown } | undefined;
  let failed: string | undefined;
  for (const [index, step] of named.entries()) {
    if (failed !== undefined) {
      results.push(skipped(step, runner.idOf(index + 1), `step ${failed} failed`));
      continue;
    }
    const result = await runStep(step, index + 1, { ...(prev && { prev }), steps: values, short: true }, runner);
    results.push(result);
    if (!result.success) failed = step.name;
    else finished.push({ name: step.name, result });
    prev = { value: valueOfResult(result) };
    values.set(step.name, prev.value);
  }
  const outcome: StepsResult = { success: failed === undefined, results, names: named.map(({ name }) => name) };
  if (failed !== undefined && options.undo) outcome.undone = await compensate(finished, runner);
  return outcome;
}
