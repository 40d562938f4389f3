// The conversation at the terminal: read a message, run a turn, again. Ctrl-C once stops the turn, twice leaves; q, exit and Ctrl-D leave.
// The prompt comes first: plugins and the agent are loaded while the user reads and types.
import { setImmediate } from 'node:timers/promises';
import type { Invocation } from '../command/program.js';
import { appendHistory, loadHistory } from '../config/history.js';
import type { ResolvedSettings } from '../config/resolve-settings.js';
import { type ExitCode, exitCode } from '../exit-code.js';
import { Keyboard, keys } from '../input/keyboard.js';
import { bracketedPaste } from '../input/paste.js';
import { LineEditor, type LineOutcome } from '../input/line-editor.js';
import { chooseModel } from '../model/choose-model.js';
import { sanitise, sanitiseLine } from '../output/sanitise.js';
import type { Terminal } from '../output/terminal.js';
import { settingsFor } from '../run/settings-for.js';
import type { Conversation } from './conversation.js';
import { leaveWords } from './leave-words.js';

/** Two Ctrl-C at an empty prompt within this time leave. */
const twiceMs = 2_000;

/** Resolves with the exit status when the user leaves. Throws a CliError or SetupError where the conversation cannot be opened. */
export async function startRepl(invocation: Invocation): Promise<ExitCode> {
  const resolved = await settingsFor(invocation);
  greet(resolved, invocation.terminal);
  await tellContinued(invocation, resolved.root);
  const repl = new Repl(invocation, resolved);
  const onTerminate = (): void => {
    invocation.terminal.say(`${bracketedPaste.off}\n`);
    void repl.close().finally(() => process.exit(exitCode.terminated));
  };
  process.once('SIGTERM', onTerminate).once('SIGHUP', onTerminate);
  try {
    return await repl.converse();
  } finally {
    process.off('SIGTERM', onTerminate).off('SIGHUP', onTerminate);
    await repl.close();
  }
}

function greet({ root, settings, envFile, project }: ResolvedSettings, terminal: Terminal): void {
  const { provider, model, note } = chooseModel(settings, { env: process.env, envFile });
  if (note !== undefined) terminal.tell(terminal.colors.dim(note));
  const name = provider === 'offline' ? 'offline' : `${provider}:${model}`;
  const config = project === undefined ? '' : ', agent.config loaded';
  terminal.tell(terminal.colors.dim(sanitiseLine(`haft in ${root}: ${name}${config}. /help lists commands, Ctrl-C stops, Ctrl-D leaves.`)));
}

/** Which conversation goes on, before the first line is typed. */
async function tellContinued({ flags, terminal }: Invocation, root: string): Promise<void> {
  if (flags.continue !== true && flags.resume === undefined) return;
  const [{ chosenSummary, openSessionStore }, { localTime, titleOf }, { interruptedNote, showEnd }] = await Promise.all([import('../run/open-session.js'), import('../text/session-line.js'), import('./show-end.js')]);
  const summary = chosenSummary(flags, root);
  if (summary === undefined) return;
  const stored = openSessionStore().read(summary.id);
  await showEnd(stored.messages, terminal);
  terminal.tell(terminal.colors.dim(sanitiseLine(`Going on with "${titleOf(summary)}" of ${localTime(summary.updatedMs)}.`)));
  if (stored.unfinished) terminal.tell(interruptedNote);
}

class Repl {
  readonly #keyboard = new Keyboard();
  readonly #editor = new LineEditor(this.#keyboard);
  readonly #failed = new AbortController();
  readonly #history: string[];
  #loading: Promise<Conversation> | undefined;
  #conversation: Conversation | undefined;
  #interruptedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly invocation: Invocation,
    private readonly resolved: ResolvedSettings,
  ) {
    this.#history = loadHistory(resolved.root);
  }

  async converse(): Promise<ExitCode> {
    const release = this.#keyboard.hold();
    try {
      return await this.#untilLeft();
    } finally {
      release();
    }
  }

  async #untilLeft(): Promise<ExitCode> {
    for (;;) {
      const outcome = await this.#read();
      if (this.#failed.signal.aborted) throw this.#failed.signal.reason;
      if (outcome.kind === 'end') return exitCode.done;
      if (outcome.kind === 'interrupt') {
        if (this.#isSecond(outcome.empty)) return exitCode.interrupted;
        continue;
      }
      if ((await this.#handle(outcome.text)) === 'leave') return exitCode.done;
    }
  }

  /** One line, and then what was sent while it was carried out. */
  async #handle(line: string): Promise<'stay' | 'leave'> {
    const { terminal } = this.invocation;
    for (let next: string | undefined = line; next !== undefined; next = this.#conversation?.nextLater()) {
      if (next !== line) terminal.note(`${terminal.colors.bold('>')} ${sanitise(next)}`);
      if (leaveWords.has(next.trim())) return 'leave';
      if (next.trim() === '') return 'stay';
      appendHistory(this.resolved.root, next);
      const conversation = await this.#loaded();
      if (conversation === undefined) return 'stay';
      if ((await conversation.handle(next)) === 'leave') return 'leave';
    }
    return 'stay';
  }

  async close(): Promise<void> {
    await this.#conversation?.close();
  }

  /** What is said while a line is typed waits until the line is finished. */
  async #read(): Promise<LineOutcome> {
    const { terminal } = this.invocation;
    const resume = terminal.holdNotes();
    const typed = this.#conversation?.takeTyped() ?? '';
    this.#keyboard.putBack(this.#conversation?.takeKeys() ?? []);
    const line = this.#editor.read({
      ...(typed === '' ? {} : { initial: typed }),
      prompt: () => `${terminal.colors.yellow(this.#conversation?.changedMode() ?? '')}${terminal.colors.bold('>')} `,
      history: this.#history,
      complete: async (text) => (await this.#load()).complete(text),
      details: () => this.#conversation?.details() ?? '',
      cycleMode: () => this.#conversation?.cycleMode() ?? '',
      signal: this.#failed.signal,
    });
    this.#load().catch((error: unknown) => this.#failed.abort(error));
    const outcome = await line;
    resume();
    return outcome;
  }

  /** Undefined when the user did not want to wait: Ctrl-C takes the message back. */
  async #loaded(): Promise<Conversation | undefined> {
    if (this.#conversation !== undefined) return this.#conversation;
    let stopped = false;
    const typed: string[] = [];
    const release = this.#keyboard.listen((chunk) => {
      if (chunk === keys.ctrlC) stopped = true;
      else typed.push(chunk);
    });
    try {
      const conversation = await this.#load();
      if (stopped) this.invocation.terminal.say(this.invocation.terminal.colors.dim('(not sent)\n'));
      return stopped ? undefined : conversation;
    } finally {
      release();
      if (!stopped) this.#keyboard.putBack(typed);
    }
  }

  /** Loads once, when the prompt is on the screen. */
  #load(): Promise<Conversation> {
    this.#loading ??= this.#open();
    return this.#loading;
  }

  async #open(): Promise<Conversation> {
    await setImmediate();
    const { Conversation: Opened } = await import('./conversation.js');
    this.#conversation = await Opened.open({ invocation: this.invocation, resolved: this.resolved, keyboard: this.#keyboard, editor: this.#editor });
    return this.#conversation;
  }

  #isSecond(empty: boolean): boolean {
    if (empty && performance.now() - this.#interruptedAt < twiceMs) return true;
    this.#interruptedAt = performance.now();
    const { terminal } = this.invocation;
    terminal.say(terminal.colors.dim('(Ctrl-C again or Ctrl-D leaves)\n'));
    return false;
  }
}
