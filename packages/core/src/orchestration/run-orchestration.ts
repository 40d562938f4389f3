/** An orchestration written as JSON, as in a script of `haft tools run`: `{"chain": […]}`, `{"parallel": […]}`, `{"router": {…}}`, `{"plan": […]}`. */
import { ToolFailure } from '../errors.js';
import type { ToolResult } from '../call/tool-call.js';
import { chain } from './chain.js';
import type { Compensation } from './compensate.js';
import { parallel } from './parallel.js';
import { plan } from './plan.js';
import { readRouter, readSteps } from './read-steps.js';
import { router } from './router.js';
import type { StepRunner } from './step.js';
import { didYouMean, showValue } from '../schema/issue.js';
import { nearName } from '../tool/near-name.js';

export interface OrchestrationResult {
  success: boolean;
  /** One for each call, in the order in which they are written. */
  results: ToolResult[];
  undone?: Compensation[];
  /** Of a router. */
  matched?: number | 'default' | 'none';
}

const kinds = ['chain', 'parallel', 'router', 'plan'] as const;

/**
 * Whether a JSON value asks for an orchestration, so that a reader of scripts can tell it from a plain call. One whose kind is misspelt
 * does too: `runOrchestration` says what was meant.
 */
export function isOrchestration(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (isModeForm(value) || kinds.some((kind) => Object.hasOwn(value, kind))) return true;
  return !['name', 'tool'].some((key) => Object.hasOwn(value, key)) && nearKind(value) !== undefined;
}

/** The form that `run_steps` takes from a model. */
function isModeForm(value: object): value is { mode: unknown; steps: unknown } {
  return Object.hasOwn(value, 'mode') && Object.hasOwn(value, 'steps');
}

function nearKind(value: object): string | undefined {
  for (const key of Object.keys(value)) {
    const near = nearName(key, kinds);
    if (near !== undefined) return `${JSON.stringify(key)} is not known: did you mean ${JSON.stringify(near)}?`;
  }
  return undefined;
}

/** Takes `{"mode": "chain", "steps": […]}` too. @throws ToolFailure `invalid_arguments` that says what is wrong with the description; nothing has run then. */
export async function runOrchestration(value: unknown, runner: StepRunner): Promise<OrchestrationResult> {
  const { kind, body, undo } = read(value);
  switch (kind) {
    case 'chain':
      return chain(readSteps(body, kind), runner, { undo });
    case 'plan':
      return plan(readSteps(body, kind), runner, { undo });
    case 'router':
      return router(readRouter(body), runner);
    case 'parallel': {
      const results = await parallel(readSteps(body, kind), runner);
      return { success: results.every((result) => result.success), results };
    }
  }
}

function read(value: unknown): { kind: (typeof kinds)[number]; body: unknown; undo: boolean } {
  const given = byKind(typeof value === 'object' && value !== null ? value : {});
  const named = kinds.filter((kind) => Object.hasOwn(given, kind));
  const [kind] = named;
  if (kind === undefined || named.length > 1) throw new ToolFailure('invalid_arguments', `Give exactly one of ${kinds.join(', ')}. ${nearKind(given) ?? ''}`.trim());
  const stray = Object.keys(given).find((key) => key !== kind && key !== 'undo');
  if (stray !== undefined) throw new ToolFailure('invalid_arguments', `${JSON.stringify(stray)} is not known beside ${JSON.stringify(kind)}; only "undo" is.`);
  if (given['undo'] !== undefined && typeof given['undo'] !== 'boolean') throw new ToolFailure('invalid_arguments', '"undo" must be true or false.');
  return { kind, body: given[kind], undo: given['undo'] === true };
}

/** Both written forms as one: `{"mode": "chain", "steps"}` is `{"chain": steps}`. */
function byKind(value: object): Record<string, unknown> {
  if (!isModeForm(value)) return { ...value };
  const { mode, steps, ...rest } = value;
  const known = kinds.find((kind) => kind === mode && kind !== 'router');
  if (known !== undefined) return { ...rest, [known]: steps };
  throw new ToolFailure('invalid_arguments', `"mode" must be one of chain, parallel, plan, not ${showValue(mode)}${didYouMean(mode, kinds)}.`);
}
