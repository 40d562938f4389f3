// An answer without colours, as the model wrote it: whole lines stay, the line that is being written is drawn over, so that other live lines can stand below it.
import type { AnswerStream } from './markdown/stream.js';
import wrapAnsi from 'wrap-ansi';

export class PlainStream implements AnswerStream {
  #pending = '';

  constructor(private readonly columns: () => number) {}

  push(text: string): string {
    const all = this.#pending + text;
    const end = all.lastIndexOf('\n') + 1;
    this.#pending = all.slice(end);
    return all.slice(0, end);
  }

  live(): readonly string[] {
    return this.#pending === '' ? [] : wrapAnsi(this.#pending, this.columns(), { hard: true, trim: false }).split('\n');
  }

  end(): string {
    const rest = this.#pending;
    this.#pending = '';
    return rest;
  }
}
