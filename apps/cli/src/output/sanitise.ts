// Text from models, tools and files on its way to a terminal: nothing in it may act as a control sequence or reorder what is read.

import { invisibleCharacters } from './invisible.js';

const invisible = invisibleCharacters();
/** What a joiner may stand behind: an emoji, with its variation or skin tone. */
const joinable = /(?:\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier})$/u;
const carriageReturnEnd = /\r$/;

/** Shows every control, bidirectional and zero-width character; keeps newline, tab, and the joiner inside an emoji. CRLF becomes a newline. */
export function sanitise(text: string): string {
  const sanitiser = new Sanitiser();
  return sanitiser.push(text) + sanitiser.end();
}

/** One line of sanitised text: newlines and tabs become blanks. */
export function sanitiseLine(text: string): string {
  return sanitise(text).replace(/[\n\t]+/g, ' ');
}

/** The streaming form: what depends on the next delta (half a surrogate pair, a carriage return) is held back until it comes. */
export class Sanitiser {
  #held = '';
  #before = '';

  push(delta: string): string {
    const text = this.#held + delta;
    const hold = holdBack(text);
    this.#held = text.slice(text.length - hold);
    return this.#clean(text.slice(0, text.length - hold));
  }

  end(): string {
    const rest = this.#held;
    this.#held = '';
    return this.#clean(rest);
  }

  #clean(text: string): string {
    if (text === '') return '';
    const unix = text.replaceAll('\r\n', '\n').replace(/\p{Surrogate}/gu, '\ufffd');
    const clean = unix.replace(invisible, (character: string, offset: number) => {
      if (character === '\n' || character === '\t') return character;
      if (character === '\u200d' && joinable.test(this.#before + unix.slice(0, offset))) return character;
      return visible(character);
    });
    this.#before = unix.slice(-2);
    return clean;
  }
}

function holdBack(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return carriageReturnEnd.test(text) || (last >= 0xd800 && last <= 0xdbff) ? 1 : 0;
}

/** Caret or hex notation rather than control pictures, whose UTF-8 bytes contain 0x9b and 0x9d. */
function visible(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x20) return `^${String.fromCharCode(point + 0x40)}`;
  if (point === 0x7f) return '^?';
  if (point < 0x100) return `\\x${point.toString(16)}`;
  return `\\u{${point.toString(16)}}`;
}
