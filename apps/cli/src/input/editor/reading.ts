// One reading of the line editor, from its prompt to the key that ends it.
import { stripVTControlCharacters } from 'node:util';
import type { EditOutcome } from '../external-editor.js';
import { KeySplitter } from '../key-splitter.js';
import { type Keyboard, keys } from '../keyboard.js';
import type { LineOutcome, LineRequest } from '../line-editor.js';
import { bracketedPaste, PasteReader } from '../paste.js';
import { completionOf } from './completion.js';
import { chordStart, editingKeys, editorKeys } from './editor-keys.js';
import { graphemesOf, graphemeWidth } from './graphemes.js';
import { HistorySearch, HistoryWalk } from './history-walk.js';
import { type Layout, layOut, placeIn } from './layout.js';
import { PromptView } from './prompt-view.js';
import { TextBuffer } from './text-buffer.js';

const mostHistory = 1_000;

export function reading(request: LineRequest, keyboard: Keyboard, output: NodeJS.WriteStream): Promise<LineOutcome> {
  return new Promise((resolve) => new Reading(request, keyboard, output, resolve).begin());
}

/** A line that was typed before the terminal was ours ends as lines of files do. */
function asSent(chunk: string): string {
  return /[^\x1b]\n$/.test(chunk) ? chunk.replace(/\n$/, '\r') : chunk;
}

function problemOf(error: unknown): string {
  return stripVTControlCharacters(error instanceof Error ? error.message : String(error));
}

class Reading {
  readonly #buffer = new TextBuffer();
  readonly #view: PromptView;
  readonly #pastes = new PasteReader();
  readonly #splitter = new KeySplitter();
  readonly #walk: HistoryWalk;
  #search: HistorySearch | undefined;
  #chord = '';
  #done = false;
  /** The terminal is an editor's. */
  #away = false;
  #release: () => void = () => undefined;
  readonly #onResize = (): void => {
    if (!this.#away) this.#draw();
  };
  readonly #onAbort = (): void => this.#finish({ kind: 'end' });

  constructor(
    private readonly request: LineRequest,
    private readonly keyboard: Keyboard,
    private readonly output: NodeJS.WriteStream,
    private readonly resolve: (outcome: LineOutcome) => void,
  ) {
    this.#view = new PromptView(output);
    this.#walk = new HistoryWalk(request.history ?? []);
  }

  begin(): void {
    if (this.request.initial !== undefined) this.#buffer.set(this.request.initial);
    this.output.on('resize', this.#onResize);
    this.request.signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#listen();
    this.#draw();
  }

  #listen(): void {
    this.output.write(bracketedPaste.on);
    this.#release = this.keyboard.listen((chunk) => {
      if (chunk === keys.escape && this.request.escapeEnds === true) return this.#finish({ kind: 'end' });
      if (chunk === keys.escape && this.#search !== undefined) return this.#endSearch();
      for (const key of this.#splitter.split(this.#pastes.feed(asSent(chunk)))) if (!this.#done) this.#key(key);
      if (!this.#done && !this.#away) this.#draw();
    });
  }

  #key(piece: string): void {
    const key = this.#chord + piece;
    this.#chord = '';
    if (piece === chordStart) {
      this.#chord = piece;
      return;
    }
    if (this.#search !== undefined && this.#searchKey(this.#search, key)) return;
    if (KeySplitter.isText(key)) {
      this.#walk.reset();
      return this.#buffer.insert(key);
    }
    const edit = editingKeys[key];
    if (edit !== undefined) return edit(this.#buffer);
    this.#command(editorKeys[key]);
  }

  #command(name: (typeof editorKeys)[string] | undefined): void {
    switch (name) {
      case 'enter':
        return this.#enter();
      case 'end':
        return this.#buffer.text === '' ? this.#finish({ kind: 'end' }) : this.#buffer.deleteForward();
      case 'interrupt':
        return this.#finish({ kind: 'interrupt', empty: this.#buffer.text === '' });
      case 'up':
        return this.#vertically(-1);
      case 'down':
        return this.#vertically(1);
      case 'clear screen':
        this.#view.clear();
        this.output.write('\x1b[2J\x1b[H');
        return;
      case 'details':
        return this.#showAbove(this.request.details?.() ?? '');
      case 'mode':
        return this.#showAbove(this.request.cycleMode?.() ?? '');
      case 'search':
        if (this.request.history !== undefined) this.#search = new HistorySearch(this.request.history);
        return;
      case 'complete':
        return this.#unlessItFails(this.#complete());
      case 'external editor':
        return this.#unlessItFails(this.#edit());
      default:
    }
  }

  /** Behind a backslash it begins a new line. */
  #enter(): void {
    const { text, cursor } = this.#buffer;
    if (cursor === text.length && text.endsWith('\\')) {
      this.#buffer.backspace();
      return this.#buffer.insert('\n');
    }
    this.#finish({ kind: 'line', text: this.#pastes.expand(text) });
  }

  /** Within the rows of the text, then through the history. */
  #vertically(step: 1 | -1): void {
    const layout = this.#layout();
    const place = placeIn(layout, layout.row + step, layout.column);
    if (place !== undefined) return this.#buffer.moveTo(place);
    const line = step < 0 ? this.#walk.older(this.#buffer.text) : this.#walk.newer();
    if (line !== undefined) this.#buffer.set(line);
  }

  #searchKey(search: HistorySearch, key: string): boolean {
    if (key === '\x12') search.next();
    else if (key === '\x7f' || key === '\b') search.find(graphemesOf(search.query).slice(0, -1).join(''));
    else if (KeySplitter.isText(key)) search.find(search.query + key);
    else {
      const cancels = key === '\x03' || key === '\x07';
      if (!cancels && search.match !== undefined) this.#buffer.set(search.match);
      this.#search = undefined;
      return cancels;
    }
    return true;
  }

  #endSearch(): void {
    if (this.#search?.match !== undefined) this.#buffer.set(this.#search.match);
    this.#search = undefined;
    this.#draw();
  }

  /** What goes wrong beside the typing is told above it; what was typed stays. */
  #unlessItFails(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (this.#done) return;
      this.#showAbove(`${problemOf(error)}\n`);
      this.#draw();
    });
  }

  async #complete(): Promise<void> {
    const { complete } = this.request;
    if (complete === undefined) return;
    const { text, cursor } = this.#buffer;
    const [candidates, word] = await complete(text.slice(0, cursor));
    if (this.#done || this.#buffer.text !== text || this.#buffer.cursor !== cursor) return;
    const { replacement, list } = completionOf(candidates, word, this.#view.columns);
    if (replacement !== word) this.#buffer.replaceBefore(word.length, replacement);
    if (list !== '') this.#showAbove(list);
    this.#draw();
  }

  async #edit(): Promise<void> {
    const text = this.#pastes.expand(this.#buffer.text);
    this.#away = true;
    this.#view.clear();
    this.output.write(bracketedPaste.off);
    this.#release();
    const outcome = await this.#editElsewhere(text).catch((error: unknown) => ({ problem: problemOf(error) }));
    this.#away = false;
    if (this.#done) return;
    if ('text' in outcome) this.#buffer.set(outcome.text);
    else this.output.write(`${outcome.problem}\r\n`);
    this.#listen();
    this.#draw();
  }

  async #editElsewhere(text: string): Promise<EditOutcome> {
    const { external } = this.request;
    const { editExternally } = await import('../external-editor.js');
    const request = { text: external?.show?.(text) ?? text, fileName: external?.fileName ?? 'message.md' };
    return this.keyboard.lend(() => editExternally(request));
  }

  #showAbove(text: string): void {
    if (text === '') return;
    this.#view.clear();
    this.output.write(text.replace(/\r?\n/g, '\r\n'));
  }

  #draw(): void {
    this.#view.draw(this.#layout());
  }

  #layout(): Layout {
    const search = this.#search;
    const { prompt: own } = this.request;
    const prompt = search !== undefined ? `(search) ${search.query}: ` : typeof own === 'string' ? own : own();
    const text = search === undefined ? this.#buffer.text : (search.match ?? '');
    const cursor = search === undefined ? this.#buffer.cursor : text.length;
    const promptWidth = graphemesOf(stripVTControlCharacters(prompt)).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
    return layOut({ prompt, promptWidth, continuation: '… ', text, cursor, columns: this.#view.columns });
  }

  #finish(outcome: LineOutcome): void {
    if (this.#done) return;
    this.#done = true;
    this.request.signal?.removeEventListener('abort', this.#onAbort);
    this.output.off('resize', this.#onResize);
    this.#release();
    if (outcome.kind === 'line') this.#remember(outcome.text);
    this.#search = undefined;
    this.#buffer.moveTo(this.#buffer.text.length);
    this.#draw();
    if (outcome.kind === 'interrupt') this.output.write('^C');
    this.#view.finish();
    this.output.write(bracketedPaste.off);
    this.resolve(outcome);
  }

  #remember(line: string): void {
    const { history } = this.request;
    if (history === undefined || line.trim() === '') return;
    const others = history.filter((known) => known !== line).slice(0, mostHistory - 1);
    history.splice(0, history.length, line, ...others);
  }
}
