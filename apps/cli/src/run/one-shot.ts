// One prompt to its answer.
import { chooseApprover } from '../approval/choose-approver.js';
import type { Invocation } from '../command/program.js';
import { CliError, type ExitCode, exitCode } from '../exit-code.js';
import { chooseModel } from '../model/choose-model.js';
import { unanswered, viewFor } from './event-view.js';
import { exitStatusOf } from './exit-status.js';
import { openAgent } from './open-agent.js';
import { openSession } from './open-session.js';
import { openRuntime } from './runtime.js';
import { driveRun } from './drive-run.js';
import { settingsFor } from './settings-for.js';
import { onStopSignals } from './stop-signals.js';

/** Runs the prompt, or without one what was interrupted in the session, and writes the answer; resolves with the exit status. */
export async function runOnce(prompt: string | undefined, invocation: Invocation): Promise<ExitCode> {
  const { flags, terminal } = invocation;
  const resolved = await settingsFor(invocation);
  const { note } = chooseModel(resolved.settings, { env: process.env, envFile: resolved.envFile });
  if (note !== undefined) terminal.tell(terminal.colors.dim(note));
  const runtime = await openRuntime(invocation, { resolved });
  const stop = onStopSignals();
  try {
    const session = openSession(flags, runtime.resolved.root, terminal);
    if (prompt === undefined && session?.unfinished === undefined) throw noPrompt();
    const { agent, contextWindow } = await openAgent({ runtime, invocation, approver: chooseApprover(invocation, () => stop.interrupt()), session, noted: true });
    try {
      const { signal } = stop;
      const run = prompt === undefined ? agent.resume({ signal }) : agent.run(prompt, { signal });
      const result = await driveRun(run, await viewFor(flags.outputFormat, terminal, contextWindow));
      if (result.toolCalls.some((call) => call.result.code === 'approval_unavailable')) terminal.sayLine(`${terminal.colors.yellow('haft:')} ${unanswered}`);
      return stop.status() ?? exitStatusOf(result);
    } finally {
      await agent.dispose();
    }
  } finally {
    stop.release();
    await runtime.dispose();
  }
}

/** The usage error of a run without anything to do. */
export function noPrompt(): CliError {
  return new CliError('There is no prompt: nothing was given and nothing was piped in.', exitCode.usage, 'haft "what to do", or … | haft -p "about it"');
}
