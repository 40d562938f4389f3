// The line editor on a terminal that sends words whole, as an input method does.
import { expect, test } from '@jest/globals';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { KeySplitter } from './key-splitter.js';
import { Keyboard } from './keyboard.js';
import { LineEditor, type LineOutcome } from './line-editor.js';

const left = '\x1b[D';

function terminal(): { input: PassThrough; output: PassThrough; editor: LineEditor } {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { columns: 80, rows: 24 });
  output.resume();
  return { input, output, editor: new LineEditor(new Keyboard(input as never), output as never) };
}

async function readLine(...chunks: string[]): Promise<LineOutcome> {
  const { input, editor } = terminal();
  const line = editor.read({ prompt: '> ' });
  for (const chunk of chunks) {
    input.write(chunk);
    await new Promise((done) => setImmediate(done));
  }
  return line;
}

test('a word that comes in one piece goes in where the cursor is', async () => {
  expect(await readLine('读取文件', left, left, 'a.txt ', '\r')).toEqual({ kind: 'line', text: '读取a.txt 文件' });
});

test('keys among the text of one piece keep their order', async () => {
  expect(await readLine(`ab${left}cd${left}${left}ef\r`)).toEqual({ kind: 'line', text: 'aefcdb' });
});

test('a sequence that is cut anywhere does the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(12), { maxLength: 4 }), async (cuts) => {
      const text = 'xy\x1b[1;5Dab中';
      const points = [0, ...[...cuts].sort((a, b) => a - b), text.length];
      const chunks = points.slice(1).map((point, index) => text.slice(points[index], point));
      expect(await readLine(...chunks.filter((chunk) => chunk !== ''), '\r')).toEqual({ kind: 'line', text: 'ab中xy' });
    }),
    { numRuns: 50 },
  );
});

test('nothing is lost between the pieces of a chunk', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '中', '👩', '\x1b', '[', 'D', 'O', ';', '1', '\r', '\x7f') }), (text) => {
      const splitter = new KeySplitter();
      const joined = splitter.split(text).join('');
      expect(text.startsWith(joined)).toBe(true);
      expect(text.slice(joined.length)).toMatch(/^(?:\x1b+(?:[[O]\[?[0-9;]*)?)?$/);
    }),
  );
});

test('a tab completes only as the last key of a piece', () => {
  expect(new KeySplitter().split('a\tb\t')).toEqual(['a  b', '\t']);
});

test('many keys and many lines leave no listener behind', async () => {
  const warnings: string[] = [];
  const warned = (warning: Error): void => void warnings.push(warning.message);
  process.on('warning', warned);
  const { input, output, editor } = terminal();
  const before = output.listenerCount('resize');
  for (let index = 0; index < 12; index++) {
    const line = editor.read({ prompt: '> ' });
    for (const key of 'a line of more keys') {
      input.write(key);
      await new Promise((done) => setImmediate(done));
    }
    input.write('\r');
    expect(await line).toEqual({ kind: 'line', text: 'a line of more keys' });
  }
  process.off('warning', warned);
  expect(warnings).toEqual([]);
  expect(output.listenerCount('resize')).toBe(before);
});

test('a completion that fails is told, and what was typed stays', async () => {
  const { input, editor } = terminal();
  const line = editor.read({ prompt: '> ', complete: () => Promise.reject(new Error('the folder is gone')) });
  for (const key of ['go on', '\t']) {
    input.write(key);
    await new Promise((done) => setImmediate(done));
  }
  input.write('!\r');
  expect(await line).toEqual({ kind: 'line', text: 'go on!' });
});

test('Esc gives a reading up that says so', async () => {
  const { input, editor } = terminal();
  const line = editor.read({ prompt: 'Reason: ', escapeEnds: true });
  input.write('half');
  await new Promise((done) => setImmediate(done));
  input.write('\x1b');
  expect(await line).toEqual({ kind: 'end' });
});
