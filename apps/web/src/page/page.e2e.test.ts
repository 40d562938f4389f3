// The page in a real browser against a scripted model: say something, watch it stream, approve, deny, edit, stop, reload, attacks, widths, keyboard.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Script } from '@haft/agent/testing';
import { Tool, type ToolContext } from '@haft/core';
import { ChangeHistory, EditFile, ReadFile, WriteFile } from '@haft/plugin-fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../testdata/browser.js';
import { type WebFixture, openFixture } from '../testdata/web-fixture.js';

const attack = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script> [link](javascript:window.pwned=1) <svg/onload=window.pwned=1> </pre><b id=bold>';

@Tool('Says something dangerous.', { name: 'hostile', scopes: [] })
class Hostile {
  execute({ output }: ToolContext): string {
    output(attack);
    return attack;
  }
}

@Tool('Waits until it is stopped.', { name: 'wait', scopes: [] })
class Wait {
  execute({ signal, progress }: ToolContext): Promise<string> {
    progress({ done: 1, total: 3, note: 'steps' });
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  }
}

let browser: Browser;
let context: BrowserContext;
let fixture: WebFixture;
let page: Page;
let problems: string[];

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
});

afterEach(async () => {
  await context.close();
  await fixture.close();
  expect(problems).toEqual([]);
});

async function open(script: Script, options: { width?: number; height?: number; locale?: string; dark?: boolean } = {}): Promise<void> {
  fixture = await openFixture({ script, tools: [ReadFile, WriteFile, EditFile, Hostile, Wait], services: [ChangeHistory] });
  context = await browser.newContext({ viewport: { width: options.width ?? 1200, height: options.height ?? 800 }, locale: options.locale ?? 'en-GB', colorScheme: options.dark ? 'dark' : 'light' });
  page = await context.newPage();
  problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|ERR_/.test(message.text())) problems.push(message.text());
  });
  await page.goto(fixture.pageUrl);
  await page.getByRole('textbox', { name: /^(Message|消息)$/ }).waitFor();
}

async function say(text: string): Promise<void> {
  const box = page.getByRole('textbox', { name: /^(Message|消息)$/ });
  await box.fill(text);
  await box.press('Enter');
}

const answer = () => page.locator('.answer').last();
const writing = [{ calls: [{ name: 'write_file', arguments: { path: 'new.txt', content: 'hello\n' } }] }, { text: 'Finished.' }];

describe('a conversation', () => {
  test('what is said is answered in Markdown, with highlighted code, and stands in the list', async () => {
    await open([{ text: '## Plan\n\nSome **bold** text and `code`.\n\n- one\n- two\n\n```js\nconst answer = 42; // yes\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n' }]);
    await say('hello');
    await page.locator('.answer h3', { hasText: 'Plan' }).waitFor();
    await page.locator('.answer .hljs-keyword', { hasText: 'const' }).waitFor();
    expect(await page.locator('.answer strong').innerText()).toBe('bold');
    expect(await page.locator('.answer li').allInnerTexts()).toEqual(['one', 'two']);
    expect(await page.locator('.answer td').allInnerTexts()).toEqual(['1', '2']);
    await page.locator('#session-list .open', { hasText: 'hello' }).waitFor();
    expect(page.url()).not.toContain('token');
  });

  test('text streams in before the answer is whole', async () => {
    await open([{ calls: [{ name: 'wait' }], text: 'First I wait a moment. ' }]);
    await say('go');
    await page.locator('.answer', { hasText: 'First I wait' }).waitFor();
    await page.locator('.tool[data-status="running"]', { hasText: '1 / 3 steps' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.tool[data-status="cancelled"]').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  });

  test('Shift+Enter breaks the line, Escape stops', async () => {
    await open([{ calls: [{ name: 'wait' }] }]);
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.pressSequentially('one');
    await box.press('Shift+Enter');
    await box.pressSequentially('two');
    await box.press('Enter');
    await page.locator('.tool[data-status="running"]').waitFor();
    expect(await page.locator('.user .text').innerText()).toBe('one\ntwo');
    await box.press('Escape');
    await page.locator('.tool[data-status="cancelled"]').waitFor();
  });

  test('a message that is sent while the model works waits above the box, is read with the next step, and stands in the conversation', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => { release = resolve; });
    await open(async (_request, index) => {
      if (index === 0) await gate;
      return index === 0 ? { calls: [{ name: 'read_file', arguments: { path: 'nothing' } }] } : { text: `Answer ${index}.` };
    });
    await say('begin');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await say('and be brief');
    await page.locator('#queue li', { hasText: 'and be brief' }).waitFor();
    release();
    await answer().filter({ hasText: 'Answer 1.' }).waitFor();
    expect(await page.locator('#queue li').count()).toBe(0);
    expect(await page.locator('.user .text').allInnerTexts()).toEqual(['begin', 'and be brief']);
    expect(JSON.stringify(fixture.modelRequests[1]?.messages)).toContain('and be brief');
    await page.reload();
    await page.locator('.user', { hasText: 'and be brief' }).waitFor();
  });

  test('/compact turns older messages into notes with the next message; /clear begins a new conversation', async () => {
    const answers = ['long words '.repeat(4_000), 'and more '.repeat(4_000), 'NOTES of it.', 'Short now.'];
    await open(answers.map((text) => ({ text })));
    await say('one');
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await page.locator('.answer:not(.open)').waitFor();
    await say('two');
    await page.locator('.answer:not(.open)').nth(1).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await say('/compact');
    await page.locator('#usage', { hasText: 'older ones become notes' }).waitFor();
    await say('three');
    await page.locator('.note', { hasText: 'Older turns were summarised' }).waitFor();
    await answer().filter({ hasText: 'Short now.' }).waitFor();
    expect(JSON.stringify(fixture.modelRequests.at(-1)?.messages)).toContain('NOTES of it.');
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await say('/clear');
    await page.locator('.answer').first().waitFor({ state: 'detached' });
    expect(fixture.modelRequests).toHaveLength(4);
  });

  test('a picture is attached, shown, and reaches the model', async () => {
    await open([{ text: 'A picture.' }]);
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await page.locator('#file').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(data, 'base64') });
    await page.locator('.thumb img').waitFor();
    await say('what is this?');
    await page.locator('.user img').waitFor();
    await answer().filter({ hasText: 'A picture.' }).waitFor();
    expect(fixture.modelRequests[0]?.messages.at(-1)).toMatchObject({ role: 'user', content: expect.arrayContaining([{ type: 'image', mediaType: 'image/png', data }]) });
    await page.reload();
    await page.locator('.user img').waitFor();
  });
});

describe('approval', () => {
  test('shows what will be written and why it is asked; once runs it', async () => {
    await open(writing);
    await say('write');
    const card = page.getByRole('group', { name: /write_file/ });
    await card.waitFor();
    expect(await card.innerText()).toMatch(/hello/);
    expect(await card.innerText()).toMatch(/new\.txt/);
    expect(existsSync(join(fixture.root, 'new.txt'))).toBe(false);
    await card.getByRole('button', { name: 'Once' }).click();
    await answer().filter({ hasText: 'Finished.' }).waitFor();
    expect(readFileSync(join(fixture.root, 'new.txt'), 'utf8')).toBe('hello\n');
    expect(await page.locator('.approval').count()).toBe(0);
  });

  test('no, with a reason that the model reads', async () => {
    await open(writing);
    await say('write');
    const card = page.getByRole('group', { name: /write_file/ });
    await card.getByRole('textbox', { name: /Why not/ }).fill('wrong folder');
    await card.getByRole('button', { name: 'No', exact: true }).click();
    await page.locator('.tool[data-status="error"]', { hasText: 'approval_declined' }).waitFor();
    expect(await page.locator('.tool .result').innerText()).toContain('wrong folder');
    expect(existsSync(join(fixture.root, 'new.txt'))).toBe(false);
  });

  test('edited arguments are what runs, after they were asked again', async () => {
    await open(writing);
    await say('write');
    const card = page.getByRole('group', { name: /write_file/ });
    await card.getByRole('button', { name: 'Edit arguments' }).click();
    await card.getByRole('textbox', { name: 'Arguments' }).fill('{"path":"other.txt","content":"edited\\n"}');
    await card.getByRole('button', { name: 'Run with these arguments' }).click();
    await page.locator('.approval', { hasText: 'other.txt' }).getByRole('button', { name: 'Once' }).click();
    await answer().filter({ hasText: 'Finished.' }).waitFor();
    expect(readFileSync(join(fixture.root, 'other.txt'), 'utf8')).toBe('edited\n');
    expect(existsSync(join(fixture.root, 'new.txt'))).toBe(false);
  });

  test('an edit of a file shows its diff, before and after', async () => {
    await open([{ calls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] }, { calls: [{ name: 'edit_file', arguments: { path: 'notes.txt', old_text: 'first', new_text: 'second' } }] }, { text: 'Edited.' }]);
    await say('edit');
    const card = page.getByRole('group', { name: /edit_file/ });
    await card.waitFor();
    expect(await card.locator('.removed').allInnerTexts()).toEqual([expect.stringContaining('-first line')]);
    expect(await card.locator('.added').allInnerTexts()).toEqual([expect.stringContaining('+second line')]);
    await card.getByRole('button', { name: 'Once' }).click();
    await answer().filter({ hasText: 'Edited.' }).waitFor();
    expect(await page.locator('.tool .added').last().innerText()).toContain('+second line');
  });
});

describe('reload and network', () => {
  test('a reload in mid-run brings back all of it, and nothing twice', async () => {
    await open([{ text: 'Before the tool. ', calls: [{ name: 'wait' }] }, { text: 'never' }]);
    await say('go');
    await page.locator('.tool[data-status="running"]').waitFor();
    await page.reload();
    await page.locator('.tool[data-status="running"]').waitFor();
    expect(await page.locator('.user').count()).toBe(1);
    expect(await page.locator('.answer').count()).toBe(1);
    expect(await page.locator('.tool').count()).toBe(1);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.tool[data-status="cancelled"]').waitFor();
  });

  test('a reload while a question is open shows it again, and it can be answered', async () => {
    await open(writing);
    await say('write');
    await page.getByRole('group', { name: /write_file/ }).waitFor();
    await page.reload();
    await page.getByRole('group', { name: /write_file/ }).getByRole('button', { name: 'Once' }).click();
    await answer().filter({ hasText: 'Finished.' }).waitFor();
    expect(readFileSync(join(fixture.root, 'new.txt'), 'utf8')).toBe('hello\n');
  });

  test('a cut of the network is said, and mended without losing or doubling anything', async () => {
    await open([{ text: 'one' }, { text: 'two' }]);
    await say('first');
    await answer().filter({ hasText: 'one' }).waitFor();
    fixture.wire.cut();
    await page.locator('#connection', { hasText: 'Connection lost' }).waitFor();
    fixture.wire.mend();
    await page.locator('#connection').waitFor({ state: 'hidden' });
    await say('second');
    await answer().filter({ hasText: 'two' }).waitFor();
    expect(await page.locator('.user .text').allInnerTexts()).toEqual(['first', 'second']);
    expect(await page.locator('.answer').allInnerTexts()).toEqual(['one', 'two']);
  });

  test('a cut in mid-stream: the rest comes when the wire is mended', async () => {
    await open([{ text: 'Before the cut. ', calls: [{ name: 'wait' }] }]);
    await say('go');
    await page.locator('.tool[data-status="running"]').waitFor();
    fixture.wire.cut();
    await page.locator('#connection', { hasText: 'Connection lost' }).waitFor();
    fixture.wire.mend();
    await page.locator('#connection').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.tool[data-status="cancelled"]').waitFor();
    expect(await page.locator('.user').count()).toBe(1);
    expect(await page.locator('.answer').allInnerTexts()).toEqual(['Before the cut.']);
  });

  test('a finished conversation is the same after a reload', async () => {
    await open([{ calls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] }, { text: 'It has **one** line.' }]);
    await say('read');
    await answer().filter({ hasText: 'one line' }).waitFor();
    await page.reload();
    await answer().filter({ hasText: 'one line' }).waitFor();
    expect(await page.locator('.tool[data-status="success"]').count()).toBe(1);
  });
});

describe('what models and tools say is text', () => {
  test('no markup of theirs runs or shows as markup, also in questions, arguments and titles', async () => {
    await open([{ text: attack, calls: [{ name: 'hostile' }, { name: 'write_file', arguments: { path: '<img src=x onerror=pwned=1>.txt', content: attack } }] }, { text: `${attack}\n\n\`\`\`html\n${attack}\n\`\`\`` }]);
    await say(attack);
    await page.getByRole('group', { name: /write_file/ }).waitFor();
    await page.getByRole('group', { name: /write_file/ }).getByRole('button', { name: 'No', exact: true }).click();
    await page.locator('.answer .code').waitFor();
    await page.locator('#session-list .open').first().waitFor();
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(await page.locator('#log script, #log svg, #log b, #log [onerror], #log img').count()).toBe(0);
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    expect(await page.locator('.user .text').innerText()).toContain('<script>');
  });
});

describe('for everyone', () => {
  test.each([360, 768, 1440])('at %i pixels nothing sticks out, and targets are large enough', async (width) => {
    await open([{ text: `${'word '.repeat(60)}\n\n\`\`\`\n${'x'.repeat(400)}\n\`\`\`\n${'超长文字'.repeat(100)}`, calls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] }, { text: 'ok' }], { width, height: 740 });
    expect(await page.locator('#text').evaluate((box) => box.scrollHeight - box.clientHeight)).toBeLessThanOrEqual(0);
    await say('go');
    await answer().filter({ hasText: 'ok' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const small = await page.locator('button:visible').evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect()).filter((box) => box.width < 44 || box.height < 44).length);
    expect(small).toBe(0);
  });

  test.each([['light', false], ['dark', true]])('no accessibility fault that a checker can see (%s)', async (_name, dark) => {
    await open(writing, { dark });
    await say('write');
    await page.getByRole('group', { name: /write_file/ }).waitFor();
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    await page.evaluate(axe);
    const violations = await page.evaluate("axe.run().then((result) => result.violations.map((found) => found.id + ': ' + found.nodes.map((node) => node.target.join(' ')).join(', ')))");
    expect(violations).toEqual([]);
  });

  test('by keyboard alone: the question is reached by Tab, and the focus comes back to the message box', async () => {
    await open(writing);
    await say('write');
    await page.getByRole('group', { name: /write_file/ }).waitFor();
    const once = page.getByRole('button', { name: 'Once' });
    for (let presses = 0; presses < 40 && !(await once.evaluate((node) => node.matches(':focus'))); presses += 1) await page.keyboard.press('Shift+Tab');
    expect(await once.evaluate((node) => node.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    await answer().filter({ hasText: 'Finished.' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Message' }).evaluate((node) => node.matches(':focus'))).toBe(true);
  });

  test('finished sentences are announced, not every token', async () => {
    await open([{ text: 'The first sentence. The second one.', delivery: { deltaChars: 3 } }]);
    await say('go');
    await answer().filter({ hasText: 'second one.' }).waitFor();
    await page.locator('#announcer', { hasText: /The second one\.$/ }).waitFor({ state: 'attached' });
    expect(await page.locator('#log').getAttribute('aria-live')).toBe('off');
  });

  test('Chinese for those whose browser asks for it', async () => {
    await open([{ text: '你好' }], { locale: 'zh-CN' });
    await say('你好');
    await answer().filter({ hasText: '你好' }).waitFor();
    expect(await page.getByRole('button', { name: '新对话' }).count()).toBe(1);
    expect(await page.locator('html').getAttribute('lang')).toBe('zh');
  });
});

describe('the list of conversations', () => {
  test('new, search, open again, delete', async () => {
    await open((_request, index) => ({ text: `answer ${index}` }));
    await say('about apples');
    await answer().filter({ hasText: 'answer 0' }).waitFor();
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.locator('.answer').waitFor({ state: 'detached' });
    await say('about pears');
    await answer().filter({ hasText: 'answer 1' }).waitFor();
    await page.getByRole('searchbox').fill('apples');
    await page.locator('#session-list li').filter({ hasText: 'apples' }).waitFor();
    await page.locator('#session-list .open', { hasText: 'apples' }).click();
    await page.locator('.user', { hasText: 'about apples' }).waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: /Delete: .*apples/ }).click();
    await page.getByRole('searchbox').fill('');
    await page.locator('#session-list .open', { hasText: 'pears' }).waitFor();
    expect(await page.locator('#session-list .open', { hasText: 'apples' }).count()).toBe(0);
  });
});

test('a picture of the page for the documentation', async () => {
  await open(
    [
      { text: 'I will look at the file first.', calls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] },
      { text: 'It has one line. I would change it like this:', calls: [{ name: 'edit_file', arguments: { path: 'notes.txt', old_text: 'first line', new_text: 'A better first line' } }] },
    ],
    { width: 1100, height: 760 },
  );
  await say('Make the first line of notes.txt better.');
  await page.getByRole('group', { name: /edit_file/ }).waitFor();
  const folder = join(dirname(fileURLToPath(import.meta.url)), '../../../../docs/images');
  mkdirSync(folder, { recursive: true });
  const shot = await page.screenshot(process.env['UPDATE_SCREENSHOT'] === undefined ? {} : { path: join(folder, 'web.png') });
  expect(shot.length).toBeGreaterThan(10_000);
  expect(existsSync(join(folder, 'web.png'))).toBe(true);
});
