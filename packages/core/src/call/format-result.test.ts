// What the model reads of a result: legal, not empty, within its budget, without secrets.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ToolFailure } from '../errors.js';
import { ToolRegistry } from '../registry/tool-registry.js';
import { fakeTool, noServices } from '../testing/fake-tool.js';
import { cutText } from './cut-text.js';
import { createDispatcher } from './dispatch.js';
import { formatValue } from './format-value.js';
import type { SpillStore } from './format-result.js';
import type { DispatcherOptions } from './call-ports.js';

const circular: Record<string, unknown> = { name: 'loop' };
circular['self'] = circular;

async function resultOf(value: unknown, options: Partial<DispatcherOptions> = {}, tool: object = {}) {
  const registry = new ToolRegistry();
  const give = () => {
    if (value instanceof ToolFailure) throw value;
    return value;
  };
  registry.register(fakeTool({ name: 'give', ...tool }, give), 'test');
  return createDispatcher({ registry, ...options }).dispatch({ id: 'c', name: 'give', arguments: '{}' }, { sessionId: 's', signal: new AbortController().signal, services: noServices });
}

describe('PROT-19: whatever a tool returns, the model gets legal, non-empty content', () => {
  test.each<[string, unknown, unknown]>([
    ['empty text', '', '(empty text)'],
    ['undefined', undefined, '(no result)'],
    ['null', null, 'null'],
    ['zero', 0, '0'],
    ['false', false, 'false'],
    ['a bigint inside', { a: 1n }, '{"a":"1"}'],
    ['a circle', circular, '{"name":"loop","self":"(circular)"}'],
    ['bytes', Buffer.from('hello'), '(5 bytes of binary data, base64: aGVsbG8=)'],
    ['an image', { type: 'image', mediaType: 'image/png', data: 'iVBORw0=' }, [{ type: 'image', mediaType: 'image/png', data: 'iVBORw0=' }]],
  ])('%s', async (_name, value, content) => {
    expect(await resultOf(value)).toMatchObject({ status: 'success', content });
  });

  test.each<[string, unknown, string]>([
    ['an error', new TypeError('bad'), 'TypeError: bad'],
    ['an error inside', { cause: new Error('inner') }, '{"cause":"Error: inner"}'],
    ['a map and a set', { m: new Map([['k', 1]]), s: new Set([1, 2]) }, '{"m":{"k":1},"s":[1,2]}'],
    ['dates and numbers that JSON has not', [new Date(0), new Date(Number.NaN), Number.NaN, Infinity], '["1970-01-01T00:00:00.000Z","Invalid Date","NaN","Infinity"]'],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ['a function', () => 1, '(a function)'],
    ['a getter that throws', { get x() { throw new Error('no'); } }, '(a result that cannot be shown: no)'],
    ['the same object twice, which is no circle', (() => { const shared = { n: 1 }; return [shared, shared]; })(), '[{"n":1},{"n":1}]'],
    ['a key named __proto__', JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
    ['an empty list', [], '[]'],
  ])('%s', (_name, value, text) => {
    expect(formatValue(value)).toBe(text);
  });

  test('law: any value gives content, and none throws', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true, withNullPrototype: true, withSparseArray: true }), (value) => {
        const content = formatValue(value);
        expect(content.length).toBeGreaterThan(0);
        if (typeof content === 'string') expect(Buffer.from(content).toString()).toBe(content);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('PROT-19: `data` is JSON on every surface, whatever a tool returns', () => {
  class Row {
    constructor(readonly id: bigint, readonly at: Date) {}
  }

  test.each<[string, unknown, unknown]>([
    ['a bigint', { a: 1n }, { a: '1' }],
    ['a bare bigint', 5n, '5'],
    ['a circle', circular, { name: 'loop', self: '(circular)' }],
    ['numbers that JSON has not', { ratio: Number.NaN, most: [Infinity] }, { ratio: 'NaN', most: ['Infinity'] }],
    ['a function', { now: () => 1 }, { now: '(a function)' }],
    ['maps, sets and instances', new Map([['rows', new Set([new Row(1n, new Date(0))])]]), { rows: [{ id: '1', at: '1970-01-01T00:00:00.000Z' }] }],
    ['a buffer and a view of one', { raw: new Uint8Array([1, 2]).buffer, view: new DataView(new Uint8Array([1, 2, 3]).buffer, 1) }, { raw: 'AQI=', view: 'AgM=' }],
    ['a list that says for itself what it is in JSON is a list', Object.assign([1, 2], { toJSON: () => 'x'.repeat(100) }), [1, 2]],
    ['lists of numbers', { floats: new Float64Array([0.5, Number.NaN]), whole: new BigInt64Array([1n]) }, { floats: [0.5, 'NaN'], whole: ['1'] }],
    ['bytes, which lose nothing', { file: new Uint8Array(3000).fill(1) }, { file: Buffer.alloc(3000, 1).toString('base64') }],
    ['a getter that throws', { get x() { throw new Error('no'); } }, '(a result that cannot be shown: no)'],
    ['a failure that carries one', new ToolFailure('too_many', 'Too many.', { data: { left: 3n } }), { left: '3' }],
  ])('%s', async (_name, value, data) => {
    const result = await resultOf(value);
    expect(result.data).toEqual(data);
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
    expect((await resultOf(value, {}, { toModel: () => 'shown' })).data).toEqual(data);
  });

  test('what is JSON already is handed on as it is, and undo() gets what the tool returned', async () => {
    const plain = { list: [1, { deep: true }], none: undefined };
    expect((await resultOf(plain)).data).toBe(plain);
    const undone: unknown[] = [];
    const registry = new ToolRegistry();
    registry.register(fakeTool({ name: 'give', undo: (returned) => { undone.push(returned); } }, () => 7n), 'test');
    const dispatcher = createDispatcher({ registry });
    const context = { sessionId: 's', signal: new AbortController().signal, services: noServices };
    await dispatcher.undo?.(await dispatcher.dispatch({ id: 'c', name: 'give', arguments: '{}' }, context), context);
    expect(undone).toEqual([7n]);
  });

  test('law: any result is the same after a trip through JSON', async () => {
    const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true, withNullPrototype: true, withSparseArray: true });
    await fc.assert(
      fc.asyncProperty(anything, fc.boolean(), async (value, viewed) => {
        const { data } = await resultOf(value, {}, viewed ? { toModel: () => 'shown' } : {});
        const text = JSON.stringify(data);
        expect(JSON.stringify(text === undefined ? undefined : (JSON.parse(text) as unknown))).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  test('progress is JSON too', async () => {
    const events: unknown[] = [];
    const registry = new ToolRegistry();
    registry.register(fakeTool({ name: 'give' }, (_args, context) => { context.progress({ done: 1n as never, total: 2 }); return 'done'; }), 'test');
    const context = { sessionId: 's', signal: new AbortController().signal, services: noServices, onEvent: (event: unknown) => events.push(event) };
    await createDispatcher({ registry }).dispatch({ id: 'c', name: 'give', arguments: '{}' }, context);
    expect(JSON.stringify(events)).toContain('{"done":"1","total":2}');
  });
});

describe('SESS-06: a huge result', () => {
  const huge = `${'start '.repeat(3)}${'x'.repeat(5_000_000)} the end`;

  test('is cut to the budget with head and tail, and the notice tells both sizes and where the rest is', async () => {
    const kept: string[] = [];
    const spill: SpillStore = { save: (text) => { kept.push(text); return Promise.resolve('.haft/output/c.txt'); } };
    const result = await resultOf(huge, { spill }, { maxOutputChars: 2_000 });
    const text = result.content as string;
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(text.startsWith('start start')).toBe(true);
    expect(text.endsWith('the end')).toBe(true);
    expect(text).toMatch(/\[… \d+ of 5000026 characters left out\. .*\.haft\/output\/c\.txt/);
    expect(result.truncation).toEqual({ totalChars: 5_000_026, shownChars: expect.any(Number), spilledTo: '.haft/output/c.txt' });
    expect(kept).toEqual([huge]);
  });

  test('a failing spill leaves the cut text with another hint', async () => {
    const result = await resultOf(huge, { spill: { save: () => Promise.reject(new Error('disk full')) } });
    expect(result).toMatchObject({ status: 'success', content: expect.stringContaining('Ask for less at once') });
    expect((result.content as string).length).toBeLessThanOrEqual(30_000);
  });

  test('the status of a failed call is never in the part that is cut', async () => {
    const result = await resultOf(undefined, {}, { maxOutputChars: 500, check: () => 'y'.repeat(10_000) });
    expect(result.content).toMatch(/^rule_violated: /);
    expect((result.content as string).length).toBeLessThanOrEqual(500 + 30_000);
  });

  test('law: a cut keeps whole characters, stays in its budget and says true figures', () => {
    const grapheme = fc.constantFrom('a', 'é', 'e\u0301', '語', '😀', '👩‍👩‍👧', '👍🏽', '\r\n');
    fc.assert(
      fc.property(fc.array(grapheme, { minLength: 300, maxLength: 800 }), fc.integer({ min: 200, max: 600 }), (characters, budget) => {
        const whole = characters.join('');
        const cut = cutText(whole, budget);
        if (!cut.truncated) return expect(cut.text).toBe(whole);
        const [head = '', tail = ''] = cut.text.split(/\n\[….*…\]\n/);
        expect(cut.text.length).toBeLessThanOrEqual(budget);
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
        expect(cut.shownChars).toBe(head.length + tail.length);
        for (const edge of [head.length, whole.length - tail.length]) {
          expect(characters.some((_, index) => characters.slice(0, index).join('').length === edge) || edge === whole.length).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});

test('a secret is redacted in what the model reads, also where the cut would split it', async () => {
  const redactor = { redact: (text: string) => text.replaceAll('s3cr3t', '[redacted]') };
  const result = await resultOf(`${'a'.repeat(300)}s3cr3t${'b'.repeat(300)}`, { redactor }, { maxOutputChars: 400 });
  expect(JSON.stringify(result)).not.toMatch(/s3c|3cr|r3t/);
});

test('toModel decides what the model reads; one that fails falls back to the value', async () => {
  expect(await resultOf({ n: 3 }, {}, { toModel: () => 'three' })).toMatchObject({ content: 'three', data: { n: 3 } });
  expect(await resultOf({ n: 3 }, {}, { toModel: () => { throw new Error('no'); } })).toMatchObject({ status: 'success', content: '{"n":3}' });
});
