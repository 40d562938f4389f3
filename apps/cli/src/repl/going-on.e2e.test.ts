// What a conversation tells of itself while it goes on: the mode, the model, several questions of one turn, and where it was when it is taken up again.
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ReplFixture } from '../../test/repl-fixture.js';

const fixture = new ReplFixture();
const { project } = fixture;

afterEach(() => fixture.closeAll());
afterAll(() => fixture.haft.remove());

const write = (path: string) => ({ name: 'write_file', arguments: { path, content: 'x\n' } });

test('/mode and Shift-Tab change what is asked, at once', async () => {
  const { screen } = await fixture.start([{ calls: [write('free.txt')] }, { text: 'Written.' }, { calls: [write('not.txt')] }, { text: 'Refused.' }]);
  screen.send('/mode auto-edt');
  await screen.waitFor(/no mode auto-edt\. Did you mean "auto-edit"/);
  screen.send('/mode auto-edit');
  await screen.waitFor('mode auto-edit: writing inside the workspace is allowed');
  screen.send('write');
  await screen.waitFor('Written.');
  expect(existsSync(join(project, 'free.txt'))).toBe(true);
  await screen.waitFor(/^auto-edit > *$/m);
  screen.type('half');
  screen.press('BTab');
  await screen.waitFor(/mode read-only: nothing but reading[^\n]*\nread-only > half$/m);
  screen.press('Enter');
  const text = await screen.waitFor('Refused.');
  expect(text).toMatch(/permission_denied[\s\S]*only reading is allowed/);
  expect(existsSync(join(project, 'not.txt'))).toBe(false);
});

test('two questions in one turn: what the first call gives stands between them or after both, never in a question', async () => {
  const { screen } = await fixture.start([{ calls: [write('one.txt'), write('two.txt')] }, { text: 'Both.' }]);
  screen.send('write two');
  await screen.waitFor(/one\.txt[\s\S]*\[y\] once/);
  await screen.answer('y');
  await screen.waitFor(/two\.txt[\s\S]*\[y\] once[\s\S]* >$/);
  await screen.answer('y');
  const text = await screen.waitFor('Both.');
  expect(text).toMatch(/^✓ write_file one\.txt/m);
  expect(text).toMatch(/^✓ write_file two\.txt/m);
  expect(text.match(/ > y$/gm)).toHaveLength(2);
});

test('-c shows the last question and answer before the first line is typed', async () => {
  const first = await fixture.start([{ text: 'It is **forty-two**.' }]);
  first.screen.send('what is the answer?');
  await first.screen.waitFor('forty-two');
  first.screen.press('C-d');
  await first.screen.waitFor('exit status 0');
  const { screen } = await fixture.start([], ['-c']);
  await screen.waitFor(/> what is the answer\?\nIt is forty-two\.\nGoing on with "what is the answer\?"/);
});

test('/model says who answers from now on', async () => {
  const { screen } = await fixture.start([]);
  screen.send('/model offline');
  await screen.waitFor(/offline:?\w* answers from now on/);
});

test('after a crash -c says at once that the last run was interrupted; /continue asks nothing that was answered', async () => {
  const first = await fixture.start([{ calls: [{ name: 'slow_asked' }] }]);
  first.screen.send('wait for it');
  await first.screen.waitFor('[y] once');
  await first.screen.answer('y');
  await first.screen.waitFor(/slow_asked · \d/);
  first.screen.kill();
  await first.screen.waitFor('exit status 137');
  const { screen } = await fixture.start([{ text: 'Going **on**.' }], ['-c']);
  await screen.waitFor(/> wait for it\n[\s\S]*was interrupted: \/continue goes on with it/);
  screen.send('/continue');
  const text = await screen.waitFor('Going on.');
  await screen.waitFor(/^> *$/m);
  expect(text).toMatch(/✗ slow_asked .*interrupted/);
  expect(screen.text()).not.toMatch(/\[y\] once|stopped/);
});
