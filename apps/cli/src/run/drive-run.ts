// Runs an agent on one input and shows its events.
import type { Agent, RunResult } from '@haft/agent';
import type { EventView } from './event-view.js';

/** The run's result; what the model or a tool does wrong is in it. */
export async function driveRun(agent: Agent, input: string, view: EventView, signal: AbortSignal): Promise<RunResult> {
  const run = agent.run(input, { signal });
  for (;;) {
    const next = await run.next();
    if (next.done === true) {
      view.finish(next.value);
      return next.value;
    }
    view.event(next.value);
  }
}
