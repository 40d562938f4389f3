// What is typed while a turn runs: a line that is sent goes to the model with its next step, the rest waits for the next prompt. Nothing is lost:
// from the first key that only a prompt understands (an arrow, Ctrl-D), all keys wait for it.

const control = /[\x00-\x08\x0b\x0c\x0e-\x1f]/g;
const escapeSequence = /\x1b(\[[0-9;]*[A-Za-z~]|O.|.)?/gs;
const lastGrapheme = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** An escape sequence, or one control key that is no Enter, Tab or backspace. */
const promptKey = /^(?:\x1b.|[\x00-\x07\x0b\x0c\x0e-\x1f]$)/s;

/** Typed so quickly, or read so late, that they come in one piece. */
const textThenKey = /^([^\x00-\x1f\x7f]+)([\x01-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f])$/;

export class TypeAhead {
  #text = '';
  #keys: string[] = [];

  /** What is typed and not yet sent. */
  get text(): string {
    return this.#text;
  }

  /** Takes a chunk of keys; gives the text that Enter sent, if it did. Line ends inside a chunk are a paste and send nothing. */
  feed(chunk: string): string | undefined {
    const [, text, key] = textThenKey.exec(chunk) ?? [];
    if (text !== undefined && key !== undefined) {
      this.feed(text);
      return this.feed(key);
    }
    if (this.#keys.length > 0 || promptKey.test(chunk)) {
      this.#keys.push(chunk);
      return undefined;
    }
    if (chunk === '\x7f' || chunk === '\b') {
      this.#text = [...lastGrapheme.segment(this.#text)].slice(0, -1).map(({ segment }) => segment).join('');
      return undefined;
    }
    const typed = chunk.replace(escapeSequence, '').replace(/\r\n?/g, '\n').replace(control, '');
    const sends = /^[^\n]*\n$/.test(typed);
    this.#text += sends ? typed.slice(0, -1) : typed;
    if (!sends || this.#text.trim() === '') return undefined;
    return this.take();
  }

  /** Messages that were sent and not read go before what is typed. */
  putBack(messages: readonly string[]): void {
    this.#text = [...messages, this.#text].filter((text) => text !== '').join('\n');
  }

  /** The keys that wait for the prompt, as they came. */
  takeKeys(): string[] {
    return this.#keys.splice(0);
  }

  /** Gives the text away. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}
