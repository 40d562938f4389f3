/** The collected form of the loop: one question, one result. */
import { PluginHost, SetupError, type ServiceRecipe, type ToolSource, definePlugin } from '@haft/core';
import type { AgentInput, AgentOptions, RunOptions } from './agent-options.js';
import { createAgent } from './agent.js';
import { checkModel, inputMessage } from './check-options.js';
import type { AgentEvent } from '../events.js';
import type { RunResult } from '../run-result.js';

export interface CallWithToolsOptions<Output extends object = object> extends Omit<AgentOptions, 'tools'>, RunOptions<Output> {
  prompt: AgentInput;
  /** The tools: decorated classes or definitions. In place of `host` or `registry`. */
  tools?: readonly ToolSource[];
  /** What the constructors of these tools need. A `Workspace` among them is also where the paths of calls are resolved. */
  provide?: readonly ServiceRecipe[];
  /** Events as they come; must not throw. */
  onEvent?: (event: AgentEvent) => void;
}

/**
 * Runs an agent to the end and gives the result. Without an `approver` nobody can be asked: calls that would be asked are refused.
 * Rejects only for mistakes of the set-up; what the model or a tool does is in `status` and `error`.
 */
export async function callWithTools<Output extends object = object>(options: CallWithToolsOptions<Output>): Promise<RunResult<Output>> {
  const { prompt, signal, output, onEvent, tools, provide, ...rest } = options;
  checkModel(rest.model);
  inputMessage(prompt);
  if (tools !== undefined && (rest.host !== undefined || rest.registry !== undefined)) throw new SetupError('callWithTools: give either `tools`, or `host` or `registry`.');
  const host = tools === undefined ? undefined : await hostOf(tools, provide ?? []);
  try {
    const agent = createAgent({ canAsk: false, ...rest, ...(host === undefined ? {} : { host }) });
    const run = agent.run(prompt, { ...(signal === undefined ? {} : { signal }), ...(output === undefined ? {} : { output }) });
    try {
      for (let next = await run.next(); ; next = await run.next()) {
        if (next.done === true) return next.value;
        onEvent?.(next.value);
      }
    } finally {
      await agent.dispose();
    }
  } finally {
    await host?.dispose();
  }
}

function hostOf(tools: readonly ToolSource[], services: readonly ServiceRecipe[]): Promise<PluginHost> {
  const inline = definePlugin({ name: 'inline', tools });
  return PluginHost.start({ plugins: [inline()], services, root: process.cwd() });
}
