// An answer on the screen while it is being written: the model falls silent in the middle of it, so that what is seen then does not depend on time.
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { ReplFixture } from '../../test/repl-fixture.js';

const fixture = new ReplFixture();
const start = fixture.start.bind(fixture);

afterEach(() => fixture.closeAll());
afterAll(() => fixture.haft.remove());

const words = Array.from({ length: 60 }, (_, index) => `word${index}`);
const paragraph = `Begin **${words.slice(0, 5).join(' ')}** ${words.slice(5).join(' ')}`;
/** About the first two hundred characters. */
const silence = { kind: 'silence', afterBytes: 5_000 } as const;

/** The words of the answer on the screen, in order. */
const shownWords = (screen: string): string[] => screen.match(/\bword\d+/g) ?? [];

describe.each([40, 80, 120])('at %d columns', (columns) => {
  test('a paragraph is seen before it is finished, each word once, also when the width changes and when it is stopped', async () => {
    const { screen } = await start([{ text: paragraph, fault: silence }], [], { columns, rows: 24 });
    screen.send('go');
    const seen = shownWords(await screen.waitFor(/word9 /));
    expect(seen).toEqual(words.slice(0, seen.length));
    // A terminal that becomes narrower may move rows into its history, out of reach: what is seen is what counts.
    screen.resize(columns === 40 ? 60 : 40, 24);
    screen.type('typed meanwhile');
    await screen.waitFor(/› typed meanwhile/);
    await screen.waitUntil(() => isRun(shownWords(screen.visible())) && screen.visible().split('Esc stops').length === 2, 'each word once');
    screen.press('Escape');
    await screen.waitFor(/^> typed meanwhile/m);
    expect(isRun(shownWords(screen.visible()))).toBe(true);
    expect(screen.text()).not.toContain('**');
  });
});

/** Words in their order, each once, from anywhere. */
function isRun(seen: readonly string[]): boolean {
  const from = words.indexOf(seen[0] ?? '');
  return seen.length > 9 && seen.every((word, index) => word === words[from + index]);
}

const isPrefix = (seen: readonly string[]): boolean => seen.length > 9 && seen.every((word, index) => word === words[index]);

test('code is seen line by line, the unfinished line as well', async () => {
  const text = `So:\n\n\`\`\`ts\n${words.slice(0, 20).map((word) => `const ${word} = 1;`).join('\n')}\n\`\`\`\n`;
  const { screen } = await start([{ text, fault: silence }], [], { columns: 60, rows: 24 });
  screen.send('go');
  const seen = await screen.waitFor(/ {2}const word5 = 1;/);
  expect(isPrefix([...shownWords(seen), ...words.slice(shownWords(seen).length, 10)])).toBe(true);
  expect(seen).not.toContain('```');
  screen.press('Escape');
  await screen.waitFor(/^> *$/m);
});

test('an answer that is longer than the screen is whole in the scrollback', async () => {
  const items = words.map((word) => `- ${word} of a list that has no empty lines`);
  const { screen } = await start([{ text: items.join('\n'), delivery: { deltaChars: 9 } }], [], { columns: 40, rows: 12 });
  screen.send('go');
  const text = await screen.waitFor(/in \/ \d+ out/);
  expect(shownWords(text)).toEqual(words);
});

test('with NO_COLOR it stays Markdown, without a colour, and the status line takes nothing of it away', async () => {
  const { screen } = await start([{ text: paragraph, fault: silence }], [], { columns: 40, rows: 24, env: { NO_COLOR: '1' } });
  screen.send('go');
  const seen = await screen.waitFor(/word9 /);
  expect(seen).toContain('**word0');
  await screen.waitFor(/working .* Esc stops/);
  expect(isPrefix(shownWords(screen.text()))).toBe(true);
  expect(screen.raw()).not.toMatch(/\x1b\[[\d;]*m/);
  screen.press('Escape');
  expect(isPrefix(shownWords(await screen.waitFor(/^> *$/m)))).toBe(true);
});
