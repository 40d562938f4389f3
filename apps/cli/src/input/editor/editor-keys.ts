// What each key of the line editor does, by what terminals send for it.
import type { TextBuffer } from './text-buffer.js';

/** Keys that only change the text or the place in it. */
export const editingKeys: Readonly<Record<string, (buffer: TextBuffer) => void>> = {
  ...each(['\x02', '\x1b[D', '\x1bOD'], (buffer) => buffer.left()),
  ...each(['\x06', '\x1b[C', '\x1bOC'], (buffer) => buffer.right()),
  ...each(['\x1bb', '\x1b[1;5D', '\x1b[1;3D', '\x1b[5D', '\x1bOd'], (buffer) => buffer.wordLeft()),
  ...each(['\x1bf', '\x1b[1;5C', '\x1b[1;3C', '\x1b[5C', '\x1bOc'], (buffer) => buffer.wordRight()),
  ...each(['\x01', '\x1b[H', '\x1bOH', '\x1b[1~', '\x1b[7~'], (buffer) => buffer.lineStart()),
  ...each(['\x05', '\x1b[F', '\x1bOF', '\x1b[4~', '\x1b[8~'], (buffer) => buffer.lineEnd()),
  ...each(['\x7f', '\b'], (buffer) => buffer.backspace()),
  ...each(['\x1b[3~'], (buffer) => buffer.deleteForward()),
  ...each(['\x0b'], (buffer) => buffer.killToEnd()),
  ...each(['\x15'], (buffer) => buffer.killToStart()),
  ...each(['\x17'], (buffer) => buffer.killBlankWord()),
  ...each(['\x1b\x7f', '\x1b\b'], (buffer) => buffer.killWordLeft()),
  ...each(['\x1bd', '\x1b[3;5~'], (buffer) => buffer.killWordRight()),
  ...each(['\x19'], (buffer) => buffer.yank()),
  ...each(['\x1f'], (buffer) => buffer.undo()),
  // Alt-Enter, Ctrl-J, and Shift-Enter where a terminal tells it from Enter.
  ...each(['\x1b\r', '\x1b\n', '\n', '\x1b[13;2u', '\x1b[27;2;13~'], (buffer) => (buffer.text === '' ? undefined : buffer.insert('\n'))),
};

/** Keys that the line editor itself answers, by their names. */
export const editorKeys: Readonly<Record<string, 'up' | 'down' | 'enter' | 'complete' | 'end' | 'interrupt' | 'clear screen' | 'external editor' | 'search' | 'details' | 'mode'>> = {
  ...each(['\x10', '\x1b[A', '\x1bOA'], 'up' as const),
  ...each(['\x0e', '\x1b[B', '\x1bOB'], 'down' as const),
  '\r': 'enter',
  '\t': 'complete',
  '\x04': 'end',
  '\x03': 'interrupt',
  '\x0c': 'clear screen',
  '\x07': 'external editor',
  '\x18\x05': 'external editor',
  '\x12': 'search',
  '\x0f': 'details',
  '\x1b[Z': 'mode',
};

/** The first of the two keys Ctrl-X Ctrl-E. */
export const chordStart = '\x18';

function each<T>(keys: readonly string[], meaning: T): Record<string, T> {
  return Object.fromEntries(keys.map((key) => [key, meaning]));
}
