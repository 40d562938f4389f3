// What becomes the prompt of a one-shot run.
import { expect, test } from '@jest/globals';
import { PassThrough, Readable } from 'node:stream';
import { promptFromInput } from './piped-input.js';

const silent = (): void => undefined;

test('words, piped text, or both with the piped text as a block', async () => {
  expect(await promptFromInput(' do it ', Object.assign(new PassThrough(), { isTTY: true }), silent)).toBe('do it');
  expect(await promptFromInput('', Readable.from(['from ', 'a pipe\n']), silent)).toBe('from a pipe');
  expect(await promptFromInput('review', Readable.from(['a\nb\n']), silent)).toBe('review\n\n<stdin>\na\nb\n</stdin>');
  expect(await promptFromInput('review', Readable.from([]), silent)).toBe('review');
});

test('a character that is cut by a chunk is whole', async () => {
  const bytes = Buffer.from('中文');
  expect(await promptFromInput('', Readable.from([bytes.subarray(0, 2), bytes.subarray(2)]), silent)).toBe('中文');
});

test('PERM-04: an open pipe that says nothing does not hold up a prompt, and it is said', async () => {
  const notes: string[] = [];
  expect(await promptFromInput('go', new PassThrough(), (note) => notes.push(note))).toBe('go');
  expect(notes.join()).toContain('nothing came on stdin');
});

test('input without end is cut, and it is said', async () => {
  const notes: string[] = [];
  const endless = Readable.from(
    (function* () {
      for (;;) yield 'y\n'.repeat(10_000);
    })(),
  );
  const prompt = await promptFromInput('go', endless, (note) => notes.push(note));
  expect(prompt.length).toBeLessThan(1_001_000);
  expect(prompt).toContain('[cut here');
  expect(notes.join()).toContain('longer than');
});
