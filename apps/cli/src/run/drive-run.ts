// Shows the events of a run as they come.
import type { AgentEvent, RunResult } from '@haft/agent';
import type { EventView } from './event-view.js';

/** The run's result; what the model or a tool does wrong is in it. */
export async function driveRun(run: AsyncGenerator<AgentEvent, RunResult>, view: EventView): Promise<RunResult> {
  for (;;) {
    const next = await run.next();
    if (next.done === true) {
      view.finish(next.value);
      return next.value;
    }
    view.event(next.value);
  }
}
