// One turn of a conversation, with the keys that stop it.
import type { Agent, AgentEvent, RunResult } from '@haft/agent';
import type { ToolResult } from '@haft/core';
import { exitCode } from '../exit-code.js';
import { TypeAhead } from '../input/type-ahead.js';
import { keys, type Keyboard } from '../input/keyboard.js';
import { sanitise } from '../output/sanitise.js';
import type { Terminal } from '../output/terminal.js';
import { driveRun } from '../run/drive-run.js';
import { markdownFor } from '../run/event-view.js';
import { TextView } from '../run/text-view.js';
import type { ConversationLog } from './conversation-log.js';

export class TurnRunner {
  /** Of the model that answers. */
  contextWindow: number | undefined;
  readonly #typed = new TypeAhead();
  #controller: AbortController | undefined;

  constructor(
    private readonly terminal: Terminal,
    private readonly keyboard: Keyboard,
    private readonly log: ConversationLog,
  ) {}

  /** Runs to the end of the turn, or until Ctrl-C or Esc. */
  run(agent: Agent, text: string): Promise<void> {
    return this.#drive(agent, (signal) => agent.run(text, { signal }));
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
      else if (chunk === keys.ctrlO) view?.toggleOutput();
      else this.#steer(agent, chunk, view);
    });
    const onSignal = (): void => this.interrupt();
    process.on('SIGINT', onSignal);
    try {
      const options = { contextWindow: this.contextWindow, onResult: (title: string, result: ToolResult): void => this.log.addResult(title, result) };
      view = new TextView({ terminal: this.terminal, markdown: await markdownFor(this.terminal), ...options });
      this.log.endTurn(await driveRun(start(controller.signal), view));
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

  /** A line that is sent during a turn is read by the model with its next step. */
  #steer(agent: Agent, chunk: string, view: TextView | undefined): void {
    const text = this.#typed.feed(chunk);
    view?.showTyped(this.#typed.text);
    if (text === undefined) return;
    view?.showSteering(text);
    agent.steer(text).catch((error: unknown) => this.terminal.note(sanitise(`not sent: ${error instanceof Error ? error.message : String(error)}`)));
  }

  /** The first time stops the turn in order, a second time leaves at once. */
  interrupt(): void {
    if (this.#controller === undefined) return;
    if (this.#controller.signal.aborted) process.exit(exitCode.interrupted);
    this.terminal.say(this.terminal.colors.dim('\n(stopping; again leaves at once)\n'));
    this.#controller.abort(new Error('stopped by the user'));
  }
}
