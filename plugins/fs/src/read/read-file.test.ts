// read_file: windows of lines, encodings, images, and what is no text.
import { deflateSync } from 'node:zlib';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ToolBench } from '@haft/core/testing';
import { ReadFile } from './read-file.js';
import { execFileSync } from 'node:child_process';

let bench: ToolBench;
const shell = (line: string) => execFileSync('bash', ['-c', line], { cwd: bench.root });
beforeEach(async () => {
  bench = await ToolBench.open({ tools: [ReadFile] });
});
afterEach(() => bench.close());

const lines = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`).join('\n') + '\n';
const body = (text: string) => text.split('\n').slice(0, -1);

describe('lines', () => {
  test('READ-06: totals are true, nothing is promised beyond the end, emptiness is said', async () => {
    bench.put('ten.txt', lines(10));
    bench.put('nonl.txt', '1\n2\n3');
    bench.put('empty.txt', '');
    const whole = await bench.text('read_file', { path: 'ten.txt', limit: 10 });
    expect(body(whole)).toHaveLength(10);
    expect(whole).toContain('of 10');
    expect(whole).not.toMatch(/more|truncat|11|Go on/i);
    const past = await bench.failure('read_file', { path: 'ten.txt', offset: 11, limit: 5 });
    expect([past.code, past.text]).toEqual(['out_of_range', expect.stringContaining('10 lines')]);
    const unfinished = await bench.text('read_file', { path: 'nonl.txt' });
    expect(body(unfinished)).toEqual(['1\t1', '2\t2', '3\t3']);
    expect(unfinished).toContain('No line break at the end');
    expect(await bench.text('read_file', { path: 'empty.txt' })).toMatch(/empty/);
  });

  test('READ-07: offset and limit give exactly those lines, numbered', async () => {
    bench.put('l.txt', Array.from({ length: 12_000 }, (_, index) => `${index + 1} ${'x'.repeat(48)}\n`).join(''));
    const text = await bench.text('read_file', { path: 'l.txt', offset: 11_098, limit: 30 });
    const shown = body(text);
    expect(shown).toHaveLength(30);
    expect(shown[0]).toMatch(/^11098\t11098 x/);
    expect(shown.at(-1)).toMatch(/^11127\t11127 x/);
    expect(text).toContain('"offset":11128');
  });

  test('READ-12: numbers out of range are refused with the field\'s name', async () => {
    bench.put('f.txt', lines(5));
    for (const [field, value] of [['offset', -3], ['limit', 0], ['offset', 1.5], ['limit', 1e308]] as const) {
      const { code, text } = await bench.failure('read_file', { path: 'f.txt', [field]: value });
      expect([code, text]).toEqual(['invalid_arguments', expect.stringContaining(field)]);
    }
  });

  test('READ-05: a long line is cut with a call that reads on, to the very end', async () => {
    const json = JSON.stringify({ k: Array.from({ length: 60_000 }, (_, index) => `v${String(index).padStart(5, '0')}`) });
    bench.put('one.json', json);
    let args: object | undefined = { path: 'one.json' };
    let joined = '';
    for (let turn = 0; args !== undefined && turn < 50; turn++) {
      const result = await bench.call('read_file', args);
      const data = result.data as { content: string; next?: object };
      joined += data.content;
      const advised = /Go on with (\{.*\})\]$/.exec(result.content as string)?.[1];
      expect(advised === undefined ? undefined : JSON.parse(advised)).toEqual(data.next);
      args = data.next;
    }
    expect(joined).toBe(json);
  });

  test('following the advice of every call reads any text whole, in any pieces', async () => {
    const line = fc.oneof(fc.string({ maxLength: 12, unit: 'grapheme' }), fc.constant('中文'.repeat(3_000)), fc.constant('😀'.repeat(2_501)));
    await fc.assert(
      fc.asyncProperty(fc.array(line.map((text) => text.replaceAll(/[\r\n\0]/g, '')), { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), async (content, limit) => {
        fc.pre(content.join('\n') !== '');
        bench.put('any.txt', content.join('\n'));
        const parts: string[] = [];
        let args: { path: string; offset?: number; column?: number; limit?: number } | undefined = { path: 'any.txt', limit };
        while (args !== undefined) {
          const result = await bench.call('read_file', args);
          if (result.code === 'binary_file') return;
          const data = result.data as { content: string; next?: typeof args; notes: string[] };
          const isRest = (args.column ?? 1) > 1;
          if (isRest) parts[parts.length - 1] += data.content;
          else parts.push(...data.content.split('\n'));
          const rest = [...data.notes.join(' ').matchAll(/The rest: (\{.*?\})/g)].map((match) => JSON.parse(match[1] ?? '{}') as { offset: number });
          for (const more of rest) {
            const { data: tail } = await bench.call('read_file', more);
            parts[more.offset - 1] += (tail as { content: string }).content;
          }
          args = data.next && { ...data.next, limit: data.next.limit ?? limit };
        }
        expect(parts.join('\n') === content.join('\n').replace(/\n$/, '')).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('the end of a long line leads on to the lines after it', async () => {
    bench.put('mixed.txt', `${'a'.repeat(60_000)}\nlast\n`);
    const first = (await bench.call('read_file', { path: 'mixed.txt', limit: 1 })).data as { next: object };
    const second = (await bench.call('read_file', first.next)).data as { next: object };
    const third = (await bench.call('read_file', second.next)).data as { content: string; next?: object };
    expect([third.content, third.next]).toEqual(['last', undefined]);
  });

  test('a far line and the first lines of a large file are read in pieces', async () => {
    shell('seq 1 3000000 > big.txt');
    const head = (await bench.call('read_file', { path: 'big.txt', limit: 200 })).data as { lastLine: number; totalLines?: number };
    expect([head.lastLine, head.totalLines]).toEqual([200, undefined]);
    const before = process.memoryUsage().arrayBuffers;
    const far = (await bench.call('read_file', { path: 'big.txt', offset: 2_999_999 })).data as { content: string; totalLines: number };
    expect([far.content, far.totalLines]).toEqual(['2999999\n3000000', 3_000_000]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
  });
});

describe('encodings', () => {
  test('READ-08: Chinese text in GB18030 is decoded, and its encoding named', async () => {
    bench.put('gbk.txt', Buffer.from('d6d0cec4b2e2cad40a', 'hex'));
    expect(await bench.text('read_file', { path: 'gbk.txt' })).toMatch(/^1\t中文测试\n.*gb18030/);
  });

  test.each([
    ['UTF-16 with a mark', 'fffe68006900', 'hi', 'utf-16le'],
    ['UTF-16, big end first', 'feff4e2d6587', '中文', 'utf-16be'],
    ['UTF-8 with a mark', 'efbbbf6869', 'hi', 'byte order mark'],
    ['Western', '636166e92061', 'café a', 'windows-1252'],
  ])('%s', async (_name, hex, content, note) => {
    bench.put('f.txt', Buffer.from(hex, 'hex'));
    const text = await bench.text('read_file', { path: 'f.txt' });
    expect(body(text)).toEqual([`1\t${content}`]);
    expect(text).toContain(note);
  });

  test.each([
    ['alone', '\ufffd'],
    ['in a line', 'a \ufffd b\nnext\n'],
    ['in the first bytes of a long line', `\ufffd${'中'.repeat(400_000)}\n`],
  ])('U+FFFD that is written in a text is text: %s', async (_name, text) => {
    bench.put('f.txt', text);
    const result = await bench.text('read_file', { path: 'f.txt' });
    expect(result).toContain('\ufffd');
    expect(result).not.toContain('mean nothing');
  });

  test.each([1, 2, 3])('a very long line may be cut within a character by the reading (%i bytes in)', async (shift) => {
    bench.put('long.txt', `${'x'.repeat(shift)}${'中'.repeat(1_000_000)}\nlast`);
    expect(await bench.text('read_file', { path: 'long.txt' })).toMatch(/\n2\tlast\n/);
  });

  test('bytes that mean nothing are said', async () => {
    bench.put('late.txt', Buffer.concat([Buffer.from('a\n'.repeat(20_000)), Buffer.from('ff0a', 'hex')]));
    expect((await bench.failure('read_file', { path: 'late.txt', offset: 20_001 })).code).toBe('unknown_encoding');
    bench.put('half.txt', Buffer.from('fffe610000d86200', 'hex'));
    expect(await bench.text('read_file', { path: 'half.txt' })).toMatch(/mean nothing in utf-16le and are shown as U\+FFFD/);
  });

  test('what cannot be told is asked for, and read when it is named', async () => {
    const japanese = Buffer.from('93fa967b8cea82c5817582a082a2817682c68f91', 'hex');
    bench.put('sjis.txt', japanese);
    const { code, text } = await bench.failure('read_file', { path: 'sjis.txt' });
    expect([code, text]).toEqual(['unknown_encoding', expect.stringContaining('"encoding"')]);
    expect(await bench.text('read_file', { path: 'sjis.txt', encoding: 'shift_jis' })).toContain('日本語');
    expect((await bench.failure('read_file', { path: 'sjis.txt', encoding: 'klingon' })).text).toContain('gb18030');
  });
});

describe('what is no text', () => {
  test('READ-11: folder, missing, binary, no permission: plain and different messages', async () => {
    shell("mkdir d; head -c 4096 /dev/urandom > r.bin; printf 'a\\0b' > nul.txt");
    const failures = await Promise.all(['d', 'nope.txt', 'r.bin', 'nul.txt'].map((path) => bench.failure('read_file', { path })));
    expect(failures.map(({ code }) => code)).toEqual(['not_a_file', 'not_found', 'binary_file', 'binary_file']);
    expect(new Set(failures.map(({ text }) => text)).size).toBe(4);
    for (const { text } of failures) {
      expect(text).not.toMatch(/^ {4}at /m);
      expect(text).not.toContain(bench.base);
      expect(text.length).toBeLessThan(1_000);
    }
  });

  test('READ-10: an image is given as one only when its bytes are one', async () => {
    bench.put('fake.png', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    bench.put('cut.png', Buffer.from('89504e470d0a1a0a', 'hex'));
    bench.put('p.jpg', '%PDF-1.4');
    bench.put('half.png', png(4, 4).subarray(0, 50));
    bench.put('flipped.png', flipped(png(4, 4)));
    const fake = await bench.call('read_file', { path: 'fake.png' });
    expect([fake.success, fake.content]).toEqual([true, expect.stringContaining('this is text, not an image')]);
    for (const [path, what] of [['cut.png', 'cut short'], ['p.jpg', 'PDF'], ['half.png', 'cut short'], ['flipped.png', 'checksum']] as const) {
      const { code, text } = await bench.failure('read_file', { path });
      expect([path, code, text]).toEqual([path, 'binary_file', expect.stringContaining(what)]);
    }
  });

  test('a true PNG and GIF are given as images', async () => {
    bench.put('a.txt', png(3, 2));
    bench.put('b.gif', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'));
    const image = await bench.call('read_file', { path: 'a.txt' });
    expect(image.content).toEqual([expect.objectContaining({ text: expect.stringContaining('3 × 2') }), { type: 'image', mediaType: 'image/png', data: png(3, 2).toString('base64') }]);
    expect((await bench.call('read_file', { path: 'b.gif' })).content).toContainEqual(expect.objectContaining({ mediaType: 'image/gif' }));
  });

  test('pipes and sockets are refused at once', async () => {
    shell('mkfifo pipe');
    const server = createServer().listen(join(bench.root, 'sock'));
    expect((await bench.failure('read_file', { path: 'pipe' })).code).toBe('not_a_file');
    expect((await bench.failure('read_file', { path: 'sock' })).code).toBe('not_a_file');
    await new Promise((resolve) => server.close(resolve));
  });
});

/** A grey image of noise-free pixels. */
function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = Buffer.alloc(height * (width + 1));
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(checksum(content), 4);
  return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)]);
}

/** CRC-32 by its definition. */
function checksum(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[20] = (copy[20] ?? 0) ^ 1;
  return copy;
}
