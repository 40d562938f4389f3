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

export interface OrchestrationResult {
  success: boolean;
  /** One for each call, in the order in which they are written. */
  results: ToolResult[];
  undone?: Compensation[];
  /** Of a router. */
  matched?: number | 'default' | 'none';
}

const kinds = ['chain', 'parallel', 'router', 'plan'] as const;

/** Whether a JSON value asks for an orchestration, so that a reader of scripts can tell it from a plain call. */
export function isOrchestration(value: unknown): boolean {
  return typeof value === 'object' && value !== null && kinds.some((kind) => Object.hasOwn(value, kind));
}

/** @throws ToolFailure `invalid_arguments` that says what is wrong with the description; nothing has run then. */
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
  const given = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const named = kinds.filter((kind) => Object.hasOwn(given, kind));
  const [kind] = named;
  if (kind === undefined || named.length > 1) throw new ToolFailure('invalid_arguments', `Give exactly one of ${kinds.join(', ')}.`);
  const stray = Object.keys(given).find((key) => key !== kind && key !== 'undo');
  if (stray !== undefined) throw new ToolFailure('invalid_arguments', `${JSON.stringify(stray)} is not known beside ${JSON.stringify(kind)}; only "undo" is.`);
  if (given['undo'] !== undefined && typeof given['undo'] !== 'boolean') throw new ToolFailure('invalid_arguments', '"undo" must be true or false.');
  return { kind, body: given[kind], undo: given['undo'] === true };
}
