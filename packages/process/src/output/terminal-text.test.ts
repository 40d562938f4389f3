// Terminal output as plain text, whole and in pieces.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { HeadAndTail } from './bounded-text.js';
import { OutputStream } from './output-stream.js';
import { TerminalText } from './terminal-text.js';

function clean(...chunks: string[]): string {
  const text = new TerminalText();
  return chunks.map((chunk) => text.push(chunk)).join('') + text.end();
}

describe('terminal text', () => {
  test.each([
    ['colour', '\x1b[31mred\x1b[0m', 'red'],
    ['title', '\x1b]0;title\x07 x', ' x'],
    ['title ended by ST', '\x1b]0;title\x1b\\x', 'x'],
    ['device control string', 'a\x1bPq#0\x1b\\b', 'ab'],
    ['8-bit introducer', 'a\x9b31mb', 'ab'],
    ['charset', '\x1b(Bx', 'x'],
    ['bell, NUL, DEL', 'a\x07b\x00c\x7fd', 'abcd'],
    ['tab and newline stay', 'a\tb\nc', 'a\tb\nc'],
    ['Windows line ends', 'a\r\nb\r\n', 'a\nb\n'],
    ['redraw', '\r10%\r50%\r100%\ndone', '100%\ndone'],
    ['a return at the end of the line keeps it', 'abc\r', 'abc'],
    ['spinner', '|\b/\b-\bok\n', 'ok\n'],
    ['an escape that never ends takes only itself', 'a\x1b[', 'a'],
  ])('%s', (_, raw, expected) => {
    expect(clean(raw)).toBe(expected);
  });

  test('law: the cut into chunks makes no difference', () => {
    const piece = fc.constantFrom('a', 'bc', '\n', '\r', '\r\n', '\b', '\x1b[31m', '\x1b[', '\x1b', ']0;t\x07', '\x07', '\x9b1m', '\x90', '\x9d', '\x9c', '\x1b\\', ' ', '100%');
    fc.assert(fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(60), { maxLength: 5 }), (pieces, cuts) => {
      const raw = pieces.join('');
      const places = [0, ...cuts.filter((cut) => cut < raw.length).sort((a, b) => a - b), raw.length];
      const chunks = places.slice(1).map((end, index) => raw.slice(places[index], end));
      expect(clean(...chunks)).toBe(clean(raw));
    }), { numRuns: 1000 });
  });

  test('law: no control character but tab and newline comes through', () => {
    fc.assert(fc.property(fc.array(fc.string({ unit: 'binary' })), (chunks) => {
      expect(clean(...chunks)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    }), { numRuns: 1000 });
  });

  test('a long line is given out before its end', () => {
    expect(new TerminalText().push('z'.repeat(10_000))).toHaveLength(10_000);
  });
});

describe('output stream', () => {
  test('characters cut between two chunks are put together', () => {
    const bytes = Buffer.from('a€😀你\n');
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const stream = new OutputStream(100, undefined);
      stream.push(bytes.subarray(0, cut));
      stream.push(bytes.subarray(cut));
      stream.end();
      expect(stream.read().text).toBe('a€😀你\n');
    }
  });

  test('bytes that are no UTF-8 become replacement characters, the rest is kept', () => {
    const stream = new OutputStream(100, undefined);
    stream.push(Buffer.from([0xff, 0xfe, 0x20, 0x6f, 0x6b, 0x0a]));
    stream.end();
    expect(stream.read().text).toBe('\ufffd\ufffd ok\n');
  });

  test('law: of a flood, head, tail and count are those of the whole, however it is cut', () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 40 }), fc.boolean(), (sizes, reads) => {
      const whole = Array.from({ length: sizes.reduce((sum, size) => sum + size, 0) }, (_, index) => (index % 7 === 6 ? '\n' : String(index % 10))).join('');
      const stream = new OutputStream(40, undefined);
      let at = 0;
      for (const size of sizes) {
        stream.push(Buffer.from(whole.slice(at, at + size)));
        at += size;
        if (reads) stream.read();
      }
      stream.end();
      const expected = new HeadAndTail(40);
      expected.push(whole);
      expect(stream.read()).toEqual(expected.read());
    }), { numRuns: 300 });
  });

  test('live text ends at its limit with a word', () => {
    let live = '';
    const stream = new OutputStream(10, { limit: 20, onText: (text) => { live += text; } });
    for (let index = 0; index < 20; index += 1) stream.push(Buffer.from(`line ${index}\n`));
    expect(live).toBe('line 0\nline 1\nline 2\n[more output is not shown live]\n');
  });

  test('a line that is not ended yet can be read', () => {
    const stream = new OutputStream(100, undefined);
    stream.push(Buffer.from('Continue? '));
    expect(stream.read().text).toBe('Continue? ');
  });
});
