// Keys typed during a turn.
import { expect, test } from '@jest/globals';
import { TypeAhead } from './type-ahead.js';

test('Enter sends what was typed; backspace takes one character, also a wide or joined one', () => {
  const typed = new TypeAhead();
  for (const key of ['s', 't', 'o', 'p', '中', '👩‍👩‍👧', '\x7f', '\x7f']) expect(typed.feed(key)).toBeUndefined();
  expect(typed.text).toBe('stop');
  expect(typed.feed('\r')).toBe('stop');
  expect(typed.text).toBe('');
  expect(typed.feed('\r')).toBeUndefined();
});

test('a burst with line ends inside is kept whole and not sent; control characters in it leave no trace', () => {
  const typed = new TypeAhead();
  expect(typed.feed('y\rrm -rf x\r')).toBeUndefined();
  expect(typed.text).toBe('y\nrm -rf x\n');
  typed.take();
  expect(typed.feed('\t\x01')).toBeUndefined();
  expect(typed.text).toBe('\t');
});

test('from the first key that only a prompt understands, all keys wait for it in order', () => {
  const typed = new TypeAhead();
  for (const key of ['a', '\x1b[D', 'b', '\r', '\x04']) expect(typed.feed(key)).toBeUndefined();
  expect(typed.take()).toBe('a');
  expect(typed.takeKeys()).toEqual(['\x1b[D', 'b', '\r', '\x04']);
  expect(typed.feed('c\x0f')).toBeUndefined();
  expect(typed.takeKeys()).toEqual(['\x0f']);
  expect(typed.text).toBe('c');
});
