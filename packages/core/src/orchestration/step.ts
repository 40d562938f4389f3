/** One step of an orchestration: which tool, with which arguments, under which name; and how it becomes a result. */
import { ToolFailure } from '../errors.js';
import type { CallContext, Dispatcher, ToolResult } from '../call/tool-call.js';
import { type TemplateScope, resolveTemplates } from './template.js';

export interface Step {
  tool: string;
  /** May hold templates. Default: none. */
  arguments?: object;
  /** What `$steps.NAME` calls it. Default: the tool's name, with `_2` and so on where it occurs again. */
  name?: string;
  /** In a plan: names of steps that must have succeeded before, beyond those that templates name. */
  after?: readonly string[];
}

export type NamedStep = Step & { name: string };

/** Who carries out the steps: a dispatcher with a context, or a running tool. */
export interface StepRunner {
  /** The id of a step's call; `index` counts from 1. */
  idOf(index: number): string;
  call(tool: string, args: object, index: number): Promise<ToolResult>;
  /** Resolves with false where there is nothing to undo; rejects where undo() fails. */
  undo?(result: ToolResult): Promise<boolean>;
}

/** Steps through the dispatcher, as calls `PREFIX.1`, `PREFIX.2`, … */
export function dispatcherRunner(dispatcher: Dispatcher, context: CallContext, idPrefix = 'step'): StepRunner {
  const idOf = (index: number) => `${idPrefix}.${index}`;
  return {
    idOf,
    call: (tool, args, index) => dispatcher.dispatch({ id: idOf(index), name: tool, arguments: JSON.stringify(args) }, context),
    undo: (result) => dispatcher.undo?.(result, context) ?? Promise.resolve(false),
  };
}

/** Gives every step its name. @throws ToolFailure `invalid_arguments` for two steps with the same written name. */
export function nameSteps(steps: readonly Step[]): NamedStep[] {
  const written = steps.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const twice = written.find((name, index) => written.indexOf(name) !== index);
  if (twice !== undefined) throw new ToolFailure('invalid_arguments', `Two steps are named ${JSON.stringify(twice)}.`);
  const taken = new Set(written);
  return steps.map((step) => {
    if (step.name !== undefined) return { ...step, name: step.name };
    let name = step.tool;
    for (let count = 2; taken.has(name); count++) name = `${step.tool}_${count}`;
    taken.add(name);
    return { ...step, name };
  });
}

/** Resolves the step's templates and calls its tool. Never rejects: a template that has no value is an error result. */
export async function runStep(step: Step, index: number, scope: TemplateScope, runner: StepRunner): Promise<ToolResult> {
  try {
    const args = resolveTemplates(step.arguments ?? {}, scope) as object;
    return await runner.call(step.tool, args, index);
  } catch (error) {
    const failure = error instanceof ToolFailure ? error : new ToolFailure('template_error', `The arguments of ${step.tool} cannot be written as JSON: ${reasonOf(error)}.`);
    return notRun(runner.idOf(index), step.tool, 'error', failure.code, failure.message);
  }
}

function reasonOf(error: unknown): string {
  // What V8 says of its stack is no help to who wrote the arguments.
  if (error instanceof RangeError) return 'they are nested too deep, or too long';
  return error instanceof Error ? error.message : String(error);
}

/** What later steps see of a result: its data, or its text where there is none. */
export function valueOfResult(result: ToolResult): unknown {
  return result.data === undefined ? result.content : result.data;
}

/** The result of a step that was not reached. */
export function skipped(step: NamedStep, callId: string, because: string): ToolResult {
  return notRun(callId, step.tool, 'skipped', 'step_skipped', `Step ${step.name} was not run because ${because}.`);
}

/** A result for what never got to a tool. */
export function notRun(callId: string, tool: string, status: 'error' | 'skipped', code: string, message: string): ToolResult {
  return { callId, tool, status, success: false, code, error: message, content: `${code}: ${message}`, retryable: false, durationMs: 0, queuedMs: 0, retryCount: 0 };
}
