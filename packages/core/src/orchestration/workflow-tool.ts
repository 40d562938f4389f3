/** The optional tool through which a model runs several calls at once, in a chain or as a plan, without a turn for each. */
import { ToolFailure } from '../errors.js';
import type { ContentPart, ToolContext, ToolDefinition } from '../tool/tool.js';
import { tool } from '../tool/define-tool.js';
import type { ToolResult } from '../call/tool-call.js';
import { runOrchestration } from './run-orchestration.js';
import type { StepRunner } from './step.js';

interface WorkflowArguments {
  mode: 'chain' | 'parallel' | 'plan';
  steps: { tool: string }[];
  undo?: boolean;
}

const description =
  'Runs several tool calls in one go. chain: one after the other, stops at the first failure. parallel: all at once. plan: as soon as what they need is done. ' +
  'In arguments, "$prev.path" is a value of the step before (chain), "$steps.NAME.path" one of a named step (chain and plan); "$$" stands for a literal "$".';

const step = {
  type: 'object' as const,
  properties: {
    tool: { type: 'string' as const, description: 'Name of the tool' },
    arguments: { type: 'object' as const, description: 'Its arguments; may hold templates' },
    name: { type: 'string' as const, description: 'Name for $steps; default: the tool\'s name' },
    after: { type: 'array' as const, items: { type: 'string' as const }, description: 'In a plan: steps that must have succeeded before' },
  },
  required: ['tool'],
  additionalProperties: false,
};

/**
 * A definition to list among the tools of a plugin. It declares no scope of its own: every step is a call through the dispatcher, under
 * the same rules as if the model had made it.
 */
export function workflowTool(name = 'run_steps'): ToolDefinition {
  const parameters = {
    type: 'object' as const,
    properties: {
      mode: { type: 'string' as const, enum: ['chain', 'parallel', 'plan'], description: 'How the steps depend on one another' },
      steps: { type: 'array' as const, items: step, minItems: 1, maxItems: 100, description: 'The calls' },
      undo: { type: 'boolean' as const, description: 'After a failure, take back the steps that can be taken back' },
    },
    required: ['mode', 'steps'],
    additionalProperties: false,
  };
  const made = tool<WorkflowArguments>({ name, description, scopes: [], callsTools: true, parameters }, (args, context) => runSteps(args, context, name));
  return Object.freeze({ ...made, instantiate: (...given: Parameters<ToolDefinition['instantiate']>) => ({ ...made.instantiate(...given), toModel: describeResults as (result: unknown) => string }) });
}

async function runSteps({ mode, steps, undo }: WorkflowArguments, context: ToolContext, ownName: string): Promise<ToolResult[]> {
  if (steps.some((one) => one.tool === ownName)) throw new ToolFailure('invalid_arguments', `A step of ${ownName} cannot be ${ownName} itself.`);
  const runner: StepRunner = { idOf: (index) => `${context.callId}/step-${index}`, call: (name, args) => context.call(name, args), undo: (result) => context.undo?.(result) ?? Promise.resolve(false) };
  const { results } = await runOrchestration({ [mode]: steps, ...(undo === undefined || mode === 'parallel' ? {} : { undo }) }, runner);
  return results;
}

/** One paragraph for each step: what it was, how it ended, what it gave. */
function describeResults(results: ToolResult[]): string {
  return results.map((result, index) => `${index + 1}. ${result.tool}: ${result.status}\n${textOf(result.content)}`).join('\n\n');
}

function textOf(content: string | ContentPart[]): string {
  return typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType} image]`)).join('\n');
}
