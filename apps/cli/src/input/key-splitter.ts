// What the terminal sends in one piece, cut into runs of text and single keys. An input method commits a whole word at once, also in mid-line.

/** An escape sequence, a control character, or a run of text. */
const piece = /\x1b+(?:[[O]\[?[0-9;]*[^0-9;\x00-\x1f\x7f]|[^[O\x1b])|[\x00-\x1f\x7f]|[^\x00-\x1f\x7f]+/gs;
const unfinished = /\x1b+(?:[[O]\[?[0-9;]*)?$/;

export class KeySplitter {
  #tail = '';

  /** The pieces of a chunk in order; a sequence that is not whole yet waits for its rest. A tab with text behind it was not pressed to complete: two blanks. */
  split(chunk: string): string[] {
    const text = this.#tail + chunk;
    this.#tail = unfinished.exec(text)?.[0] ?? '';
    const whole = text.slice(0, text.length - this.#tail.length);
    return whole.replace(/\t(?=.)/gs, '  ').match(piece) ?? [];
  }

  static isText(part: string): boolean {
    return !/^[\x00-\x1f\x7f]/.test(part);
  }
}
