// The text that is edited and the place in it: what each editing key does.
import { graphemesOf } from './graphemes.js';

const wordEnd = /^[^\p{L}\p{N}_]*[\p{L}\p{N}_]+/u;
const wordStart = /[\p{L}\p{N}_]+[^\p{L}\p{N}_]*$/u;
const mostUndo = 200;

interface State {
  text: string;
  cursor: number;
}

export class TextBuffer {
  #text = '';
  #cursor = 0;
  #killed = '';
  readonly #undo: State[] = [];

  get text(): string {
    return this.#text;
  }

  /** In UTF-16 units, between two graphemes. */
  get cursor(): number {
    return this.#cursor;
  }

  /** The whole text, with the cursor behind it. */
  set(text: string): void {
    this.#change(text, text.length);
  }

  insert(text: string): void {
    this.#change(this.#before + text + this.#after, this.#cursor + text.length);
  }

  /** Other text for the last `length` units before the cursor. */
  replaceBefore(length: number, text: string): void {
    const start = this.#text.slice(0, this.#cursor - length) + text;
    this.#change(start + this.#after, start.length);
  }

  moveTo(cursor: number): void {
    this.#cursor = Math.max(0, Math.min(this.#text.length, cursor));
  }

  left(): void {
    this.moveTo(this.#cursor - (graphemesOf(this.#before).at(-1)?.length ?? 0));
  }

  right(): void {
    this.moveTo(this.#cursor + (graphemesOf(this.#after)[0]?.length ?? 0));
  }

  wordLeft(): void {
    this.moveTo(this.#cursor - (wordStart.exec(this.#before)?.[0].length ?? this.#cursor));
  }

  wordRight(): void {
    this.moveTo(this.#cursor + (wordEnd.exec(this.#after)?.[0].length ?? this.#after.length));
  }

  /** Of the line that the cursor is in. */
  lineStart(): void {
    this.moveTo(this.#before.lastIndexOf('\n') + 1);
  }

  lineEnd(): void {
    const length = this.#after.indexOf('\n');
    this.moveTo(length < 0 ? this.#text.length : this.#cursor + length);
  }

  backspace(): void {
    this.#deleteTo(() => this.left());
  }

  deleteForward(): void {
    this.#deleteTo(() => this.right());
  }

  /** To the end of the line, or the line end itself. What is killed can be put back with `yank`. */
  killToEnd(): void {
    this.#kill(() => (this.#after.startsWith('\n') ? this.right() : this.lineEnd()));
  }

  killToStart(): void {
    this.#kill(() => (this.#before.endsWith('\n') ? this.left() : this.lineStart()));
  }

  /** Back to the last blank. */
  killBlankWord(): void {
    this.#kill(() => this.moveTo(this.#cursor - (/\S*\s*$/.exec(this.#before)?.[0].length ?? 0)));
  }

  killWordLeft(): void {
    this.#kill(() => this.wordLeft());
  }

  killWordRight(): void {
    this.#kill(() => this.wordRight());
  }

  yank(): void {
    this.insert(this.#killed);
  }

  undo(): void {
    const state = this.#undo.pop();
    if (state === undefined) return;
    this.#text = state.text;
    this.#cursor = state.cursor;
  }

  get #before(): string {
    return this.#text.slice(0, this.#cursor);
  }

  get #after(): string {
    return this.#text.slice(this.#cursor);
  }

  #kill(move: () => void): void {
    const removed = this.#deleteTo(move);
    if (removed !== '') this.#killed = removed;
  }

  #deleteTo(move: () => void): string {
    const from = this.#cursor;
    move();
    const [start, end] = [Math.min(from, this.#cursor), Math.max(from, this.#cursor)];
    const removed = this.#text.slice(start, end);
    this.#cursor = from;
    if (removed !== '') this.#change(this.#text.slice(0, start) + this.#text.slice(end), start);
    return removed;
  }

  #change(text: string, cursor: number): void {
    this.#undo.push({ text: this.#text, cursor: this.#cursor });
    if (this.#undo.length > mostUndo) this.#undo.shift();
    this.#text = text;
    this.#cursor = cursor;
  }
}
