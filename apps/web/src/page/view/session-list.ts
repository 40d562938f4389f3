/** The list of conversations at the side: choose, search, make, export, delete. */
import type { Api, SessionRow } from '../api.js';
import { button, byId, element } from '../dom.js';
import { language, words } from '../words.js';

export interface SessionListHandlers {
  onOpen(id: string): void;
  onNew(): void;
  onRemoved(id: string): void;
  onProblem(error: unknown): void;
}

export class SessionList {
  readonly #list = byId('session-list', HTMLUListElement);
  readonly #search = byId('search', HTMLInputElement);
  #current: string | undefined;

  constructor(
    private readonly api: Api,
    private readonly handlers: SessionListHandlers,
  ) {
    byId('new', HTMLButtonElement).addEventListener('click', () => handlers.onNew());
    this.#search.addEventListener('input', () => void this.refresh());
  }

  select(id: string | undefined): void {
    this.#current = id;
    for (const row of this.#list.querySelectorAll<HTMLElement>('li')) row.classList.toggle('current', row.dataset['id'] === id);
  }

  async refresh(): Promise<void> {
    const search = this.#search.value.trim();
    try {
      const rows = await this.api.sessions();
      const hits = search === '' ? undefined : await this.api.search(search);
      const snippets = new Map(hits?.map((hit) => [hit.sessionId, hit.snippet]));
      const shown = hits ? rows.filter((row) => snippets.has(row.id)) : rows;
      this.#list.replaceChildren(...shown.map((row) => this.#row(row, snippets.get(row.id))));
      if (shown.length === 0) this.#list.append(element('li', { class: 'empty' }, words.noSessions));
    } catch (error) {
      this.handlers.onProblem(error);
    }
  }

  #row({ id, title, updatedMs, running }: SessionRow, snippet: string | undefined): HTMLElement {
    const name = title === '' ? words.untitled : title;
    const open = button(snippet ?? name, () => this.handlers.onOpen(id), { class: 'open', title: new Date(updatedMs).toLocaleString() });
    open.append(element('span', { class: 'when' }, shortTime(updatedMs)));
    const isCurrent = id === this.#current;
    const row = element('li', { class: `${isCurrent ? 'current' : ''} ${running ? 'running' : ''}`, 'data-id': id }, open);
    row.append(button('⤓', () => void this.#export(id), { class: 'small', 'aria-label': `${words.exportSession}: ${name}`, title: words.exportSession }));
    row.append(button('×', () => void this.#remove(id), { class: 'small', 'aria-label': `${words.deleteSession}: ${name}`, title: words.deleteSession }));
    return row;
  }

  async #export(id: string): Promise<void> {
    try {
      const url = URL.createObjectURL(new Blob([await this.api.exported(id)], { type: 'text/markdown' }));
      element('a', { href: url, download: `${id}.md` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    } catch (error) {
      this.handlers.onProblem(error);
    }
  }

  async #remove(id: string): Promise<void> {
    if (!confirm(words.confirmDelete)) return;
    try {
      await this.api.remove(id);
      this.handlers.onRemoved(id);
      await this.refresh();
    } catch (error) {
      this.handlers.onProblem(error);
    }
  }
}

/** The time of today, the day of another. */
function shortTime(ms: number): string {
  const date = new Date(ms);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' }) : date.toLocaleDateString(language, { day: 'numeric', month: 'short' });
}
