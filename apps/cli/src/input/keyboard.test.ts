// Keys reach the one who listens, whole and in order, however the terminal bundles them.
import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { Keyboard, keys } from './keyboard.js';

async function typed(input: PassThrough, ...chunks: string[]): Promise<void> {
  for (const chunk of chunks) input.write(chunk);
  await new Promise((done) => setImmediate(done));
}

test('two presses of Ctrl-C in one piece are two, also behind other keys', async () => {
  const input = new PassThrough();
  const seen: string[] = [];
  new Keyboard(input as never).listen((chunk) => seen.push(chunk));
  await typed(input, `${keys.ctrlC}${keys.ctrlC}`, `half a line${keys.ctrlC}y`);
  expect(seen).toEqual([keys.ctrlC, keys.ctrlC, 'half a line', keys.ctrlC, 'y']);
});

test('what comes in one piece with the key that ends a listener goes to the next one', async () => {
  const input = new PassThrough();
  const keyboard = new Keyboard(input as never);
  const seen: string[] = [];
  const release = keyboard.listen((chunk) => {
    seen.push(`first ${chunk}`);
    release();
  });
  await typed(input, `${keys.ctrlC}${keys.ctrlC}`);
  expect(seen).toEqual([`first ${keys.ctrlC}`]);
  keyboard.listen((chunk) => seen.push(`second ${chunk}`));
  await typed(input);
  expect(seen).toEqual([`first ${keys.ctrlC}`, `second ${keys.ctrlC}`]);
});

test('what comes while nobody listens is kept for the next one while the keyboard is held, and what is given back comes first', async () => {
  const input = new PassThrough();
  const keyboard = new Keyboard(input as never);
  const seen: string[] = [];
  const release = keyboard.hold();
  await typed(input, 'between');
  keyboard.putBack(['before']);
  keyboard.listen((chunk) => seen.push(chunk));
  await typed(input, 'after');
  release();
  expect(seen).toEqual(['before', 'between', 'after']);
});

test('lent to another program, the terminal is not read', async () => {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { setRawMode: (raw: boolean) => modes.push(raw) });
  const keyboard = new Keyboard(input as never);
  keyboard.hold();
  await keyboard.lend(() => {
    expect(input.isPaused()).toBe(true);
    return Promise.resolve();
  });
  expect(input.isPaused()).toBe(false);
  expect(modes).toEqual([true, false, true]);
});
