// What is behind the prompt: the agent, its runtime, and what each line of the user does.
import type { Agent, AgentSession, UserMessage } from '@haft/agent';
import type { Approver } from '@haft/core';
import { approveAll, TerminalApprover } from '../approval/approver.js';
import { attachMentions } from '../attach/attach.js';
import { seesImages, showAttached } from '../attach/show-attached.js';
import type { Invocation } from '../command/program.js';
import type { ResolvedSettings } from '../config/resolve-settings.js';
import type { Setting } from '../config/settings.js';
import type { Completer, LineEditor } from '../input/line-editor.js';
import type { Keyboard } from '../input/keyboard.js';
import { reportError } from '../output/report-error.js';
import { sanitiseLine } from '../output/sanitise.js';
import { openAgent } from '../run/open-agent.js';
import { openSession } from '../run/open-session.js';
import { openRuntime, type Runtime } from '../run/runtime.js';
import { completer } from './complete.js';
import { ConversationLog } from './conversation-log.js';
import { describeMode, nextMode } from './modes.js';
import { interruptedNote, showEnd } from './show-end.js';
import { detailLines, runSlashCommand, type SlashOutcome } from './slash-commands.js';
import { TurnRunner } from './turn.js';

export interface ConversationRequest {
  invocation: Invocation;
  resolved: ResolvedSettings;
  keyboard: Keyboard;
  editor: LineEditor;
}

export class Conversation {
  readonly complete: Completer;
  readonly #runtime: Runtime;
  readonly #firstMode: string;
  readonly #log = new ConversationLog();
  readonly #turns: TurnRunner;
  readonly #approver: Approver;
  readonly #invocation: Invocation;
  #chosen: Setting<string> | undefined;
  #agent: Agent | undefined;

  private constructor({ invocation, keyboard, editor }: ConversationRequest, runtime: Runtime) {
    const { terminal, flags } = invocation;
    this.#invocation = invocation;
    this.#runtime = runtime;
    this.#firstMode = runtime.permission.policy.mode;
    this.complete = completer(runtime.workspace);
    this.#turns = new TurnRunner(terminal, keyboard, this.#log);
    this.#approver = flags.yes === true ? approveAll : new TerminalApprover({ terminal, keyboard, editor, onInterrupt: () => this.#turns.interrupt() });
  }

  /** Starts the plugins and opens the session. Throws a CliError or SetupError. */
  static async open(request: ConversationRequest): Promise<Conversation> {
    const { invocation, resolved } = request;
    const runtime = await openRuntime(invocation, { resolved });
    const conversation = new Conversation(request, runtime);
    try {
      await conversation.#open(openSession(invocation.flags, resolved.root, invocation.terminal), { told: true });
      return conversation;
    } catch (error) {
      await conversation.close();
      throw error;
    }
  }

  /** What was typed during the last turn and not sent: the beginning of the next line. */
  takeTyped(): string {
    return this.#turns.takeTyped();
  }

  /** Keys that were pressed during the last turn and are for the prompt. */
  takeKeys(): string[] {
    return this.#turns.takeKeys();
  }

  /** The next line that was sent during a turn and is to be done after it. */
  nextLater(): string | undefined {
    return this.#turns.nextLater();
  }

  /** The mode, with a blank behind it, where it is no longer the one that the conversation began with. */
  changedMode(): string {
    const { mode } = this.#runtime.permission.policy;
    return mode === this.#firstMode ? '' : `${mode} `;
  }

  /** Changes what happens without a rule to the next mode, for a key at the prompt; says what it is now. */
  cycleMode(): string {
    const { policy } = this.#runtime.permission;
    policy.setMode(nextMode(policy.mode));
    return `${this.#invocation.terminal.colors.dim(describeMode(policy.mode))}\n`;
  }

  /** The last tool results in full, for a key at the prompt. */
  details(): string {
    return detailLines(this.#log, this.#invocation.terminal).map((line) => `${line}\n`).join('');
  }

  /** A message for the model, or a slash command. What goes wrong is told, and the conversation goes on. */
  async handle(text: string): Promise<'stay' | 'leave'> {
    if (this.#agent === undefined) return 'leave';
    try {
      const command = text.trim() === '?' ? '/help' : text;
      if (!command.startsWith('/')) {
        await this.#turns.run(this.#agent, await this.#withAttachments(this.#agent, text));
        return 'stay';
      }
      const context = { terminal: this.#invocation.terminal, runtime: this.#runtime, agent: this.#agent, log: this.#log };
      const outcome = await runSlashCommand(command.trim(), context);
      await this.#follow(outcome);
      return outcome.then === 'leave' ? 'leave' : 'stay';
    } catch (error) {
      reportError(error, this.#invocation.terminal);
      return 'stay';
    }
  }

  async close(): Promise<void> {
    await this.#agent?.dispose();
    this.#agent = undefined;
    await this.#runtime.dispose();
  }

  async #withAttachments({ session }: Agent, text: string): Promise<UserMessage> {
    const request = { runtime: this.#runtime, sessionId: session.id, approver: this.#approver, signal: new AbortController().signal, vision: seesImages(this.#log.model) };
    const { message, notes } = await attachMentions(text, request);
    showAttached(notes, this.#invocation.terminal);
    return message;
  }

  async #follow(outcome: SlashOutcome): Promise<void> {
    const { flags, terminal } = this.#invocation;
    const { root } = this.#runtime.resolved;
    if (outcome.then === 'new') {
      await this.#open(openSession({ session: flags.session }, root, terminal));
      terminal.note('A new conversation.');
    }
    if (outcome.then === 'resume') {
      await this.#open(openSession({ session: true, resume: outcome.id }, root, terminal));
      await showEnd(this.#agent?.session.messages ?? [], terminal);
    }
    if (outcome.then === 'go on' && this.#agent !== undefined) await this.#turns.resume(this.#agent);
    if (outcome.then === 'compact') this.#turns.compactNext();
    if (outcome.then === 'model') await this.#changeModel(outcome.model);
  }

  async #changeModel(model: string): Promise<void> {
    const before = this.#chosen;
    this.#chosen = { value: model, origin: { kind: 'flag', where: '/model' } };
    try {
      await this.#open(undefined);
      this.#invocation.terminal.tell(sanitiseLine(`${this.#log.model} answers from now on.`));
    } catch (error) {
      this.#chosen = before;
      throw error;
    }
  }

  /** Makes the next agent before the present one is given up; without a session it goes on in the present one. `told`: what the session is has been said. */
  async #open(session: AgentSession | undefined, { told } = { told: false }): Promise<void> {
    const previous = this.#agent;
    const request = { runtime: this.#runtime, invocation: this.#invocation, approver: this.#approver, session: session ?? previous?.session, noted: true, chosen: this.#chosen };
    const { agent, model, contextWindow } = await openAgent(request);
    this.#turns.contextWindow = contextWindow;
    this.#log.model = model;
    this.#agent = agent;
    if (session !== undefined && !told && agent.session.messages.length > 0) this.#invocation.terminal.note(this.#invocation.terminal.colors.dim(`going on with ${agent.session.id}, ${agent.session.messages.length} messages`));
    if (agent.session.unfinished !== undefined && !told) this.#invocation.terminal.tell(interruptedNote);
    if (session !== undefined) await previous?.dispose();
  }
}
