// Pasted text on its way to the line editor: several lines are one message, shown as a mark until it is sent.

const start = '\x1b[200~';
const end = '\x1b[201~';

/** Turns bracketed paste on and off in the terminal. */
export const bracketedPaste = { on: '\x1b[?2004h', off: '\x1b[?2004l' } as const;

/** Finds pastes in what the terminal sends, bracketed or as a burst with line ends inside, and replaces those of several lines by marks. */
export class PasteReader {
  readonly #pastes: string[] = [];
  #open: string | undefined;
  #tail = '';

  /** What the line editor gets for a chunk of input. */
  feed(chunk: string): string {
    let text = this.#tail + chunk;
    this.#tail = '';
    let out = '';
    while (text !== '') {
      const mark = this.#open === undefined ? start : end;
      const at = text.indexOf(mark);
      if (at < 0) {
        const kept = partialLength(text, mark);
        out += this.#take(text.slice(0, text.length - kept));
        this.#tail = text.slice(text.length - kept);
        return out;
      }
      out += this.#take(text.slice(0, at));
      out += this.#toggle();
      text = text.slice(at + mark.length);
    }
    return out;
  }

  /** The message behind a line of the editor: marks become what was pasted. */
  expand(line: string): string {
    return line.replace(/\[pasted text #(\d+), \d+ lines\]/g, (mark, number: string) => this.#pastes[Number(number) - 1] ?? mark);
  }

  #toggle(): string {
    const pasted = this.#open;
    this.#open = pasted === undefined ? '' : undefined;
    return pasted === undefined ? '' : this.#insert(pasted);
  }

  #take(text: string): string {
    if (this.#open !== undefined) {
      this.#open += text;
      return '';
    }
    const interior = /[\r\n](?=[^\r\n])/.test(text);
    if (!interior) return text;
    const [, body = '', ending = ''] = /^([\s\S]*?)([\r\n]*)$/.exec(text) ?? [];
    return this.#insert(body) + (ending === '' ? '' : '\r');
  }

  /** Tabs would complete and other controls would edit, so they are blanks or gone. */
  #insert(pasted: string): string {
    const text = pasted.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '');
    if (!text.includes('\n')) return text.replaceAll('\t', '  ');
    this.#pastes.push(text);
    return `[pasted text #${this.#pastes.length}, ${text.split('\n').length} lines]`;
  }
}

/** How much of the mark's beginning the text ends with; a lone Esc, which means nothing to the line editor, waits for the next key. */
function partialLength(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}
