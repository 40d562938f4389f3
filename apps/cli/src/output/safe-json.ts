// JSON for stdout that a terminal may also see: what could act as a control is written as an escape, which changes no value.

import { invisibleCharacters } from './invisible.js';

const invisible = invisibleCharacters();

/** `JSON.stringify`, with every invisible or reordering character as `\uXXXX`. Errors are written as their message. */
export function safeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, (_key, item: unknown) => (item instanceof Error ? item.message : item), indent) ?? 'null';
  return text.replace(invisible, (character) => {
    if (character === '\n') return character; // Between the tokens of indented JSON; inside a string it is escaped already.
    let escaped = '';
    for (let index = 0; index < character.length; index++) escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
    return escaped;
  });
}
