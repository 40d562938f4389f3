// What a terminal does to a conversation, and what text may do to a terminal: interrupts, pastes, control sequences, wide characters.
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReplFixture, userTexts } from '../../test/repl-fixture.js';

const fixture = new ReplFixture();
const { haft, project } = fixture;
const start = fixture.start.bind(fixture);

afterEach(() => fixture.closeAll());
afterAll(() => haft.remove());

describe('CLI-03: Ctrl-C', () => {
  test('during a tool stops the turn, the history stays valid, the next message works', async () => {
    const { screen, server } = await start([{ calls: [{ name: 'slow' }] }, { text: 'Still here.' }]);
    screen.send('wait');
    await screen.waitFor(/slow · \d/);
    const pressed = Date.now();
    screen.press('C-c');
    await screen.waitFor(/cancelled/);
    expect(Date.now() - pressed).toBeLessThan(10_000);
    await screen.waitFor(/^> *$/m);
    screen.send('are you there?');
    await screen.waitFor('Still here.');
    expect(server.requests.map(({ refused }) => refused)).toEqual([undefined, undefined]);
    expect(JSON.stringify(server.requests.at(-1)?.body)).toMatch(/cancelled/);
  });

  test('while the answer streams', async () => {
    const { screen, server } = await start([{ text: 'word '.repeat(2_000), fault: { kind: 'trickle', everyMs: 2 } }, { text: 'Next answer.' }]);
    screen.send('talk');
    await screen.waitFor(/word/);
    screen.press('C-c');
    await screen.waitFor(/stopping/);
    await screen.waitFor(/^> *$/m);
    screen.send('again');
    await screen.waitFor('Next answer.');
    expect(server.requests.map(({ refused }) => refused)).toEqual([undefined, undefined]);
  });

  test('at an approval stops the turn; nothing was run', async () => {
    const { screen, server } = await start([{ calls: [{ name: 'write_file', arguments: { path: 'never.txt', content: '' } }] }, { text: 'Next answer.' }]);
    screen.send('make it');
    await screen.waitFor('[y] once');
    screen.press('C-c');
    await screen.waitFor(/^> *$/m);
    expect(existsSync(join(project, 'never.txt'))).toBe(false);
    screen.send('again');
    await screen.waitFor('Next answer.');
    expect(server.requests.map(({ refused }) => refused)).toEqual([undefined, undefined]);
    expect(existsSync(join(project, 'never.txt'))).toBe(false);
  });

  test('at the empty prompt: a hint, twice leaves with 130; on a typed line it clears the line', async () => {
    const { screen, server } = await start([]);
    screen.type('half a message');
    screen.press('C-c');
    await screen.waitFor(/^> half a message\^C$/m);
    await screen.waitFor(/Ctrl-C again/);
    screen.press('C-c', 'C-c');
    await screen.waitFor('exit status 130');
    expect(server.requests).toHaveLength(0);
  });

  test('twice quickly during a turn leaves at once with 130', async () => {
    const { screen } = await start([{ calls: [{ name: 'slow' }] }]);
    screen.send('wait');
    await screen.waitFor(/slow · \d/);
    screen.press('C-c', 'C-c');
    await screen.waitFor('exit status 130');
  });
});

describe('CLI-04: pasting several lines', () => {
  test.each([true, false])('bracketed: %s: one request with three lines, no marks', async (bracketed) => {
    const { screen, server } = await start([{ text: 'Got it.' }]);
    screen.paste('l1\nl2\nl3', bracketed);
    await screen.waitFor('[pasted text #1, 3 lines]');
    screen.press('Enter');
    await screen.waitFor('Got it.');
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify(userTexts(server))).toContain('l1\\nl2\\nl3');
    expect(JSON.stringify(server.requests[0]?.body)).not.toMatch(/200~|201~|pasted text/);
  });

  test('a paste with "y" in it never answers an approval', async () => {
    const { screen } = await start([{ calls: [{ name: 'write_file', arguments: { path: 'pasted.txt', content: '' } }] }, { text: 'Refused.' }]);
    screen.send('make it');
    await screen.waitFor('[y] once');
    screen.paste('y\ny\ny\n', false);
    await screen.answer('n');
    await screen.waitFor('Refused.');
    expect(existsSync(join(project, 'pasted.txt'))).toBe(false);
  });
});

describe('CLI-01: what the model and tools write cannot control the terminal', () => {
  test('only escapes made by the command itself are written, also when split over deltas', async () => {
    const attack = '\x1b]52;c;aGk=\x07 \x1b]0;owned\x07 \x1b]8;;http://x.test\x1b\\link\x1b]8;;\x1b\\ \x1b[10A\x1b[2J \x1b[6n \x1bP1$r\x1b\\ \x1bc \u009b2J \u009d52;c;x a\rb c\bd \u202eabc';
    writeFileSync(join(project, 'attack.txt'), `${attack}\n`);
    const { screen } = await start([{ text: `visible start ${attack} visible end`, delivery: { deltaChars: 1 }, calls: [{ name: 'read_file', arguments: { path: 'attack.txt' } }, { name: `read\x1b[2J`, arguments: `{"\x1b]0;t\x07":1}` }] }, { text: `${attack}\n\nFinished.` }]);
    screen.send('go');
    await screen.waitFor('Finished.');
    const own = /\x1b\[(\?2004[hl]|[\d;]*m|\d*[KJGCDAB]|\d+;\d+H)|\r\n|\r/g;
    const foreign = screen.raw().replace(own, '');
    expect(foreign).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
    expect(screen.raw()).not.toMatch(/\x1b\[(2J|10A|6n)/);
    expect(screen.text()).toMatch(/visible start/);
    expect(screen.text()).toMatch(/visible end/);
  });
});

describe('CLI-06: wide characters', () => {
  test('600 wide characters and emoji families at 40 columns: nothing lost, nothing broken', async () => {
    const text = `${'中'.repeat(600)}👩‍👩‍👧‍👦é`;
    const { screen } = await start([{ text, delivery: { deltaChars: 1 } }], [], { columns: 40 });
    screen.send('speak');
    await screen.waitFor(/in \/ \d+ out/);
    const shown = screen.raw().replace(/\x1b\[[\d;?]*[A-Za-z]/g, '').replace(/[\r\n]/g, '');
    expect(shown).toContain('中'.repeat(600));
    expect(shown).toContain('👩‍👩‍👧‍👦');
    expect(shown).not.toContain('\ufffd');
  });

  test('deleting one wide character removes one', async () => {
    const { screen, server } = await start([{ text: 'Good.' }], [], { columns: 40 });
    screen.type('中文字');
    screen.press('BSpace');
    await screen.waitFor(/> 中文$/m);
    screen.press('Enter');
    await screen.waitFor('Good.');
    expect(JSON.stringify(userTexts(server))).toContain('中文');
    expect(JSON.stringify(userTexts(server))).not.toContain('中文字');
  });

  test('a resize between messages is followed', async () => {
    const { screen } = await start([{ text: '|a|b|\n|-|-|\n|1|2|\n\nEnd.' }], [], { columns: 100 });
    screen.resize(40, 20);
    screen.send('table');
    const text = await screen.waitFor('End.');
    expect(text).toMatch(/a │ b/);
  });
});
