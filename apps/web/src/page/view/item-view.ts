/** One item of the conversation as a node that follows the item's changes. */
import type { AnswerItem, Item, NoteItem, UserItem } from '../conversation.js';
import { element } from '../dom.js';
import { words } from '../words.js';
import type { OnAnswer } from './approval-card.js';
import { imageNodes } from './images.js';
import { MarkdownView } from './markdown.js';
import { ToolCard } from './tool-card.js';

export interface ItemView {
  readonly node: HTMLElement;
  update(item: Item): void;
}

export function viewOf(item: Item, onAnswer: OnAnswer): ItemView {
  switch (item.kind) {
    case 'user':
      return userView(item);
    case 'answer':
      return new AnswerView(item);
    case 'tool': {
      const card = new ToolCard(item, onAnswer);
      return { node: card.node, update: (changed) => changed.kind === 'tool' && card.update(changed) };
    }
    case 'note':
      return noteView(item);
  }
}

function userView(item: UserItem): ItemView {
  const node = element('article', { class: 'user', 'aria-label': words.you }, element('div', { class: 'text' }, item.text), ...imageNodes(item.images));
  return { node, update: () => undefined };
}

class AnswerView implements ItemView {
  readonly node = element('article', { class: 'answer', 'aria-label': words.agent });
  readonly #reasoning = element('div', { class: 'reasoning-text' });
  readonly #thinking = element('details', { class: 'reasoning', hidden: true }, element('summary', {}, words.thinking), this.#reasoning);
  readonly #text = element('div', { class: 'markdown' });
  readonly #markdown = new MarkdownView(this.#text);
  #isDrawing = false;

  constructor(item: AnswerItem) {
    this.node.append(this.#thinking, this.#text);
    this.#show(item);
  }

  /** Deltas come faster than a screen shows them: at most once a frame. */
  update(item: Item): void {
    if (item.kind !== 'answer' || this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      this.#show(item);
    });
  }

  #show(item: AnswerItem): void {
    this.node.classList.toggle('open', item.isOpen);
    this.#thinking.hidden = item.reasoning === '';
    this.#reasoning.textContent = item.reasoning;
    this.#markdown.show(item.text);
  }
}

function noteView(item: NoteItem): ItemView {
  const detail = item.detail === '' ? '' : `: ${item.detail}`;
  const node = element('p', { class: `note ${item.tone}`, role: item.tone === 'error' ? 'alert' : 'status' }, `${words[item.note]}${detail}`);
  return { node, update: () => undefined };
}
