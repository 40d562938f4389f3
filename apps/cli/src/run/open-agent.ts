// Puts an agent together: the chosen model, the runtime's tools and who answers when something has to be asked.
import { type Agent, type AgentOptions, type AgentSession, type ModelAdapter, createAgent } from '@haft/agent';
import type { Approver } from '@haft/core';
import type { Invocation } from '../command/program.js';
import type { Setting } from '../config/settings.js';
import { chooseModel } from '../model/choose-model.js';
import { openModel } from '../model/open-model.js';
import type { Runtime } from './runtime.js';
import { systemPrompt } from './system-prompt.js';

export interface AgentRequest {
  runtime: Runtime;
  invocation: Invocation;
  /** Absent: nobody can be asked, and such calls are refused. */
  approver?: Approver | undefined;
  /** The stored conversation. Absent: one in memory. */
  session?: AgentSession | undefined;
  /** That the offline stand-in answers has been said already. */
  noted?: boolean;
  /** A model that is chosen later than the settings, and where: it wins. */
  chosen?: Setting<string> | undefined;
}

export interface OpenedAgent {
  agent: Agent;
  /** `provider:model`. */
  model: string;
  /** Tokens that the model can read, when known. */
  contextWindow: number | undefined;
}

/** The caller disposes of the agent before the runtime. */
export async function openAgent({ runtime, invocation, approver, session, noted, chosen }: AgentRequest): Promise<OpenedAgent> {
  const model = await openChosenModel(runtime, invocation, noted, chosen);
  const agent = agentOf(runtime, { model, ...(approver === undefined ? { canAsk: false } : { approver }), ...(session === undefined ? {} : { session }) });
  return { agent, model: modelName(model), contextWindow: model.contextWindow };
}

/** Says in one line when the offline stand-in was chosen for want of a key. */
export async function openChosenModel(runtime: Runtime, invocation: Invocation, noted = false, chosen?: Setting<string>): Promise<ModelAdapter> {
  const { settings, envFile } = runtime.resolved;
  const choice = chooseModel({ ...settings, ...(chosen === undefined ? {} : { model: chosen }) }, { env: process.env, envFile });
  if (choice.note !== undefined && !noted) invocation.terminal.note(invocation.terminal.colors.dim(choice.note));
  return openModel(choice);
}

/** An agent over the runtime's tools, with its limits. `options` wins. */
export function agentOf(runtime: Runtime, options: Partial<AgentOptions> & Pick<AgentOptions, 'model'>): Agent {
  const { settings } = runtime.resolved;
  const { maxTurns, maxParallelCalls, maxCost, maxRunMs } = settings;
  return createAgent({
    host: runtime.host,
    dispatcher: runtime.dispatcher,
    ...(settings.tools === undefined ? {} : { tools: runtime.tools.map((tool) => tool.name) }),
    system: systemPrompt(runtime.resolved),
    limits: {
      ...(maxTurns && { maxTurns: maxTurns.value }),
      ...(maxParallelCalls && { maxParallelCalls: maxParallelCalls.value }),
      ...(maxCost && { maxCost: maxCost.value }),
      ...(maxRunMs && { maxMs: maxRunMs.value }),
    },
    log: runtime.log,
    ...options,
  });
}

/** `provider:model`. */
export function modelName({ provider, model }: ModelAdapter): string {
  return provider === model ? provider : `${provider}:${model}`;
}
