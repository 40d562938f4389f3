// Markdown in a terminal: what is shown, that no text is lost, and that wide characters keep their place.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stripVTControlCharacters } from 'node:util';
import { createColors } from '../colors.js';
import { widthOf } from '../width.js';
import { MarkdownStream } from './stream.js';

function render(text: string, { columns = 80, color = false, cut = text.length } = {}): string {
  const stream = new MarkdownStream(createColors(color), () => columns);
  let shown = '';
  for (let at = 0; at < text.length; at += Math.max(1, cut)) shown += stream.push(text.slice(at, at + Math.max(1, cut)));
  return shown + stream.end();
}

test('headings, emphasis, lists, quotes, links and rules', () => {
  const text = '# Title\n\nSome **bold**, *soft* and `code`, [a page](http://x.test/).\n\n- one\n- two\n  more\n\n3. three\n4. four\n\n> said\n\n- [x] done\n- [ ] open\n\n---\n';
  expect(render(text)).toBe(
    'Title\n\nSome bold, soft and code, a page (http://x.test/).\n\n• one\n• two\n  more\n\n3. three\n4. four\n\n│ said\n\n• [x] done\n• [ ] open\n\n────────────────────────────────────────\n',
  );
});

test('code is shown line by line as it is, with colours that change no character', () => {
  const code = 'const a = "x"; // why\n/* b\n c */ return 42;\n\n# not a heading';
  const shown = render(`before\n\n\`\`\`ts\n${code}\n\`\`\`\nafter`, { color: true });
  expect(stripVTControlCharacters(shown)).toBe(`before\n\n${code.replace(/^/gm, '  ')}\n\nafter\n`);
  expect(shown).toContain(createColors(true).green('"x"'));
  expect(shown).toContain(createColors(true).dim('// why'));
});

test('an unfinished fence loses nothing', () => {
  expect(render('```\nhalf')).toBe('  half\n');
});

test('where the text is cut into deltas makes no difference', () => {
  const text = '# A\n\npara *x*\n\n```js\nlet a;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- x\n- y\n';
  fc.assert(fc.property(fc.integer({ min: 1, max: 20 }), (cut) => expect(render(text, { cut })).toBe(render(text))));
});

describe('while a block is written', () => {
  function liveAfter(text: string, columns = 80): readonly string[] {
    const stream = new MarkdownStream(createColors(false), () => columns);
    stream.push(text);
    return stream.live();
  }

  test('its text so far is shown, word by word', () => {
    expect(liveAfter('One two thr')).toEqual(['One two thr']);
    expect(liveAfter('Before.\n\n- one\n- tw')).toEqual(['', '• one', '• tw']);
    expect(liveAfter('# A tit')).toEqual(['A tit']);
    expect(liveAfter('```js\nlet a;\nlet b')).toEqual(['  let b']);
  });

  test.each([
    ['so **bold te', 'so bold te'],
    ['so **bold** and *', 'so bold and'],
    ['call `run(', 'call run('],
    ['call `run()`', 'call run()'],
    ['a **', 'a'],
  ])('marks that are open do not show: %s', (text, shown) => {
    expect(liveAfter(text)).toEqual([shown]);
  });

  test('a table is announced and shown when it is whole; the beginning of a fence is not shown as text', () => {
    expect(liveAfter('| a | b |\n|---|---|\n| 1 | 2 |\n| 3')).toEqual(['… a table, 1 row so far']);
    expect(liveAfter('text\n``')).toEqual(['text']);
    expect(liveAfter('```\ncode\n``')).toEqual([]);
  });

  test('what is drawn at the end of a block is what stays', () => {
    const block = fc.array(fc.constantFrom('word', '中文', '**bold**', '`code`', 'longer-word-than-that', '\n- item', '\n'), { minLength: 1, maxLength: 30 });
    fc.assert(fc.property(block, fc.integer({ min: 12, max: 60 }), (parts, columns) => {
      const stream = new MarkdownStream(createColors(false), () => columns);
      const committed = stream.push(parts.join(' '));
      const live = stream.live().join('\n');
      const end = stream.end();
      expect(`${committed}${live}`.trimEnd()).toBe(`${committed}${end}`.trimEnd());
    }));
  });
});

test('a list goes on behind empty lines and code, with its numbers and indentation', () => {
  const text = '1. one\n\n   ```js\n   let a;\n   ```\n\n2. two\n   - inner\n\n   more\n\nAfter.';
  expect(render(text)).toBe('1. one\n\n     let a;\n\n2. two\n\n   • inner\n\n   more\n\nAfter.\n');
});

describe('CLI-06: wide and combined characters', () => {
  test('600 wide characters without blanks are wrapped by display width, and none is lost', () => {
    const text = '中'.repeat(600);
    const lines = render(text, { columns: 40 }).trimEnd().split('\n');
    expect(lines.join('')).toBe(text);
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(40);
  });

  test('emoji families and combining accents are not taken apart', () => {
    const text = '👩‍👩‍👧‍👦é'.repeat(40);
    const lines = render(text, { columns: 40 }).trimEnd().split('\n');
    expect(lines.join('')).toBe(text);
    for (const line of lines) expect(line).not.toMatch(/^(\u200d|\u0301)|\u200d$/);
  });

  test('the columns of a table stand under each other by display width', () => {
    const shown = render('| 名前 | b |\n|---|---|\n| 中文字 | x |\n| ab | y |\n').trimEnd().split('\n');
    const bars = shown.map((line) => widthOf(line.slice(0, line.search(/[│┼]/))));
    expect(new Set(bars).size).toBe(1);
  });

  test('a table that is too wide becomes a list of its cells', () => {
    expect(render('| name | what |\n|---|---|\n| a | ' + 'long '.repeat(20) + '|\n', { columns: 40 })).toContain('name: a\nwhat: long');
  });
});
