// One prompt to its answer.
import { chooseApprover } from '../approval/choose-approver.js';
import type { Invocation } from '../command/program.js';
import type { ExitCode } from '../exit-code.js';
import { viewFor } from './event-view.js';
import { exitStatusOf } from './exit-status.js';
import { openAgent } from './open-agent.js';
import { openSession } from './open-session.js';
import { openRuntime } from './runtime.js';
import { driveRun } from './drive-run.js';
import { onStopSignals } from './stop-signals.js';

/** Runs the prompt and writes the answer; resolves with the exit status. */
export async function runOnce(prompt: string, invocation: Invocation): Promise<ExitCode> {
  const { flags, terminal } = invocation;
  const runtime = await openRuntime(invocation);
  const stop = onStopSignals();
  try {
    const { agent } = await openAgent({ runtime, invocation, approver: chooseApprover(invocation, () => stop.interrupt()), session: openSession(flags, runtime.resolved.root) });
    try {
      const result = await driveRun(agent, prompt, await viewFor(flags.outputFormat, terminal), stop.signal);
      if (result.toolCalls.some((call) => call.result.code === 'approval_unavailable')) terminal.say(`${terminal.colors.yellow('haft:')} ${unanswered}\n`);
      return stop.status() ?? exitStatusOf(result);
    } finally {
      await agent.dispose();
    }
  } finally {
    stop.release();
    await runtime.dispose();
  }
}

const unanswered = 'A call needed approval and nobody could be asked, so it was refused. Allow it with --allow "RULE" or in the config, or run with --yes.';
