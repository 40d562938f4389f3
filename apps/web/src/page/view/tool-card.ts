/** A tool call as a card: what is called, how it goes, what came out. Closed when all went well, open when a person is needed. */
import type { ToolItem } from '../conversation.js';
import { element } from '../dom.js';
import { words } from '../words.js';
import { type OnAnswer, approvalCard } from './approval-card.js';
import { diffNode } from './diff.js';
import { imageNodes } from './images.js';

/** Longer results are shown in part: the whole is in the export. */
const longestText = 20_000;
const troubled = new Set<ToolItem['status']>(['error', 'timeout', 'cancelled']);

export class ToolCard {
  readonly node: HTMLElement;
  readonly #details: HTMLDetailsElement;
  readonly #summary = element('summary');
  readonly #body = element('div', { class: 'tool-body' });
  readonly #question = element('div');
  #asked: string | undefined;
  #outputNode: HTMLElement | undefined;

  constructor(
    item: ToolItem,
    private readonly onAnswer: OnAnswer,
  ) {
    this.#details = element('details', {}, this.#summary, this.#body);
    this.node = element('article', { class: 'tool' }, this.#details, this.#question);
    this.update(item);
  }

  update(item: ToolItem): void {
    this.node.dataset['status'] = item.status;
    this.#summary.replaceChildren(
      element('span', { class: 'dot', 'aria-hidden': 'true' }),
      element('strong', {}, item.tool),
      element('span', { class: 'main-argument' }, mainArgument(item.arguments)),
      element('span', { class: 'state' }, stateText(item)),
    );
    this.#showQuestion(item);
    if (item.status === 'running' && item.output !== '' && this.#outputNode) {
      this.#outputNode.textContent = item.output;
      return;
    }
    this.#showBody(item);
  }

  #showQuestion(item: ToolItem): void {
    const open = item.question;
    if (open?.hash === this.#asked) return;
    this.#asked = open?.hash;
    this.#question.replaceChildren(...(open ? [approvalCard(open, this.onAnswer)] : []));
  }

  #showBody(item: ToolItem): void {
    const parts: Node[] = [label(words.arguments), element('pre', { tabindex: '0' }, item.arguments)];
    this.#outputNode = undefined;
    if (item.diff !== undefined) parts.push(label(words.result), diffNode(item.diff));
    else if (item.content !== undefined) parts.push(label(words.result), element('pre', { class: 'result', tabindex: '0' }, shortened(item.content)));
    else if (item.output !== '') {
      this.#outputNode = element('pre', { class: 'output', tabindex: '0' }, item.output);
      parts.push(label(words.output), this.#outputNode);
    }
    this.#body.replaceChildren(...parts, ...imageNodes(item.images));
    if (item.diff !== undefined || troubled.has(item.status)) this.#details.open = true;
  }
}

function label(text: string): HTMLElement {
  return element('p', { class: 'label' }, text);
}

function stateText(item: ToolItem): string {
  const time = item.durationMs === undefined ? '' : ` · ${item.durationMs < 1_000 ? `${Math.round(item.durationMs)} ms` : `${(item.durationMs / 1_000).toFixed(1)} s`}`;
  const code = item.code === undefined ? '' : ` (${item.code})`;
  const progress = item.progress !== undefined && item.status === 'running' ? ` · ${item.progress}` : '';
  return `${words[item.status]}${code}${progress}${time}`;
}

/** The argument that tells most: a path, a command, a pattern, else the first text. */
function mainArgument(json: string): string {
  let values: Record<string, unknown>;
  try {
    values = JSON.parse(json) as Record<string, unknown>;
  } catch {
    return '';
  }
  const named = ['path', 'command', 'url', 'pattern', 'query'].map((name) => values[name]);
  const text = [...named, ...Object.values(values ?? {})].find((value) => typeof value === 'string');
  return typeof text === 'string' ? text.split('\n')[0]?.slice(0, 200) ?? '' : '';
}

function shortened(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}\n… (${text.length - longestText})`;
}
