// How much of what a tool returned is carried, and what stands in the place of the rest.
import { describe, expect, test } from '@jest/globals';
import { viewsOf } from './format-value.js';
import { jsonData } from './json-data.js';

describe('data is carried whole up to its limits', () => {
  test.each<[string, () => unknown]>([
    ['a list of 249,000 numbers', () => Array.from({ length: 249_000 }, (_, index) => index)],
    ['60,000 rows', () => Array.from({ length: 60_000 }, (_, index) => ({ path: `src/${index}.ts`, line: index }))],
    ['a text of 16 Mi characters', () => 'x'.repeat(16 * 1024 * 1024)],
  ])('%s', (_name, make) => {
    const value = make();
    expect(jsonData(value)).toEqual(value);
  });
});

describe('beyond them it is replaced by what says so, and shows the beginning', () => {
  test.each<[string, () => unknown, RegExp, string]>([
    ['many values', () => Array.from({ length: 260_000 }, (_, index) => index), /more than 250000 values/, '[0,1,2,3,'],
    ['many values in few lists', () => ({ rows: Array.from({ length: 300 }, () => Array.from({ length: 1000 }).fill(0)) }), /more than 250000 values/, '{"rows":[[0,'],
    ['many entries of a map', () => new Map(Array.from({ length: 130_000 }, (_, index) => [`k${index}`, [index]])), /more than 250000 values/, '[["k0",'],
    ['a list with holes', () => Object.assign([1], { length: 2 ** 32 - 1 }), /more than 250000 values/, '[1,undefined,'],
    ['long texts inside', () => ({ text: 'abc'.repeat(6_000_000) }), /more than 16777216 characters/, '{"text":"abcabc'],
    ['bytes', () => ({ file: new Uint8Array(13_000_000) }), /13000000 bytes/, '{"file":(13000000 bytes)}'],
    ['a number of too many digits', () => 1n << 2_000_000n, /more than 1000000 bits/, '(a long number)'],
  ])('%s', (_name, make, limit, beginning) => {
    const value = make();
    const data = jsonData(value) as { code: string; message: string; beginning: string };
    expect(data).toEqual({ code: 'result_too_large', message: expect.stringMatching(limit), beginning: expect.stringContaining(beginning) });
    expect(data.beginning.length).toBeLessThanOrEqual(2000);
    expect(viewsOf(value).content).toBe(`result_too_large: ${data.message}\n${data.beginning}`);
  });

  test('of a text, head and tail are kept', () => {
    const data = jsonData(`first ${'x'.repeat(17 * 1024 * 1024)} last`) as string;
    expect(data.length).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(data.startsWith('first xxx')).toBe(true);
    expect(data.slice(data.indexOf('\n')).slice(0, 200)).toMatch(/^\n\[… \d+ of 17825803 characters left out/);
    expect(data.endsWith(' last')).toBe(true);
  });
});
