// What untrusted text may and may not do to a terminal.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Sanitiser, sanitise, sanitiseLine } from './sanitise.js';

const attacks = [
  '\x1b]52;c;aGk=\x07', '\x1b]0;title\x07', '\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\', '\x1b[10A\x1b[2J', '\x1b[6n', '\x1bP1$r\x1b\\',
  '\x1bc', '\x9b2J', '\x9d52;c;x\x9c', 'a\rb', 'a\bb', 'abc\u202edef', 'a\u200bb', '\u{e0041}', '\u2066x\u2069', '\x1b]0;unterminated',
];
const forbidden = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

function throughDeltas(text: string, cuts: number[]): string {
  const sanitiser = new Sanitiser();
  let shown = '';
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    shown += sanitiser.push(text.slice(from, Math.max(from, cut)));
    from = Math.max(from, cut);
  }
  return shown + sanitiser.push(text.slice(from)) + sanitiser.end();
}

describe('CLI-01: untrusted text cannot emit control sequences', () => {
  test.each(attacks)('%j is shown, not obeyed', (attack) => {
    const shown = sanitise(`before ${attack} after`);
    expect(shown).not.toMatch(forbidden);
    expect(Buffer.from(shown, 'utf8').includes(0x9b)).toBe(false);
    expect(shown.startsWith('before ')).toBe(true);
    expect(shown.endsWith(' after')).toBe(true);
  });

  test('split anywhere over deltas, the result is the same and clean', () => {
    const piece = fc.oneof(fc.constantFrom(...attacks), fc.string({ unit: 'grapheme' }), fc.constantFrom('\r\n', '👩‍👩‍👧', '中文', '\r'));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.array(fc.nat(60), { maxLength: 6 }), (pieces, cuts) => {
        const text = pieces.join('');
        expect(throughDeltas(text, cuts)).toBe(sanitise(text));
        expect(sanitise(text)).not.toMatch(forbidden);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('visible text is kept: letters of every script, emoji families, combining accents, newlines and tabs', () => {
  const text = 'naïve é 中文 عربي\n\t👩‍👩‍👧‍👦 👩🏽‍🚀 ❤️‍🔥 end';
  expect(sanitise(text)).toBe(text);
  expect(sanitise('a\r\nb')).toBe('a\nb');
  expect(sanitiseLine('a\n\tb')).toBe('a b');
});

test('a joiner outside an emoji is shown', () => {
  expect(sanitise('pay\u200dpal')).toBe('pay\\u{200d}pal');
});

test('half a surrogate pair at the very end becomes a replacement character instead of breaking what follows', () => {
  expect(sanitise('x\ud83d')).toBe('x\ufffd');
});
