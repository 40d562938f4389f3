/** The page put together: the list of conversations, the open one, and the place to write. */
import type { Api, SessionState } from './api.js';
import { Chat } from './chat.js';
import { byId } from './dom.js';
import { Composer, type Draft } from './view/composer.js';
import { SessionList } from './view/session-list.js';
import { hideProblem, showProblem } from './view/problem.js';
import { toggleMenu } from './view/settings.js';
import { words } from './words.js';

export class App {
  readonly #usage = byId('usage', HTMLElement);
  readonly #composer: Composer;
  readonly #list: SessionList;
  #chat: Chat | undefined;
  /** Older messages become notes with the next message. */
  #compact = false;

  constructor(private readonly api: Api) {
    this.#composer = new Composer({
      onSend: (draft) => void this.#send(draft),
      onStop: () => void this.#chat?.stop(),
      onProblem: (text) => showProblem(new Error(text)),
    });
    this.#list = new SessionList(api, {
      onOpen: (id) => void this.#open(() => api.session(id)),
      onNew: () => void this.#open(() => api.create()),
      onRemoved: (id) => {
        if (this.#chat?.id === id) void this.#open(() => api.create());
      },
      onProblem: showProblem,
    });
  }

  /** Opens the conversation that this tab had, else a new one. */
  async start(): Promise<void> {
    const { model, root } = await this.api.info();
    byId('about', HTMLElement).textContent = `${model} · ${root}`;
    await this.#list.refresh();
    const last = sessionStorage.getItem('haft-session');
    const known = last === null ? undefined : await this.api.session(last).catch(() => undefined);
    await this.#open(() => (known ? Promise.resolve(known) : this.api.create()));
  }

  async #open(load: () => Promise<SessionState>): Promise<void> {
    hideProblem();
    toggleMenu(false);
    try {
      this.#show(await load());
    } catch (error) {
      showProblem(error);
    }
  }

  #show(state: SessionState): void {
    this.#chat?.close();
    this.#usage.textContent = words.hint;
    this.#chat = Chat.open(this.api, state, {
      onRunning: (isRunning) => {
        this.#composer.setRunning(isRunning);
        if (isRunning) void this.#list.refresh();
      },
      onUsage: ({ input, output }) => { this.#usage.textContent = `${input} / ${output} ${words.tokens}`; },
      onProblem: showProblem,
      onSettled: () => void this.#list.refresh(),
      onQuestionAnswered: () => this.#composer.focus(),
    });
    sessionStorage.setItem('haft-session', state.id);
    this.#list.select(state.id);
    this.#composer.focus();
  }

  async #send(draft: Draft): Promise<void> {
    hideProblem();
    if (this.#command(draft.text.trim())) return;
    const compact = this.#compact;
    this.#compact = false;
    try {
      await this.#chat?.send(draft, { compact });
    } catch (error) {
      this.#compact = compact;
      this.#composer.restore(draft);
      showProblem(error);
    }
  }

  /** The commands that the page knows; any other text is a message. */
  #command(text: string): boolean {
    if (text === '/clear') void this.#open(() => this.api.create());
    else if (text === '/compact') {
      this.#compact = true;
      this.#usage.textContent = words.compactNext;
    } else return false;
    return true;
  }
}
