// The conversation in a real pseudo-terminal, with a scripted model behind a real HTTP server.
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReplFixture } from '../../test/repl-fixture.js';
import { Screen } from '../../test/screen.js';

const fixture = new ReplFixture();
const { haft, project } = fixture;
const start = fixture.start.bind(fixture);

afterEach(() => fixture.closeAll());
afterAll(() => haft.remove());

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
    await screen.answer('y');
    await screen.waitFor('Done.');
    expect(readFileSync(join(project, 'made.txt'), 'utf8')).toBe('hello\n');
  });

  test('an approval declined with a reason: the model reads the reason', async () => {
    const { screen, server } = await start([{ calls: [{ name: 'write_file', arguments: { path: 'no.txt', content: '' } }] }, { text: 'Understood.' }]);
    screen.send('make it');
    await screen.waitFor('[y] once');
    await screen.answer('N');
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
    await screen.answer('e');
    await screen.waitFor(/Arguments: .*"content":"a"/);
    screen.press('BSpace', 'BSpace', 'BSpace');
    screen.send('XYZ"}');
    await screen.waitFor(/\+XYZ/);
    await screen.answer('y');
    await screen.waitFor('Done.');
    expect(readFileSync(join(project, 'edited.txt'), 'utf8')).toBe('XYZ');
  });

  test('"always" is stored, listed and can be revoked', async () => {
    const { screen } = await start([{ calls: [{ name: 'write_file', arguments: { path: 'grant.txt', content: '1' } }] }, { text: 'First.' }]);
    screen.send('make it');
    await screen.waitFor('[p] always');
    await screen.answer('p');
    await screen.waitFor('First.');
    const listed = JSON.parse((await haft.run(['--trust', 'permissions', 'list', '--json'], { cwd: project })).stdout) as { grants: { id: string; rule: string }[] };
    expect(listed.grants.map(({ rule }) => rule)).toEqual(['write_file(grant.txt)']);
    const call = ['--trust', 'tools', 'call', 'write_file', '{"path":"grant.txt","content":"2"}'];
    expect((await haft.run(call, { cwd: project })).code).toBe(0);
    expect((await haft.run(['permissions', 'revoke', listed.grants[0]?.id ?? ''], { cwd: project })).code).toBe(0);
    expect((await haft.run(call, { cwd: project })).code).toBe(5);
  });

  test('a grant for this session is listed with the command that takes it back', async () => {
    const { screen } = await start([{ calls: [{ name: 'write_file', arguments: { path: 'once.txt', content: '1' } }] }, { text: 'First.' }]);
    screen.send('make it');
    await screen.waitFor('[a] this session');
    await screen.answer('a');
    await screen.waitFor('First.');
    screen.send('/permissions');
    const [, id = ''] = /\/revoke (g\w+)/.exec(await screen.waitFor(/\/revoke g\w+ takes/)) ?? [];
    screen.send(`/revoke ${id}`);
    await screen.waitFor(`revoked ${id}`);
    screen.send(`/revoke ${id}`);
    await screen.waitFor(`There is no grant ${id}`);
  });

  test('a model that is not known is blamed on /model', async () => {
    const { screen } = await start([], [], { env: { BASE_URL: '', MODEL: 'offline' } });
    screen.send('/model foo:bar');
    await screen.waitFor(/foo:bar" from \/model/);
    screen.send('/model');
    await screen.waitFor(/offline/);
  });

  test('sessions have dates; -c says what it goes on with', async () => {
    const first = await start([{ text: 'One.' }]);
    first.screen.send('the first question');
    await first.screen.waitFor('One.');
    first.screen.send('/sessions');
    await first.screen.waitFor(/\d{4}-\d\d-\d\d \d\d:\d\d  the first question/);
    first.screen.press('C-d');
    await first.screen.waitFor('exit status 0');
    const { screen } = await start([], ['-c']);
    await screen.waitFor(/Going on with "the first question" of \d{4}-/);
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
  await screen.waitFor('› use short words');
  screen.press('Enter');
  await screen.waitFor(/» use short words/);
  await screen.waitFor('[y] once');
  await screen.answer('y');
  await screen.waitFor(/✓ write_file/);
  screen.type('for the next turn');
  await screen.waitFor(/Read both\.[\s\S]*> for the next turn/);
  expect(JSON.stringify(server.requests[1]?.body)).toContain('use short words');
});

test('lines that are typed before the conversation is loaded, and before the program has the terminal, are carried out in order', async () => {
  const screen = fixture.keep(new Screen(haft, ['--trust', '-m', 'offline'], { cwd: project }));
  screen.send('/cost');
  await screen.waitFor(/\/help lists/);
  screen.send('/tools');
  await screen.waitFor(/0 tokens in[\s\S]*read_file \[read\]/);
});

test('sent during a turn: messages and commands are shown in order; a command waits for the end of the turn and never reaches the model', async () => {
  const { screen, server } = await start([{ calls: [{ name: 'slow' }] }, { text: 'Done with that.' }]);
  screen.send('begin');
  await screen.waitFor(/slow/);
  screen.send('first note');
  await screen.waitFor('» first note');
  screen.send('/cost');
  await screen.waitFor('» /cost');
  screen.send('second note');
  await screen.waitFor(/» first note\n» second note\n» \/cost \(after this turn\)/);
  screen.press('Escape');
  const text = await screen.waitFor(/^> first note\n… second note\n… \/cost$/m);
  expect(text).toMatch(/cancelled/);
  expect(JSON.stringify(server.requests)).not.toContain('/cost');
});

test('keys for the prompt that are pressed during a turn wait for it: Up brings the message back, Ctrl-D leaves', async () => {
  const { screen } = await start([{ text: 'One.', delayMs: 1_500 }, { text: 'Two.', delayMs: 1_500 }]);
  screen.send('begin');
  await screen.waitFor(/thinking/);
  screen.press('Up');
  await screen.waitFor(/One\.[\s\S]*> begin$/m);
  screen.press('Enter');
  await screen.waitFor(/> begin\n.*thinking/);
  screen.press('C-d');
  await screen.waitFor(/Two\.[\s\S]*exit status 0/);
});

test('/compact: older messages become notes with the next message', async () => {
  const answers = [{ text: 'long words '.repeat(4_000) }, { text: 'and more '.repeat(4_000) }, { text: 'NOTES of it.' }, { text: 'Short now.' }];
  const { screen, server } = await start(answers, [], { rows: 20 });
  screen.send('/compact');
  await screen.waitFor('nothing to compact');
  screen.send('one');
  await screen.waitFor(/in \/ \d+ out/);
  screen.send('two');
  await screen.waitUntil((text) => text.split(/in \/ \d+ out/).length === 3);
  screen.send('/compact');
  await screen.waitFor('With your next message older ones become notes');
  screen.send('three');
  await screen.waitFor('older messages were summarised');
  await screen.waitFor('Short now.');
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('NOTES of it.');
});

test('a command that is sent during a turn is carried out after it', async () => {
  const { screen, server } = await start([{ text: 'One.', delayMs: 1_500 }]);
  screen.send('begin');
  await screen.waitFor(/thinking/);
  screen.send('/cost');
  await screen.waitFor(/> \/cost\n1 turns?, 10 tokens in/);
  expect(server.requests).toHaveLength(1);
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
  const ask = (): Screen => fixture.keep(new Screen(haft, [], { cwd: own }));

  const first = ask();
  await first.waitFor(/is code that runs with your rights, and you have not agreed to it yet/);
  first.send('');
  await first.waitFor(/was not trusted[\s\S]*exit status 2/);
  const second = ask();
  await second.waitFor(/Trust it/);
  second.send('y');
  await second.waitFor(/agent\.config loaded/);
  await ask().waitFor(/agent\.config loaded/);
  writeFileSync(join(own, 'other.ts'), 'export const name: string = "two";');
  await ask().waitFor(/has changed since you agreed to it/);
});
