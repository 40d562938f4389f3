// One turn of a conversation, with the keys that stop it.
import type { Agent } from '@haft/agent';
import { exitCode } from '../exit-code.js';
import { keys, type Keyboard } from '../input/keyboard.js';
import type { Terminal } from '../output/terminal.js';
import { driveRun } from '../run/drive-run.js';
import { markdownFor } from '../run/event-view.js';
import { TextView } from '../run/text-view.js';
import type { ConversationLog } from './conversation-log.js';

export class TurnRunner {
  #controller: AbortController | undefined;

  constructor(
    private readonly terminal: Terminal,
    private readonly keyboard: Keyboard,
    private readonly log: ConversationLog,
  ) {}

  /** Runs to the end of the turn, or until Ctrl-C or Esc. */
  async run(agent: Agent, text: string): Promise<void> {
    const controller = new AbortController();
    this.#controller = controller;
    this.log.startTurn();
    const release = this.keyboard.listen((chunk) => {
      if (chunk.includes(keys.ctrlC) || chunk === keys.escape) this.interrupt();
    });
    const onSignal = (): void => this.interrupt();
    process.on('SIGINT', onSignal);
    try {
      const view = new TextView({ terminal: this.terminal, markdown: await markdownFor(this.terminal), onResult: (title, result) => this.log.addResult(title, result) });
      this.log.endTurn(await driveRun(agent, text, view, controller.signal));
    } finally {
      process.off('SIGINT', onSignal);
      release();
      this.#controller = undefined;
    }
  }

  /** The first time stops the turn in order, a second time leaves at once. */
  interrupt(): void {
    if (this.#controller === undefined) return;
    if (this.#controller.signal.aborted) process.exit(exitCode.interrupted);
    this.terminal.say(this.terminal.colors.dim('\n(stopping; again leaves at once)\n'));
    this.#controller.abort(new Error('stopped by the user'));
  }
}
