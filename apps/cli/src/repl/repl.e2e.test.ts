// The conversation in a real pseudo-terminal, with a scripted model behind a real HTTP server.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type ModelServer, type Script, startModelServer } from '@haft/agent/testing';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HaftHome } from '../../test/haft-process.js';
import { Screen, type ScreenOptions } from '../../test/screen.js';

const haft = new HaftHome();
const project = join(haft.folder, 'project');
const open: { close(): void | Promise<void> }[] = [];

beforeAll(() => {
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'a.txt'), 'one\ntwo\nthree\n');
  writeFileSync(join(project, 'slow.txt'), '');
  writeFileSync(
    join(project, 'agent.config.ts'),
    `import { defineConfig } from '@haft/cli';
import { definePlugin, tool } from '@haft/core';
import { fs } from '@haft/plugin-fs';
const slow = tool({ name: 'slow', description: 'Waits.', scopes: [], parameters: { type: 'object', properties: {} } }, (_args, context) =>
  new Promise((resolve, reject) => { const timer = setTimeout(resolve, 60_000); context.signal.addEventListener('abort', () => { clearTimeout(timer); reject(context.signal.reason); }); }));
export default defineConfig({ plugins: [fs(), definePlugin({ name: 'slow', tools: [slow] })()] });
`,
  );
});
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});
afterAll(() => haft.remove());

interface Session {
  screen: Screen;
  server: ModelServer;
}

async function start(script: Script, args: readonly string[] = [], options: Partial<ScreenOptions> = {}): Promise<Session> {
  const server = await startModelServer(script);
  const env = { BASE_URL: server.openaiBaseURL, MODEL: 'openai:scripted', ...options.env };
  const screen = new Screen(haft, ['--trust', ...args], { cwd: project, ...options, env });
  open.push(screen, server);
  if (args.length === 0) await screen.waitFor(/^> *$/m);
  return { screen, server };
}

function userTexts({ requests }: ModelServer): unknown[] {
  return ((requests.at(-1)?.body.messages ?? []) as { role: string; content: unknown }[]).filter(({ role }) => role === 'user').map(({ content }) => content);
}

describe('a conversation', () => {
  test('an answer, a tool call in one line, the footer; q leaves with 0', async () => {
    const { screen } = await start([{ text: 'Reading.', calls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] }, { text: 'It has **three** lines.', usage: { input: 30, output: 5 } }]);
    screen.send('what is in a.txt?');
    const text = await screen.waitFor(/in \/ \d+ out/);
    expect(text).toMatch(/Reading\./);
    expect(text).toMatch(/✓ read_file a\.txt/);
    expect(text).toMatch(/It has three lines\./);
    screen.send('q');
    await screen.waitFor('exit status 0');
  });

  test('an approval: y runs it, the diff was shown first', async () => {
    const { screen } = await start([{ calls: [{ name: 'write_file', arguments: { path: 'made.txt', content: 'hello\n' } }] }, { text: 'Done.' }]);
    screen.send('make it');
    const asked = await screen.waitFor('[y] once');
    expect(asked).toMatch(/write_file wants to run/);
    expect(asked).toMatch(/\+hello/);
    expect(existsSync(join(project, 'made.txt'))).toBe(false);
    await sleep(300);
    screen.type('y');
    await screen.waitFor('Done.');
    expect(readFileSync(join(project, 'made.txt'), 'utf8')).toBe('hello\n');
  });

  test('an approval declined with a reason: the model reads the reason', async () => {
    const { screen, server } = await start([{ calls: [{ name: 'write_file', arguments: { path: 'no.txt', content: '' } }] }, { text: 'Understood.' }]);
    screen.send('make it');
    await screen.waitFor('[y] once');
    await sleep(300);
    screen.type('N');
    await screen.waitFor('Reason');
    screen.send('not in this folder');
    await screen.waitFor('Understood.');
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('not in this folder');
    expect(existsSync(join(project, 'no.txt'))).toBe(false);
  });

  test('an edited call runs as edited, and is asked again', async () => {
    const { screen } = await start([{ calls: [{ name: 'write_file', arguments: { path: 'edited.txt', content: 'a' } }] }, { text: 'Done.' }]);
    screen.send('make it');
    await screen.waitFor('[e] edit');
    await sleep(300);
    screen.type('e');
    await screen.waitFor(/Arguments: .*"content":"a"/);
    screen.press('BSpace', 'BSpace', 'BSpace');
    screen.send('XYZ"}');
    await screen.waitFor(/\+XYZ/);
    await sleep(300);
    screen.type('y');
    await screen.waitFor('Done.');
    expect(readFileSync(join(project, 'edited.txt'), 'utf8')).toBe('XYZ');
  });

  test('"always" is stored, listed and can be revoked', async () => {
    const { screen } = await start([{ calls: [{ name: 'write_file', arguments: { path: 'grant.txt', content: '1' } }] }, { text: 'First.' }]);
    screen.send('make it');
    await screen.waitFor('[p] always');
    await sleep(300);
    screen.type('p');
    await screen.waitFor('First.');
    const listed = JSON.parse((await haft.run(['--trust', 'permissions', 'list', '--json'], { cwd: project })).stdout) as { grants: { id: string; rule: string }[] };
    expect(listed.grants.map(({ rule }) => rule)).toEqual(['write_file(grant.txt)']);
    const call = ['--trust', 'tools', 'call', 'write_file', '{"path":"grant.txt","content":"2"}'];
    expect((await haft.run(call, { cwd: project })).code).toBe(0);
    expect((await haft.run(['permissions', 'revoke', listed.grants[0]?.id ?? ''], { cwd: project })).code).toBe(0);
    expect((await haft.run(call, { cwd: project })).code).toBe(5);
  });

  test('slash commands, and a mistyped one with the nearest', async () => {
    const { screen, server } = await start([]);
    screen.send('/tools');
    await screen.waitFor(/read_file \[read\]/);
    screen.send('/halp');
    await screen.waitFor(/Did you mean "\/help"/);
    screen.send('/cost');
    await screen.waitFor('0 tokens in');
    expect(server.requests).toHaveLength(0);
  });

  test('history comes back with Up, also in the next start; Tab completes commands and @files', async () => {
    const first = await start([{ text: 'One.' }]);
    first.screen.send('remember this line');
    await first.screen.waitFor('One.');
    first.screen.press('C-d');
    await first.screen.waitFor('exit status 0');
    const { screen } = await start([{ text: 'Two.' }]);
    screen.press('Up');
    await screen.waitFor('> remember this line');
    screen.press('C-u');
    screen.type('see @a.t');
    screen.press('Tab');
    await screen.waitFor('> see @a.txt');
    screen.press('C-u');
    screen.type('/permi');
    screen.press('Tab');
    await screen.waitFor('> /permissions');
  });
});

test('what is typed during a turn is lost in no case: Enter sends it to the model at its next step, the rest waits at the prompt', async () => {
  const { screen, server } = await start([{ calls: [{ name: 'write_file', arguments: { path: 'steer.txt', content: '' } }], delayMs: 1_500 }, { text: 'Read both.', delayMs: 1_500 }]);
  screen.send('begin');
  await screen.waitFor(/thinking/);
  screen.type('use short words');
  await sleep(300);
  screen.press('Enter');
  await screen.waitFor(/» use short words/);
  await screen.waitFor('[y] once');
  await sleep(300);
  screen.type('y');
  await screen.waitFor(/✓ write_file/);
  screen.type('for the next turn');
  await screen.waitFor(/Read both\.[\s\S]*> for the next turn/);
  expect(JSON.stringify(server.requests[1]?.body)).toContain('use short words');
});

test('Ctrl-O shows the last tool results above the line that is typed', async () => {
  const { screen } = await start([{ calls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] }, { text: 'Read.' }]);
  screen.send('read');
  await screen.waitFor('Read.');
  screen.type('half a line');
  screen.press('C-o');
  const text = await screen.waitFor(/three[\s\S]*> half a line/);
  expect(text).toMatch(/read_file a\.txt\n[\s\S]*two/);
});

test('the trust question: no leaves, yes is remembered until the config or a file it imports changes', async () => {
  const own = join(haft.folder, 'untrusted');
  mkdirSync(own);
  writeFileSync(join(own, 'other.ts'), 'export const name: string = "one";');
  writeFileSync(join(own, 'agent.config.ts'), "import { name } from './other.js';\nexport default { name, model: 'offline' };");
  const ask = (): Screen => {
    const screen = new Screen(haft, [], { cwd: own });
    open.push(screen);
    return screen;
  };
  const first = ask();
  await first.waitFor(/is code that runs with your rights, and has not been run before/);
  first.send('');
  await first.waitFor(/was not trusted[\s\S]*exit status 2/);
  const second = ask();
  await second.waitFor(/Load it/);
  second.send('y');
  await second.waitFor(/agent\.config loaded/);
  await ask().waitFor(/agent\.config loaded/);
  writeFileSync(join(own, 'other.ts'), 'export const name: string = "two";');
  await ask().waitFor(/has changed since you trusted it/);
});

describe('CLI-03: Ctrl-C', () => {
  test('during a tool stops the turn, the history stays valid, the next message works', async () => {
    const { screen, server } = await start([{ calls: [{ name: 'slow' }] }, { text: 'Still here.' }]);
    screen.send('wait');
    await screen.waitFor(/slow/);
    await sleep(500);
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
    const { screen } = await start([{ calls: [{ name: 'write_file', arguments: { path: 'never.txt', content: '' } }] }, { text: 'Next answer.' }]);
    screen.send('make it');
    await screen.waitFor('[y] once');
    screen.press('C-c');
    await screen.waitFor(/^> *$/m);
    expect(existsSync(join(project, 'never.txt'))).toBe(false);
    screen.send('again');
    await screen.waitFor('Next answer.');
  });

  test('at the empty prompt: a hint, twice leaves with 130; on a typed line it clears the line', async () => {
    const { screen, server } = await start([]);
    screen.type('half a message');
    screen.press('C-c');
    await screen.waitFor(/Ctrl-C again/);
    await sleep(2_200);
    screen.press('C-c');
    await sleep(200);
    screen.press('C-c');
    await screen.waitFor('exit status 130');
    expect(server.requests).toHaveLength(0);
  });

  test('twice quickly during a turn leaves at once with 130', async () => {
    const { screen } = await start([{ calls: [{ name: 'slow' }] }]);
    screen.send('wait');
    await screen.waitFor(/slow/);
    await sleep(500);
    screen.press('C-c', 'C-c');
    await screen.waitFor(/exit status 130|^> *$/m);
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
    await sleep(300);
    screen.paste('y\ny\ny\n', false);
    await sleep(500);
    expect(existsSync(join(project, 'pasted.txt'))).toBe(false);
    screen.type('n');
    await screen.waitFor('Refused.');
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
