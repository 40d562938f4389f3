// One prompt to its answer.
import type { UserMessage } from '@haft/agent';
import { chooseApprover } from '../approval/choose-approver.js';
import { attachMentions, type AttachRequest } from '../attach/attach.js';
import { seesImages, showAttached } from '../attach/show-attached.js';
import type { Invocation } from '../command/program.js';
import { CliError, type ExitCode, exitCode } from '../exit-code.js';
import { chooseModel } from '../model/choose-model.js';
import type { Terminal } from '../output/terminal.js';
import { unanswered, viewFor } from './event-view.js';
import { exitStatusOf } from './exit-status.js';
import { openAgent } from './open-agent.js';
import { openSession } from './open-session.js';
import { openRuntime } from './runtime.js';
import { driveRun } from './drive-run.js';
import { settingsFor } from './settings-for.js';
import { onStopSignals } from './stop-signals.js';

export interface OneShotPrompt {
  text: string;
  /** What the user wrote, in front of what was piped in: only there `@file` means a file. */
  ownChars: number;
}

/** Runs the prompt, or without one what was interrupted in the session, and writes the answer; resolves with the exit status. */
export async function runOnce(prompt: OneShotPrompt | undefined, invocation: Invocation): Promise<ExitCode> {
  const { flags, terminal } = invocation;
  const resolved = await settingsFor(invocation);
  const { note } = chooseModel(resolved.settings, { env: process.env, envFile: resolved.envFile });
  if (note !== undefined) terminal.tell(terminal.colors.dim(note));
  const runtime = await openRuntime(invocation, { resolved });
  const stop = onStopSignals();
  try {
    const session = openSession(flags, runtime.resolved.root, terminal);
    if (prompt === undefined && session?.unfinished === undefined) throw noPrompt();
    const approver = chooseApprover(invocation, () => stop.interrupt());
    const { agent, model, contextWindow } = await openAgent({ runtime, invocation, approver, session, noted: true });
    try {
      const { signal } = stop;
      const attaching = { runtime, sessionId: agent.session.id, approver, signal, vision: seesImages(model) };
      const run = prompt === undefined ? agent.resume({ signal }) : agent.run(await withAttachments(prompt, attaching, terminal), { signal });
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

async function withAttachments({ text, ownChars }: OneShotPrompt, request: AttachRequest, terminal: Terminal): Promise<UserMessage> {
  const { message, notes } = await attachMentions(text, { ...request, ownChars });
  showAttached(notes, terminal);
  return message;
}

/** The usage error of a run without anything to do. */
export function noPrompt(): CliError {
  return new CliError('There is no prompt: nothing was given and nothing was piped in.', exitCode.usage, 'haft "what to do", or … | haft -p "about it"');
}
