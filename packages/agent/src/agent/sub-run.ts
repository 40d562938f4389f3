/** A run inside a tool: the tool asks an agent of its own, which has fewer tools and no more rights than the tool itself. */
import { type Dispatcher, type JsonObject, SetupError, type ToolCall, type ToolContext, type ToolDefinition, ToolRegistry, type ToolResult } from '@haft/core';
import type { AgentInput } from './agent-options.js';
import { callWithTools } from './call-with-tools.js';
import type { RunLimits } from '../loop/run-job.js';
import type { ModelAdapter } from '../model-adapter.js';
import type { RunResult } from '../run-result.js';

export interface SubRunOptions {
  model: ModelAdapter;
  /** Where the tools are looked up: the host's registry. */
  registry: ToolRegistry;
  /** Names of the only tools that the inner agent has. */
  tools: readonly string[];
  prompt: AgentInput;
  system?: string;
  limits?: RunLimits;
}

/**
 * Runs an agent within a call. Its calls are made by the tool (`context.call`): policy, approval, audit and limits hold as they do for
 * the tool, and end with it. Rejects with a SetupError for an unknown tool name.
 */
export async function subRun(context: ToolContext, options: SubRunOptions): Promise<RunResult> {
  const { model, registry, tools, prompt, system, limits } = options;
  const allowed = new ToolRegistry();
  for (const name of tools) {
    const definition = registry.get(name);
    if (definition === undefined) throw new SetupError(`subRun: there is no tool ${name}.`);
    allowed.register(definition, definition.plugin ?? 'host');
  }
  return callWithTools({
    model, prompt, registry: allowed, dispatcher: throughCaller(context, allowed), signal: context.signal,
    ...(system === undefined ? {} : { system }), ...(limits === undefined ? {} : { limits }),
  });
}

/** A dispatcher whose every call goes through the outer one, which plans, decides and audits it as its own. */
function throughCaller(context: ToolContext, allowed: ToolRegistry): Dispatcher {
  const execute: Dispatcher['execute'] = async ({ call, tool, arguments: values }) => ({ ...(await context.call(tool, values)), callId: call.id });
  const plan: Dispatcher['plan'] = (call) => {
    const definition = allowed.get(call.name);
    const values = objectOf(call.arguments);
    if (definition === undefined) return Promise.resolve({ kind: 'refused', result: refusal(call, 'unknown_tool', `There is no tool ${call.name}. There is: ${allowed.list().map(({ name }) => name).join(', ')}.`) });
    if (values === undefined) return Promise.resolve({ kind: 'refused', result: refusal(call, 'invalid_arguments', 'The arguments are not a JSON object.') });
    return Promise.resolve({ kind: 'planned', planned: plannedOf(call, definition, values) });
  };
  return {
    plan,
    execute,
    dispatch: async (call, inner) => {
      const outcome = await plan(call, inner);
      return outcome.kind === 'planned' ? execute(outcome.planned, undefined, inner) : outcome.result;
    },
  };
}

function plannedOf(call: ToolCall, { name, scopes, idempotent }: ToolDefinition, values: JsonObject): Parameters<Dispatcher['execute']>[0] {
  const rule = 'the outer dispatcher decides';
  return {
    call, tool: name, arguments: values, scopes: [...scopes], idempotent, accesses: [], hash: `${name} ${JSON.stringify(values)}`,
    decision: { verdict: 'allow', reasons: [{ verdict: 'allow', rule, source: { kind: 'session', where: 'subRun' } }] },
  };
}

function objectOf(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function refusal(call: ToolCall, code: string, error: string): ToolResult {
  return { callId: call.id, tool: call.name, status: 'error', success: false, code, error, content: error, durationMs: 0, queuedMs: 0, retryCount: 0 };
}
