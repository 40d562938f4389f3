// Server-sent events as servers really send them, cut anywhere into chunks.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eventBatches } from './event-stream.js';

/** A response whose body comes in these pieces; `open` leaves the connection open after them. */
function responseOf(pieces: Iterable<Uint8Array>, { type = 'text/event-stream', open = false, onCancel = () => undefined as void } = {}): Response {
  const left = [...pieces];
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const piece = left.shift();
      if (piece !== undefined) controller.enqueue(piece);
      else if (!open) controller.close();
    },
    cancel: onCancel,
  }, { highWaterMark: 0 });
  return new Response(body, { headers: { 'content-type': type } });
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function read(response: Response): Promise<object[]> {
  const events: object[] = [];
  for await (const batch of eventBatches<object>(response)) events.push(...batch);
  return events;
}

const readText = (text: string, options?: Parameters<typeof responseOf>[1]): Promise<object[]> => read(responseOf([bytes(text)], options));

test('any cut into chunks gives the same events: names, comments, line ends, characters of several bytes', async () => {
  const sent = [{ a: 'ä你🎉' }, { b: [1, null, 'x\r\ny'] }, {}, { c: ' data: not a field\n' }];
  for (const end of ['\n', '\r\n', '\r']) {
    const whole = bytes(`\uFEFF: hello${end}${end}${sent.map((event, index) => `event: e${index}${end}id: 7${end}data:${index % 2 === 0 ? ' ' : ''}${JSON.stringify(event)}${end}${end}`).join('')}`);
    await fc.assert(fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 20 }), async (cuts) => {
      const at = [0, ...cuts.sort((one, other) => one - other), whole.length];
      const pieces = at.slice(1).map((to, index) => whole.subarray(at[index], to));
      expect(await read(responseOf(pieces))).toEqual(sent);
    }));
  }
});

test('the events of one chunk come together', async () => {
  const batches: object[][] = [];
  for await (const batch of eventBatches<object>(responseOf([bytes('data: {"a":1}\n\ndata: {"b":2}\n\nda'), bytes('ta: {"c":3}\n\n')]))) batches.push([...batch]);
  expect(batches).toEqual([[{ a: 1 }, { b: 2 }], [{ c: 3 }]]);
});

test('JSON over several data lines is one event; what is no object is none; what the end cuts off is none', async () => {
  expect(await readText('data: {\ndata: "a": 1}\n\ndata: null\n\ndata: 7\n\nevent: lone\n\ndata: {"b":2}\n\ndata: {"cut":')).toEqual([{ a: 1 }, { b: 2 }]);
});

test('plain JSON in place of a stream is one event', async () => {
  expect(await readText('{\n  "a": 1\n}', { type: 'Application/JSON; charset=utf-8' })).toEqual([{ a: 1 }]);
  expect(await readText('null', { type: 'application/json' })).toEqual([]);
});

describe('the end', () => {
  test('nothing after [DONE] counts, and a server that leaves the connection open then holds nothing up', async () => {
    const closed = new Promise<void>((resolve) => {
      void readText('data: {"a":1}\n\ndata: [DONE]\n\ndata: {"late":1}\n\n', { open: true, onCancel: resolve }).then((events) => expect(events).toEqual([{ a: 1 }]));
    });
    await closed;
  });

  test('a reader who leaves closes the connection', async () => {
    let cancelled = false;
    for await (const batch of eventBatches<object>(responseOf([bytes('data: {"a":1}\n\n')], { open: true, onCancel: () => void (cancelled = true) }))) {
      expect(batch).toEqual([{ a: 1 }]);
      break;
    }
    expect(cancelled).toBe(true);
  });
});

describe('errors', () => {
  test('an event that is no JSON', async () => {
    await expect(readText('data: {"a":1}\n\ndata: {"broken\n\n')).rejects.toThrow(SyntaxError);
  });

  test.each([
    ['plain text', 'overloaded', 'overloaded'],
    ['an object that does not say so itself', '{"message":"no"}', { message: 'no' }],
  ])('an event named error with %s', async (_what, data, error) => {
    await expect(readText(`event: error\ndata: ${data}\n\n`)).rejects.toMatchObject({ name: 'AnsweredError', error });
  });

  test('one that says so itself is for the reader of the format', async () => {
    expect(await readText('event: error\ndata: {"type":"error","error":{"message":"no"}}\n\n')).toEqual([{ type: 'error', error: { message: 'no' } }]);
  });
});
