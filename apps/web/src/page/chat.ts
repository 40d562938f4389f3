/** The open conversation: its items on the page, its connection, and what the user does in it. */
import { type Api, ApiError, type SessionState } from './api.js';
import { Connection } from './connection.js';
import { Conversation, type Item } from './conversation.js';
import { byId, element } from './dom.js';
import { Announcer } from './view/announcer.js';
import type { OnAnswer } from './view/approval-card.js';
import type { Draft } from './view/composer.js';
import { type ItemView, viewOf } from './view/item-view.js';
import { words } from './words.js';

export interface ChatHandlers {
  onRunning(isRunning: boolean): void;
  onUsage(usage: { input: number; output: number }): void;
  onProblem(error: unknown): void;
  /** A run ended: titles and times in the list may have changed. */
  onSettled(): void;
  onQuestionAnswered(): void;
}

export class Chat {
  readonly #log = byId('log', HTMLElement);
  readonly #status = byId('connection', HTMLElement);
  readonly #queue = byId('queue', HTMLElement);
  readonly #announcer = new Announcer(byId('announcer', HTMLElement));
  #views = new Map<Item, ItemView>();
  #conversation = new Conversation(() => undefined);
  #connection: Connection | undefined;
  #wasDisconnected = false;

  private constructor(
    private readonly api: Api,
    readonly id: string,
    private readonly handlers: ChatHandlers,
  ) {}

  static open(api: Api, state: SessionState, handlers: ChatHandlers): Chat {
    const chat = new Chat(api, state.id, handlers);
    chat.#show(state);
    return chat;
  }

  close(): void {
    this.#connection?.close();
    this.#log.replaceChildren();
    this.#queue.replaceChildren();
    this.#status.hidden = true;
  }

  /** While the model works, a message is for its next step. */
  async send(draft: Draft, options: { compact: boolean }): Promise<void> {
    if (this.#conversation.isRunning) return this.#steer(draft);
    this.#conversation.expectImages(draft.images);
    this.handlers.onRunning(true);
    try {
      await this.api.send(this.id, { ...draft, ...options });
    } catch (error) {
      this.handlers.onRunning(this.#conversation.isRunning);
      throw error;
    }
  }

  async #steer({ text, images }: Draft): Promise<void> {
    if (images.length > 0) throw new Error(words.imagesLater);
    this.#conversation.queued.push(text);
    this.#showQueue();
    try {
      await this.api.steer(this.id, text);
    } catch (error) {
      this.#conversation.queued = this.#conversation.queued.filter((queued) => queued !== text);
      this.#showQueue();
      throw error;
    }
  }

  #showQueue(): void {
    const texts = this.#conversation.queued.map((text) => element('li', {}, text));
    this.#queue.replaceChildren(...(texts.length === 0 ? [] : [element('p', {}, words.queued), element('ul', {}, ...texts)]));
  }

  async stop(): Promise<void> {
    await this.api.stop(this.id).catch((error: unknown) => this.handlers.onProblem(error));
  }

  #show(state: SessionState): void {
    this.#connection?.close();
    this.#log.replaceChildren();
    this.#views = new Map();
    this.#conversation = new Conversation((item) => this.#changed(item));
    this.#conversation.load(state.messages, state.input);
    this.#log.scrollTop = this.#log.scrollHeight;
    this.handlers.onRunning(state.running);
    this.#connection = new Connection(this.api, this.id, state.resumeFrom, {
      onEvent: (event) => {
        this.#conversation.apply(event);
        if (event.type === 'turn_started' || event.type === 'run_started') this.#showQueue();
        if (event.type === 'run_started') this.handlers.onRunning(true);
        if (event.type === 'run_finished') this.#settled();
      },
      onReset: () => void this.#reload(),
      onState: (connection) => this.#showConnection(connection),
      onRefused: (error) => this.handlers.onProblem(error),
    });
  }

  async #reload(): Promise<void> {
    try {
      this.#show(await this.api.session(this.id));
    } catch (error) {
      this.handlers.onProblem(error);
    }
  }

  #settled(): void {
    this.handlers.onRunning(false);
    this.handlers.onUsage(this.#conversation.usage);
    this.handlers.onSettled();
  }

  #changed(item: Item): void {
    const isAtEnd = this.#log.scrollHeight - this.#log.scrollTop - this.#log.clientHeight < 80;
    const view = this.#views.get(item);
    if (view) view.update(item);
    else {
      const made = viewOf(item, this.#answer);
      this.#views.set(item, made);
      this.#log.append(made.node);
    }
    if (item.kind === 'answer') this.#announcer.follow(item.id, item.text, !item.isOpen);
    if (item.kind === 'tool' && item.status === 'waiting') this.#announcer.say(`${words.approvalTitle} ${item.tool}`);
    if (isAtEnd) requestAnimationFrame(() => { this.#log.scrollTop = this.#log.scrollHeight; });
  }

  readonly #answer: OnAnswer = (request, answer) => {
    this.api.answer(this.id, request, answer).then(
      () => this.handlers.onQuestionAnswered(),
      (error: unknown) => this.handlers.onProblem(error instanceof ApiError && error.code === 'no_question' ? new Error(words.answered) : error),
    );
  };

  #showConnection(state: 'connected' | 'disconnected'): void {
    const isLost = state === 'disconnected';
    this.#status.hidden = !isLost;
    this.#status.textContent = words.disconnected;
    if (!isLost && this.#wasDisconnected) this.#announcer.say(words.reconnected);
    this.#wasDisconnected = isLost;
  }
}
