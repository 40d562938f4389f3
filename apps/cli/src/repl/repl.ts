// The conversation at the terminal: read a message, run a turn, again. Ctrl-C once stops the turn, twice leaves; q, exit and Ctrl-D leave.
import type { Agent, AgentSession } from '@haft/agent';
import type { Approver } from '@haft/core';
import { approveAll, TerminalApprover } from '../approval/approver.js';
import type { Invocation } from '../command/program.js';
import { appendHistory, loadHistory } from '../config/history.js';
import { type ExitCode, exitCode } from '../exit-code.js';
import { Keyboard } from '../input/keyboard.js';
import { LineEditor } from '../input/line-editor.js';
import { reportError } from '../output/report-error.js';
import { openAgent } from '../run/open-agent.js';
import { openSession } from '../run/open-session.js';
import { openRuntime, type Runtime } from '../run/runtime.js';
import { completer } from './complete.js';
import { ConversationLog } from './conversation-log.js';
import { runSlashCommand, type SlashOutcome } from './slash-commands.js';
import { TurnRunner } from './turn.js';

const leaving = new Set(['q', 'exit', 'quit']);
/** Two Ctrl-C at an empty prompt within this time leave. */
const twiceMs = 2_000;

/** Resolves with the exit status when the user leaves. */
export async function startRepl(invocation: Invocation): Promise<ExitCode> {
  const runtime = await openRuntime(invocation);
  try {
    const repl = new Repl(invocation, runtime);
    try {
      await repl.start();
      return await repl.converse();
    } finally {
      await repl.close();
    }
  } finally {
    await runtime.dispose();
  }
}

class Repl {
  readonly #keyboard = new Keyboard();
  readonly #editor = new LineEditor(this.#keyboard);
  readonly #log = new ConversationLog();
  readonly #turns: TurnRunner;
  readonly #approver: Approver;
  readonly #history: string[];
  #invocation: Invocation;
  #agent: Agent | undefined;
  #interruptedAt = Number.NEGATIVE_INFINITY;

  constructor(
    invocation: Invocation,
    private readonly runtime: Runtime,
  ) {
    const { terminal, flags } = invocation;
    this.#invocation = invocation;
    this.#turns = new TurnRunner(terminal, this.#keyboard, this.#log);
    this.#approver = flags.yes === true ? approveAll : new TerminalApprover({ terminal, keyboard: this.#keyboard, editor: this.#editor, onInterrupt: () => this.#turns.interrupt() });
    this.#history = loadHistory(runtime.resolved.root);
  }

  async start(): Promise<void> {
    const { terminal, flags } = this.#invocation;
    const { resolved, tools } = this.runtime;
    await this.#open(openSession(flags, resolved.root, terminal));
    const config = resolved.project === undefined ? '' : ', agent.config loaded';
    terminal.note(terminal.colors.dim(`haft in ${resolved.root}: ${this.#log.model}, ${tools.length} tools${config}. /help lists commands, Ctrl-C stops, Ctrl-D leaves.`));
  }

  async converse(): Promise<ExitCode> {
    const { terminal } = this.#invocation;
    const complete = completer(this.runtime.workspace);
    for (;;) {
      const outcome = await this.#editor.read({ prompt: `${terminal.colors.bold('>')} `, history: this.#history, complete });
      if (outcome.kind === 'end') return exitCode.done;
      if (outcome.kind === 'interrupt') {
        if (this.#isSecond(outcome.empty)) return exitCode.interrupted;
        continue;
      }
      const text = outcome.text.trim();
      if (leaving.has(text)) return exitCode.done;
      if (text === '') continue;
      appendHistory(this.runtime.resolved.root, outcome.text);
      if ((await this.#handle(outcome.text.startsWith('/') ? text : outcome.text)) === 'leave') return exitCode.done;
    }
  }

  async close(): Promise<void> {
    await this.#agent?.dispose();
    this.#agent = undefined;
  }

  /** What went wrong is told, and the conversation goes on. */
  async #handle(text: string): Promise<SlashOutcome['then']> {
    const { terminal } = this.#invocation;
    if (this.#agent === undefined) return 'leave';
    try {
      if (!text.startsWith('/')) {
        await this.#turns.run(this.#agent, text);
        return 'stay';
      }
      const outcome = await runSlashCommand(text, { terminal, runtime: this.runtime, agent: this.#agent, log: this.#log });
      await this.#follow(outcome);
      return outcome.then;
    } catch (error) {
      reportError(error, terminal);
      return 'stay';
    }
  }

  async #follow(outcome: SlashOutcome): Promise<void> {
    const { flags, terminal } = this.#invocation;
    const { root } = this.runtime.resolved;
    if (outcome.then === 'new') await this.#open(openSession({ session: flags.session }, root, terminal));
    if (outcome.then === 'resume') await this.#open(openSession({ session: true, resume: outcome.id }, root, terminal));
    if (outcome.then === 'model') {
      const before = this.#invocation;
      this.#invocation = { terminal, flags: { ...flags, model: outcome.model } };
      try {
        await this.#open(undefined);
      } catch (error) {
        this.#invocation = before;
        throw error;
      }
    }
    if (outcome.then === 'new') terminal.note('A new conversation.');
    if (outcome.then === 'go on' && this.#agent !== undefined) await this.#turns.resume(this.#agent);
  }

  /** Makes the next agent before the present one is given up; without a session it goes on in the present one. */
  async #open(session: AgentSession | undefined): Promise<void> {
    const previous = this.#agent;
    const request = { runtime: this.runtime, invocation: this.#invocation, approver: this.#approver, session: session ?? previous?.session };
    const { agent, model } = await openAgent(request);
    this.#log.model = model;
    this.#agent = agent;
    if (agent.session.unfinished !== undefined) this.#invocation.terminal.note('The last run of this conversation was interrupted: /continue goes on with it, a new message closes it.');
    if (session !== undefined) await previous?.dispose();
  }

  #isSecond(empty: boolean): boolean {
    if (empty && performance.now() - this.#interruptedAt < twiceMs) return true;
    this.#interruptedAt = performance.now();
    const { terminal } = this.#invocation;
    terminal.say(terminal.colors.dim('(Ctrl-C again or Ctrl-D leaves)\n'));
    return false;
  }
}
