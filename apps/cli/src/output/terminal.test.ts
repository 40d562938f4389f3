// Which stream gets what, when there is colour, and who owns the last line.
import { expect, test } from '@jest/globals';
import { LiveLines } from './live-lines.js';
import { Terminal, type TerminalOptions } from './terminal.js';

class Writer {
  text = '';
  constructor(
    readonly isTTY: boolean,
    readonly columns = 80,
  ) {}

  write(text: string): boolean {
    this.text += text;
    return true;
  }
}

function open(options: TerminalOptions & { tty?: boolean } = {}): { terminal: Terminal; stdout: Writer; stderr: Writer } {
  const stdout = new Writer(options.tty ?? true);
  const stderr = new Writer(options.tty ?? true);
  return { terminal: new Terminal({ stdin: { isTTY: options.tty ?? true }, stdout, stderr, env: {}, ...options }), stdout, stderr };
}

test.each([
  ['a terminal', {}, true],
  ['a pipe', { tty: false }, false],
  ['NO_COLOR', { env: { NO_COLOR: '1' } }, false],
  ['an empty NO_COLOR', { env: { NO_COLOR: '' } }, true],
  ['TERM=dumb', { env: { TERM: 'dumb' } }, false],
  ['FORCE_COLOR in a pipe', { tty: false, env: { FORCE_COLOR: '1' } }, true],
  ['NO_COLOR against FORCE_COLOR', { env: { NO_COLOR: '1', FORCE_COLOR: '1' } }, false],
  ['--color always in a pipe', { tty: false, color: 'always' }, true],
  ['--color always against NO_COLOR', { color: 'always', env: { NO_COLOR: '1' } }, true],
  ['--color never', { color: 'never' }, false],
] as const)('colour: %s', (_name, options, colored) => {
  const { terminal } = open(options);
  expect(terminal.colors.red('x')).toBe(colored ? '\x1b[31mx\x1b[39m' : 'x');
});

test('the answer goes to stdout, everything else to stderr; --quiet keeps notes away, not errors', () => {
  const loud = open();
  loud.terminal.answer('answer');
  loud.terminal.note('note');
  expect([loud.stdout.text, loud.stderr.text]).toEqual(['answer', 'note\n']);
  const { terminal, stdout, stderr } = open({ quiet: true });
  terminal.answer('answer');
  terminal.note('note');
  terminal.show('shown');
  terminal.say('error\n');
  expect([stdout.text, stderr.text]).toEqual(['answer', 'error\n']);
});

test('sentences of its own are broken between words on a narrow terminal, and nowhere else', () => {
  const narrow = { isTTY: true, columns: 20, text: '', write(text: string): boolean { this.text += text; return true; } };
  new Terminal({ stdin: {}, stdout: narrow, stderr: narrow, env: {} }).tell('one sentence that is longer than that');
  expect(narrow.text).toBe('one sentence that is\n  longer than that\n');
  const { terminal, stderr } = open({ tty: false });
  terminal.sayLine('words '.repeat(40).trim());
  expect(stderr.text).toBe(`${'words '.repeat(40).trim()}\n`);
});

test('live lines are gone before anything else is written, and stay away from a question, a pipe and a dumb terminal', () => {
  const { terminal, stderr } = open();
  const live = new LiveLines(terminal);
  live.show(() => ['working']);
  live.draw();
  terminal.note('done');
  expect(stderr.text).toBe('working\r\x1b[Kdone\n');
  const stopAsking = terminal.startAsking();
  live.draw();
  expect(stderr.text).not.toMatch(/working$/);
  stopAsking();
  live.draw();
  expect(stderr.text).toMatch(/working$/);
  live.hide();
  for (const options of [{ tty: false }, { env: { TERM: 'dumb' } }, { env: { CI: '1' } }]) {
    const plain = open(options);
    const lines = new LiveLines(plain.terminal);
    lines.show(() => ['working']);
    lines.draw();
    lines.hide();
    expect(plain.stderr.text).toBe('');
  }
});

test('a note that comes while a question is open waits for the answer, so that it does not stand in its line', () => {
  const { terminal, stderr } = open();
  const stopAsking = terminal.startAsking();
  terminal.say('question > ');
  terminal.note('result');
  terminal.say('y\n');
  stopAsking();
  expect(stderr.text).toBe('question > y\nresult\n');
});

test('notes that come while a line is typed wait for its end', () => {
  const { terminal, stderr } = open();
  const release = terminal.holdNotes();
  terminal.note('later');
  expect(stderr.text).toBe('');
  release();
  expect(stderr.text).toBe('later\n');
});

test('a person can be asked only where both ends are a terminal', () => {
  expect(open().terminal.interactive).toBe(true);
  expect(open({ stdin: { isTTY: false } }).terminal.interactive).toBe(false);
  expect(open({ stderr: new Writer(false) }).terminal.interactive).toBe(false);
});
