// Pasted lines stay one message, whatever chunks they come in.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PasteReader } from './paste.js';

/** What the editor's line holds and what is sent, after the chunks and Enter. */
function submit(...chunks: string[]): { line: string; message: string } {
  const reader = new PasteReader();
  const fed = chunks.map((chunk) => reader.feed(chunk)).join('');
  const line = fed.replace(/\r$/, '');
  return { line, message: reader.expand(line) };
}

describe('CLI-04: a paste of several lines', () => {
  test('in brackets is one message, without the marks', () => {
    const { line, message } = submit('\x1b[200~l1\nl2\nl3\x1b[201~', '\r');
    expect(line).toBe('[pasted text #1, 3 lines]');
    expect(message).toBe('l1\nl2\nl3');
  });

  test('as a burst without brackets is one message too', () => {
    expect(submit('l1\rl2\rl3\r')).toEqual({ line: '[pasted text #1, 3 lines]', message: 'l1\nl2\nl3' });
  });

  test('among typed text, and twice', () => {
    const { message } = submit('see: ', '\x1b[200~a\r\nb\x1b[201~', ' and ', '\x1b[200~c\nd\x1b[201~', '\r');
    expect(message).toBe('see: a\nb and c\nd');
  });

  test('gives the same message wherever the terminal cuts it', () => {
    const text = 'x\x1b[200~one\ntwo\x1b[201~y';
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
        const points = [0, ...[...cuts].sort((a, b) => a - b), text.length];
        const chunks = points.slice(1).map((point, index) => text.slice(points[index], point));
        expect(submit(...chunks).message).toBe('xone\ntwoy');
      }),
    );
  });
});

test('a paste of one line is typed text, without control characters', () => {
  expect(submit('\x1b[200~a\tb\x03c\x1b[201~').line).toBe('a  bc');
});

test.each(['\x1b[A', '\x1b[1;5C', '\x1bOP', '\x1bb', 'a', '\r', '\x03', '中'])('the key %j goes through at once', (key) => {
  expect(new PasteReader().feed(key)).toBe(key);
});

test('a mark that the user typed or broke is left as it is', () => {
  expect(new PasteReader().expand('[pasted text #7, 3 lines]')).toBe('[pasted text #7, 3 lines]');
});
