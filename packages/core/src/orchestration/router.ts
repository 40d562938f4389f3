/** One of several ways, chosen by the result of a first call. */
import { ToolFailure } from '../errors.js';
import type { ToolResult } from '../call/tool-call.js';
import { type Condition, holds } from './condition.js';
import { type Step, type StepRunner, notRun, runStep, valueOfResult } from './step.js';
import type { TemplateScope } from './template.js';

export interface Route {
  /** A condition on the first call's result, or a function of it. */
  when: Condition | ((first: ToolResult | undefined) => boolean);
  then: Step;
}

export interface RouterSpec {
  /** Called first; its result is `$prev` in conditions and in the chosen step. */
  call?: Step;
  /** Tried in order; the first that holds is taken. */
  routes: readonly Route[];
  /** Taken when none holds. */
  default?: Step;
}

export interface RouterResult {
  success: boolean;
  /** Index of the route that was taken, `default`, or `none`. */
  matched: number | 'default' | 'none';
  /** The first call's result, if there was one, then the chosen one's; `no_route` where none was chosen. */
  results: ToolResult[];
}

/** Never rejects for what the calls do. A first call that fails does not end it: its status may be what decides. */
export async function router(spec: RouterSpec, runner: StepRunner): Promise<RouterResult> {
  const first = spec.call ? await runStep(spec.call, 1, { steps: new Map() }, runner) : undefined;
  const results = first ? [first] : [];
  const scope: TemplateScope = { ...(first && { prev: { value: routedValue(first) } }), steps: new Map(), short: true };
  const index = results.length + 1;
  try {
    const matched = spec.routes.findIndex(({ when }) => (typeof when === 'function' ? when(first) : holds(when, scope)));
    const chosen = spec.routes[matched]?.then ?? spec.default;
    if (!chosen) {
      results.push(notRun(runner.idOf(index), 'router', 'error', 'no_route', `None of the ${spec.routes.length} conditions holds, and there is no default.`));
      return { success: false, matched: 'none', results };
    }
    const result = await runStep(chosen, index, scope, runner);
    return { success: result.success, matched: matched === -1 ? 'default' : matched, results: [...results, result] };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    results.push(notRun(runner.idOf(index), 'router', 'error', error.code, error.message));
    return { success: false, matched: 'none', results };
  }
}

/** A failed call has no data to go by, so conditions see its status, code and text. */
function routedValue(first: ToolResult): unknown {
  if (first.success) return valueOfResult(first);
  return { status: first.status, code: first.code, error: first.error, data: first.data };
}
