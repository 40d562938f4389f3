// The line editor in a real terminal: $EDITOR, several lines, wide characters at the edge, search, a terminal that changes its width.
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReplFixture, userTexts } from '../../test/repl-fixture.js';

const fixture = new ReplFixture();
const { haft, project } = fixture;
const start = fixture.start.bind(fixture);

afterEach(() => fixture.closeAll());
afterAll(() => haft.remove());

/** An editor: a program that gets the file's name. */
function editor(name: string, body: string): string {
  const path = join(haft.folder, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

const leftovers = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('haft-edit-'));

describe('$EDITOR', () => {
  test('Ctrl-G edits the message, of several lines; Enter sends it', async () => {
    const { screen, server } = await start([{ text: 'Got it.' }], [], { env: { EDITOR: `${editor('append', 'printf "second line\\n第三行\\n" >> "$1"')}` } });
    screen.type('begun here ');
    screen.press('C-g');
    await screen.waitFor(/> begun here second line\n… 第三行$/m);
    screen.press('Enter');
    await screen.waitFor('Got it.');
    expect(userTexts(server)).toEqual(['begun here second line\n第三行']);
    expect(leftovers()).toEqual([]);
  });

  test.each([
    ['fails', 'false', /The editor "false" \(\$EDITOR\) ended with status 1; the text is as it was/],
    ['is missing', 'no-such-editor --wait', /The editor "no-such-editor --wait" \(\$EDITOR\) was not found/],
    ['is not set', '', /No editor is set: put one in \$EDITOR or \$VISUAL/],
  ])('one that %s says so, and nothing is lost', async (_name, command, message) => {
    const { screen, server } = await start([{ text: 'Got it.' }], [], { env: { EDITOR: command } });
    screen.type('half a thought');
    screen.press('C-x', 'C-e');
    await screen.waitFor(message);
    await screen.waitFor(/> half a thought$/m);
    screen.type(', whole');
    screen.press('Enter');
    await screen.waitFor('Got it.');
    expect(userTexts(server)).toEqual(['half a thought, whole']);
  });

  test('at an approval it edits the arguments, one a line; what is no JSON is told and can be edited further', async () => {
    const edit = editor('replace', 'if [ -e "$0.once" ]; then sed -i "s/broken/\\"edited\\"/" "$1"; else touch "$0.once"; grep -q "^  \\"content\\": \\"a\\"" "$1" && sed -i "s/\\"a\\"/broken/" "$1"; fi');
    const { screen } = await start([{ calls: [{ name: 'write_file', arguments: { path: 'args.txt', content: 'a' } }] }, { text: 'Done.' }], [], { env: { VISUAL: edit } });
    screen.send('make it');
    await screen.waitFor('[e] edit');
    await screen.answer('e');
    await screen.waitFor(/Arguments: .*"content":"a"/);
    screen.press('C-g');
    await screen.waitFor(/"content": broken/);
    screen.press('Enter');
    await screen.waitFor('That is not a JSON object');
    screen.press('C-g');
    await screen.waitFor(/"content": "edited"/);
    screen.press('Enter');
    await screen.waitFor(/\+edited/);
    await screen.answer('y');
    await screen.waitFor('Done.');
    expect(readFileSync(join(project, 'args.txt'), 'utf8')).toBe('edited');
  });
});

describe('CLI-06: wide characters at 40 columns', () => {
  test('one that does not fit the last column is redrawn where it stands, whatever is edited', async () => {
    const { screen, server } = await start([{ text: 'Good.' }], [], { columns: 40, rows: 20 });
    screen.type(`a${'中'.repeat(22)}`);
    await screen.waitFor(new RegExp(`^> a${'中'.repeat(18)}\\n中中中中$`, 'm'));
    screen.press('Left', 'Left', 'Left', 'Left', 'Left');
    screen.type('x');
    await screen.waitFor(new RegExp(`^> a${'中'.repeat(17)}x中\\n中中中中$`, 'm'));
    screen.press('BSpace', 'End', 'BSpace');
    await screen.waitFor(new RegExp(`^> a${'中'.repeat(18)}\\n中中中$`, 'm'));
    screen.press('C-a', 'Delete');
    await screen.waitFor(new RegExp(`^> ${'中'.repeat(19)}\\n中中$`, 'm'));
    screen.press('Enter');
    await screen.waitFor('Good.');
    expect(userTexts(server)).toEqual(['中'.repeat(21)]);
  });
});

test('Alt-Enter, Ctrl-J and a backslash begin a new line; Up moves between lines, then through earlier messages', async () => {
  const { screen, server } = await start([{ text: 'One.' }, { text: 'Two.' }]);
  screen.type('first');
  screen.press('M-Enter');
  await screen.waitFor(/> first\n…$/m);
  screen.type('second');
  await screen.waitFor(/… second$/m);
  screen.press('C-j');
  await screen.waitFor(/… second\n…$/m);
  screen.type('third\\');
  await screen.waitFor(/… third\\$/m);
  screen.press('Enter');
  await screen.waitFor(/… third\n…$/m);
  screen.type('fourth');
  await screen.waitFor(/> first\n… second\n… third\n… fourth$/m);
  screen.press('Up', 'Up', 'Up');
  screen.press('C-a');
  screen.type('very ');
  await screen.waitFor(/> very first\n… second/m);
  screen.press('Enter');
  await screen.waitFor('One.');
  expect(userTexts(server)).toEqual(['very first\nsecond\nthird\nfourth']);
  await screen.waitFor(/^> *$/m);
  screen.press('Up');
  await screen.waitUntil((text) => text.split('> very first\n… second\n… third\n… fourth').length === 3);
  screen.press('C-c');
  await screen.waitFor(/Ctrl-C again/);
  screen.press('C-r');
  await screen.waitFor(/\(search\) :/);
  screen.type('cond');
  await screen.waitFor(/\(search\) cond: very first/);
  screen.press('Enter');
  await screen.waitFor('Two.');
});

test('a terminal that changes its width redraws the line that is typed, once', async () => {
  const { screen } = await start([], [], { columns: 100, rows: 20 });
  const text = Array.from({ length: 30 }, (_, index) => `w${index}`).join(' ');
  screen.type(text);
  await screen.waitFor(/w29$/m);
  for (const columns of [120, 80, 40, 90]) {
    screen.resize(columns, 20);
    await screen.waitUntil(() => {
      const shown = screen.visible();
      const from = shown.lastIndexOf('> w0');
      return from >= 0 && shown.slice(from + 2).replaceAll('\n', '') === text && shown.split('w29').length === 2;
    }, `the line once at ${columns} columns`);
  }
});

test('a text that is higher than the screen is seen around the cursor', async () => {
  const { screen, server } = await start([{ text: 'Long.' }], [], { columns: 40, rows: 10, env: { EDITOR: editor('long', 'seq 1 50 > "$1"') } });
  screen.press('C-g');
  await screen.waitFor(/… 50$/m);
  screen.press(...Array.from({ length: 30 }, () => 'Up'));
  await screen.waitUntil(() => /… 20$/m.test(screen.visible()));
  screen.press('Enter');
  await screen.waitFor('Long.');
  expect(userTexts(server)).toEqual([Array.from({ length: 50 }, (_, index) => index + 1).join('\n')]);
});
