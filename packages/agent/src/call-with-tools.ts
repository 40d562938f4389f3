/** The collected form of the loop: one question, one result. */
import type { AgentInput, AgentOptions, RunOptions } from './agent-options.js';
import { createAgent } from './agent.js';
import type { AgentEvent } from './events.js';
import type { RunResult } from './run-result.js';

export interface CallWithToolsOptions extends AgentOptions, RunOptions {
  prompt: AgentInput;
  /** Events as they come; must not throw. */
  onEvent?: (event: AgentEvent) => void;
}

/**
 * Runs an agent to the end and gives the result. Without an `approver` nobody can be asked: calls that would be asked are refused.
 * Rejects only for mistakes of the set-up; what the model or a tool does is in `status` and `error`.
 */
export async function callWithTools(options: CallWithToolsOptions): Promise<RunResult> {
  const { prompt, signal, output, onEvent, ...rest } = options;
  const agent = createAgent({ canAsk: false, ...rest });
  try {
    const run = agent.run(prompt, { ...(signal === undefined ? {} : { signal }), ...(output === undefined ? {} : { output }) });
    for (;;) {
      const next = await run.next();
      if (next.done === true) return next.value;
      onEvent?.(next.value);
    }
  } finally {
    await agent.dispose();
  }
}
