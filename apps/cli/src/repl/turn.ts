// One turn of a conversation, with the keys that stop it.
import type { Agent, AgentEvent, RunResult, UserMessage } from '@haft/agent';
import type { ToolResult } from '@haft/core';
import { exitCode } from '../exit-code.js';
import { TypeAhead } from '../input/type-ahead.js';
import { keys, type Keyboard } from '../input/keyboard.js';
import { sanitise } from '../output/sanitise.js';
import type { Terminal } from '../output/terminal.js';
import { driveRun } from '../run/drive-run.js';
import { answerStreamFor } from '../run/event-view.js';
import { TextView } from '../run/text-view.js';
import type { ConversationLog } from './conversation-log.js';
import { leaveWords } from './leave-words.js';

export class TurnRunner {
  /** Of the model that answers. */
  contextWindow: number | undefined;
  readonly #typed = new TypeAhead();
  /** Lines that were sent during the turn and are for the time after it. */
  readonly #later: string[] = [];
  #compact = false;
  #controller: AbortController | undefined;

  constructor(
    private readonly terminal: Terminal,
    private readonly keyboard: Keyboard,
    private readonly log: ConversationLog,
  ) {}

  /** Runs to the end of the turn, or until Ctrl-C or Esc. */
  run(agent: Agent, message: UserMessage): Promise<void> {
    const compact = this.#compact;
    this.#compact = false;
    return this.#drive(agent, (signal) => agent.run(message, { signal, compact }));
  }

  /** The next run turns older messages into notes first. */
  compactNext(): void {
    this.#compact = true;
  }

  /** Goes on with a run that was interrupted. */
  resume(agent: Agent): Promise<void> {
    return this.#drive(agent, (signal) => agent.resume({ signal }));
  }

  async #drive(agent: Agent, start: (signal: AbortSignal) => AsyncGenerator<AgentEvent, RunResult>): Promise<void> {
    const controller = new AbortController();
    this.#controller = controller;
    this.log.startTurn();
    let view: TextView | undefined;
    const release = this.keyboard.listen((chunk) => {
      if (chunk.includes(keys.ctrlC) || chunk === keys.escape) this.interrupt();
      else if (chunk === keys.ctrlO && view?.isCalling === true) view.toggleOutput();
      else this.#steer(agent, chunk, view);
    });
    const onSignal = (): void => this.interrupt();
    process.on('SIGINT', onSignal);
    try {
      const options = { contextWindow: this.contextWindow, onResult: (title: string, result: ToolResult): void => this.log.addResult(title, result) };
      view = new TextView({ terminal: this.terminal, stream: await answerStreamFor(this.terminal), stopKey: 'Esc', detailsKey: 'Ctrl-O', ...options });
      const result = await driveRun(start(controller.signal), view);
      this.log.endTurn(result);
      this.#takeUnread(agent, result.status);
    } finally {
      process.off('SIGINT', onSignal);
      release();
      this.#controller = undefined;
    }
  }

  /** What was typed during the turn and not sent. */
  takeTyped(): string {
    return this.#typed.take();
  }

  /** Keys that were pressed during the turn and are for the prompt. */
  takeKeys(): string[] {
    return this.#typed.takeKeys();
  }

  /** The next line that was sent during a turn and is to be done after it. */
  nextLater(): string | undefined {
    return this.#later.shift();
  }

  /** A message that is sent during a turn is read by the model with its next step; a command waits. */
  #steer(agent: Agent, chunk: string, view: TextView | undefined): void {
    const text = this.#typed.feed(chunk);
    view?.showTyped(this.#typed.text);
    if (text === undefined) return;
    const isForTerminal = text.startsWith('/') || leaveWords.has(text.trim());
    view?.showQueued(text, isForTerminal ? 'for the end' : 'for the model');
    if (isForTerminal) this.#later.push(text);
    else agent.steer(text).catch((error: unknown) => this.terminal.note(sanitise(`not sent: ${error instanceof Error ? error.message : String(error)}`)));
  }

  /** What came too late for the model's last step is the next message; after a stop it comes back to the prompt. */
  #takeUnread(agent: Agent, status: RunResult['status']): void {
    const unread = agent.takeBackSteering();
    if (status === 'completed') this.#later.push(...unread);
    else this.#typed.putBack([...unread, ...this.#later.splice(0)]);
  }

  /** The first time stops the turn in order, a second time leaves at once. */
  interrupt(): void {
    if (this.#controller === undefined) return;
    if (this.#controller.signal.aborted) process.exit(exitCode.interrupted);
    this.terminal.say(this.terminal.colors.dim(`${this.terminal.plain ? '\n' : ''}(stopping; again leaves at once)\n`));
    this.#controller.abort(new Error('stopped by the user'));
  }
}
