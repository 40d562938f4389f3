// Files that a message mentions, as the model gets them, from the prompt of a conversation and from the command line.
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReplFixture, userTexts } from '../../test/repl-fixture.js';

const fixture = new ReplFixture();
const { haft, project } = fixture;
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

writeFileSync(join(project, 'two words.txt'), 'blank\n');
writeFileSync(join(project, 'secret.env'), 'KEY=1\n');
writeFileSync(join(project, 'dot.png'), pixel);
mkdirSync(join(project, 'folder'));
writeFileSync(join(project, 'folder', 'inner.txt'), 'x\n');
writeFileSync(join(project, 'long.txt'), 'a line\n'.repeat(5_000));

afterEach(() => fixture.closeAll());
afterAll(() => haft.remove());

test('a text file, a folder and an image go with the message, and it is said what was attached', async () => {
  const { screen, server } = await fixture.start([{ text: 'Seen.' }]);
  screen.send('compare @a.txt, @"two words.txt" and @folder with @dot.png');
  const text = await screen.waitFor('Seen.');
  expect(text).toMatch(/\+ @a\.txt, {2}3 lines/);
  expect(text).toMatch(/\+ @"two words\.txt" {2}1 line/);
  expect(text).toMatch(/\+ @folder {2}folder, 1 entr/);
  expect(text).toMatch(/\+ @dot\.png {2}image, 1 × 1/);
  const sent = JSON.stringify(userTexts(server));
  expect(sent).toContain('three');
  expect(sent).toContain('inner.txt');
  expect(sent).toContain(pixel.toString('base64'));
  expect(sent).toContain('compare @a.txt');
});

test('what is denied, outside or missing is told and not sent; an escaped at sign is text', async () => {
  const { screen, server } = await fixture.start([{ text: 'Seen.' }], ['--deny', 'read_file(**/*.env)'], {});
  await screen.waitFor(/^> *$/m);
  screen.send('@secret.env @../agent.log @nothere.txt \\@a.txt mail me@a.txt @Injectable()');
  const text = await screen.waitFor('Seen.');
  expect(text).toMatch(/@secret\.env is not attached: .*den/);
  expect(text).toMatch(/@\.\.\/agent\.log is not attached: .*outside the workspace/);
  expect(text).toMatch(/@nothere\.txt: there is no such file here/);
  expect(text).not.toMatch(/Injectable\(\) ?:/);
  expect(userTexts(server)).toEqual(['@secret.env @../agent.log @nothere.txt @a.txt mail me@a.txt @Injectable()']);
});

test('of a long file the beginning goes, and how to read on; a range of lines is a range', async () => {
  const { screen, server } = await fixture.start([{ text: 'Seen.' }]);
  screen.send('@long.txt @a.txt:2-3');
  const text = await screen.waitFor('Seen.');
  expect(text).toMatch(/\+ @long\.txt {2}lines 1–2000 of 5000; the model can read on/);
  expect(text).toMatch(/\+ @a\.txt:2-3 {2}lines 2–3/);
  expect(JSON.stringify(userTexts(server))).toMatch(/2\\tb?two|two/);
  expect(JSON.stringify(userTexts(server))).not.toContain('\\tone');
});

test('one-shot: words are looked through, what is piped in is not; the offline stand-in is sent no image', async () => {
  const { stdout, stderr } = await haft.run(['--trust', '-m', 'offline', '-p', 'say @dot.png @folder'], { cwd: project, input: 'piped @a.txt\n' });
  expect(stderr).toMatch(/@dot\.png is not attached: this model cannot see images/);
  expect(stderr).toMatch(/\+ @folder/);
  expect(stderr).not.toMatch(/@a\.txt/);
  expect(stdout).toMatch(/Attached: folder/);
  const sessions = JSON.parse((await haft.run(['sessions', 'list', '--json'], { cwd: project })).stdout) as { id: string; title: string }[];
  expect(sessions.map(({ title }) => title)).toContainEqual(expect.stringMatching(/^say @dot\.png @folder(?! <attached)/));
  expect((await haft.run(['sessions', 'show', sessions[0]?.id.slice(0, 8) ?? ''], { cwd: project })).stdout).toContain('@folder');
  expect(await haft.run(['sessions', 'show', 's'], { cwd: project })).toMatchObject({ code: 2, stderr: expect.stringMatching(/sessions begin with "s"/) });
});

test('Tab completes a name with a blank so that it is found', async () => {
  const { screen } = await fixture.start([{ text: 'Seen.' }]);
  screen.type('see @tw');
  screen.press('Tab');
  await screen.waitFor('> see @"two words.txt"');
  screen.press('Enter');
  await screen.waitFor(/\+ @"two words\.txt"/);
});
