// Texts that are valid but unusual come through every tool as they are: marks and replacement characters in the middle, control characters,
// lone CRs, other line separators, noncharacters, long lines, and characters that lie across the borders at which files are read.
import { ToolBench } from '@haft/core/testing';
import { ProcessRunner } from '@haft/process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EditFile } from './edit/edit-file.js';
import { ChangeHistory } from './edit/change-history.js';
import { FsOptions } from './fs-options.js';
import { Grep } from './grep/grep.js';
import type { SearchResult } from './grep/search-tree.js';
import { ReadFile } from './read/read-file.js';
import type { ReadTextResult } from './read/read-text.js';
import { WriteFile } from './write/write-file.js';

const runner = new ProcessRunner();
let bench: ToolBench;
beforeAll(async () => {
  bench = await ToolBench.open({ tools: [ReadFile, WriteFile, EditFile, Grep], services: [new ChangeHistory(), runner, Object.assign(new FsOptions(), { searcher: 'builtin' })] });
});
afterAll(async () => {
  bench.close();
  await runner.dispose();
});

const piece = fc.constantFrom('\ufffd', '\ufeff', '\u2028', '\u2029', '\u0085', '\ufffe', '\uffff', '\u{10ffff}', '\u{1fffe}', '\r', '\t', '\v', '\f', '\u001b', '\b', 'a', 'word ', '中', 'é', 'e\u0301', '😀', '👩\u200d👧', '\u202e', '\u007f');
const line = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));

/** A text as it is drawn, so that a failure prints what matters and not what fills. */
interface Drawn {
  /** Bytes before the odd part: they end at every distance from the borders at which files are read. */
  border: number;
  off: number;
  fill: 'x' | '中' | 'line of text\n';
  lines: string[];
  end: '\n' | '\r\n';
  closed: boolean;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  border: fc.constantFrom(0, 0, 0, 16_384, 16_384, 32_768, 65_536, 294_912),
  off: fc.integer({ min: -6, max: 6 }),
  fill: fc.constantFrom('x', '中', 'line of text\n'),
  lines: fc.array(line, { minLength: 1, maxLength: 8 }),
  end: fc.constantFrom('\n', '\r\n'),
  closed: fc.boolean(),
});

function textOf({ border, off, fill, lines, end, closed }: Drawn): string {
  const width = Buffer.byteLength(fill);
  const bytes = Math.max(border + off, 0);
  const lead = border === 0 ? '' : fill.repeat(Math.floor(bytes / width)) + 'y'.repeat(bytes % width);
  return lead + lines.join(end) + (closed ? end : '');
}

/** A mark at the start is no part of the text; a start full of control characters is taken for binary. */
const isPlain = (one: Drawn) => {
  const content = textOf(one);
  return !content.startsWith('\ufeff') && (content.slice(0, 4_096).match(/[\0-\x06\x0e-\x1a\x1c-\x1f]/g)?.length ?? 0) < content.length / 20;
};

/** All of a file, by following the calls that each result gives to read on. */
async function readThrough(path: string, limit: number): Promise<string> {
  let call: object | undefined = { path, limit };
  const parts: string[] = [];
  let column = 1;
  while (call !== undefined) {
    const data = (await bench.call('read_file', call)).data as ReadTextResult | undefined;
    if (data === undefined) throw new Error(`not read: ${JSON.stringify(call)}`);
    parts.push(parts.length === 0 || column > 1 ? data.content : `\n${data.content}`);
    column = data.next?.column ?? 1;
    call = data.next && { limit, ...data.next };
  }
  return parts.join('');
}

test('read_file gives every character once, also by reading on', async () => {
  await fc.assert(
    fc.asyncProperty(drawn.filter(isPlain), async (one) => {
      const content = textOf(one);
      bench.put('f', content);
      const shown = content.replaceAll('\r\n', '\n').replace(/\n$/, '');
      // A line that is cut among others is not read on by itself.
      expect((await readThrough('f', one.fill.includes('\n') ? 2_000 : 1)) === shown).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('a lone CR at the end of a file is a character of its last line', async () => {
  bench.put('cr', 'a\rb\r');
  const { content, notes } = (await bench.call('read_file', { path: 'cr' })).data as ReadTextResult;
  expect([content, notes.join(' ')]).toEqual(['a\rb\r', expect.not.stringContaining('CR LF')]);
});

test('write_file writes exactly what it is given', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async (one) => {
      const content = textOf(one);
      expect((await bench.call('write_file', { path: 'w', content })).success).toBe(true);
      expect(bench.bytes('w').equals(Buffer.from(content, 'utf8'))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('edit_file changes the named text and not a byte more', async () => {
  await fc.assert(
    fc.asyncProperty(drawn.filter(isPlain), line.filter((part) => part !== ''), line, fc.nat(60), async (one, mark, put, where) => {
      const characters = Array.from(textOf(one));
      const at = Math.max(characters.length - where, 0);
      const marked = `${characters.slice(0, at).join('')}<${mark}>${characters.slice(at).join('')}`;
      bench.put('e', marked);
      const result = await bench.call('edit_file', { path: 'e', old_text: `<${mark}>`, new_text: `[${put}]` });
      expect([result.code, bench.read('e') === marked.replace(`<${mark}>`, () => `[${put}]`)]).toEqual([undefined, true]);
    }),
    { numRuns: 50 },
  );
});

test('grep finds the lines that hold a text, and no others', async () => {
  await fc.assert(
    fc.asyncProperty(drawn.filter(isPlain), line.filter((part) => part !== ''), async (one, wanted) => {
      const content = textOf(one);
      bench.put('g', content);
      const { data } = await bench.call('grep', { path: 'g', pattern: wanted, literal: true, limit: 1_000 });
      const lines = content.replace(/^\ufeff/, '').replace(/\n$/, '').split('\n');
      const expected = lines.flatMap((one, index) => (one.includes(wanted) ? [index + 1] : []));
      expect((data as SearchResult).total).toBe(expected.length);
      expect((data as SearchResult).matches.map((match) => match.line)).toEqual(expected.slice(0, 1_000));
    }),
    { numRuns: 50 },
  );
});

test('a long line of long characters is read through by its columns, and its length said to be about right while it is not known', async () => {
  const long = '中😀é'.repeat(200_000);
  bench.put('long', `${long}\nnext\n`);
  let column: number | undefined = 590_001;
  let tail = '';
  while (column !== undefined) {
    const data = (await bench.call('read_file', { path: 'long', limit: 1, column })).data as ReadTextResult;
    tail += data.content;
    column = data.next?.column;
  }
  expect(tail === long.slice(590_000)).toBe(true);
  expect(await bench.text('read_file', { path: 'long', limit: 2 })).toMatch(/Line 1: characters 1-2000 of about \d+\./);
});

test.each([
  ['write_file', { content: 'a\ud800b' }, 'content holds U+D800 at character 2'],
  ['edit_file', { old_text: 'x\udfffy', new_text: 'z' }, 'old_text holds U+DFFF at character 2'],
  ['edit_file', { edits: [{ old_text: 'x', new_text: 'z' }, { old_text: 'y', new_text: '\ud83d' }] }, 'new_text of edits[1] holds U+D83D at character 1'],
])('%s refuses half a character, which would be written as another one', async (tool, args, message) => {
  bench.put('h', 'x\ufffdy');
  expect(await bench.failure(tool, { path: 'h', ...args })).toEqual({ code: 'rule_violated', text: expect.stringContaining(message) });
  expect(bench.read('h')).toBe('x\ufffdy');
});
