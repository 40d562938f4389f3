// Rate limits: how many calls a stretch of time lets through, and which wait is named.
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { SetupError } from '../errors.js';
import { createRateLimiter } from './rate-limiter.js';
import { fakeTool } from '../testing/fake-tool.js';

beforeEach(() => void jest.useFakeTimers({ now: 0 }));
afterEach(() => void jest.useRealTimers());

const s1 = { sessionId: 's1', user: 'ann' };
const s2 = { sessionId: 's2', user: 'ann' };
const s3 = { sessionId: 's3', user: 'bob' };
const read = fakeTool({ name: 'read_file' });

async function burst(limiter: ReturnType<typeof createRateLimiter>, tool = read, subject: { sessionId: string; user?: string } = s1): Promise<number> {
  for (let taken = 0; taken < 1000; taken++) if (!(await limiter.take(tool, subject)).allowed) return taken;
  return Infinity;
}

describe('rate limits', () => {
  test('none means none', async () => {
    expect(await burst(createRateLimiter())).toBe(Infinity);
  });

  test('a bucket empties, says when, and refills evenly', async () => {
    const limiter = createRateLimiter({ tools: { read_file: { max: 4, perMs: 1000 } } });
    expect(await burst(limiter)).toBe(4);
    expect(await limiter.take(read, s1)).toEqual({ allowed: false, retryAfterMs: 250, limit: 'read_file: 4 in 1000 ms' });
    jest.advanceTimersByTime(249);
    expect((await limiter.take(read, s1)).allowed).toBe(false);
    jest.advanceTimersByTime(1);
    expect((await limiter.take(read, s1)).allowed).toBe(true);
    jest.advanceTimersByTime(10_000);
    expect(await burst(limiter)).toBe(4);
  });

  test.each<[string, Parameters<typeof createRateLimiter>[0], [typeof s1, number][]]>([
    ['per tool, in each session', { tools: { read_file: { max: 2, perMs: 1000 } } }, [[s1, 2], [s2, 2]]],
    ['per scope, in each session', { scopes: { read: { max: 3, perMs: 1000 } } }, [[s1, 3], [s3, 3]]],
    ['per session', { session: { max: 5, perMs: 1000 } }, [[s1, 5], [s2, 5]]],
    ['per user, over sessions', { user: { max: 6, perMs: 1000 } }, [[s1, 6], [s2, 0], [s3, 6]]],
  ])('%s', async (_, limits, expected) => {
    const limiter = createRateLimiter(limits);
    for (const [subject, count] of expected) expect([subject.sessionId, await burst(limiter, read, subject)]).toEqual([subject.sessionId, count]);
  });

  test.each<['session' | 'user' | 'tool' | undefined, number[]]>([[undefined, [2, 2, 2]], ['session', [2, 2, 2]], ['user', [2, 0, 2]], ['tool', [2, 0, 0]]])("a tool's own limit by %s", async (by, counts) => {
    const tool = fakeTool({ name: 'own', rateLimit: { max: 2, perMs: 1000, ...(by && { by }) } });
    const limiter = createRateLimiter();
    expect([await burst(limiter, tool, s1), await burst(limiter, tool, s2), await burst(limiter, tool, s3)]).toEqual(counts);
  });

  test('scopes and the session are shared by tools; a refusal takes from no bucket', async () => {
    const write = fakeTool({ name: 'write_file', scopes: ['write'] });
    const edit = fakeTool({ name: 'edit_file', scopes: ['write'] });
    const limiter = createRateLimiter({ scopes: { write: { max: 2, perMs: 1000 } }, session: { max: 5, perMs: 1000 } });
    expect([(await limiter.take(write, s1)).allowed, (await limiter.take(edit, s1)).allowed]).toEqual([true, true]);
    expect((await limiter.take(write, s1)).limit).toContain('scope write');
    expect(await burst(limiter, read, s1)).toBe(3);
    expect((await limiter.take(read, s1)).limit).toContain('session');
  });

  test('the wait is that of the fullest limit', async () => {
    const limiter = createRateLimiter({ tools: { read_file: { max: 1, perMs: 1000 } }, session: { max: 1, perMs: 60_000 } });
    await limiter.take(read, s1);
    expect(await limiter.take(read, s1)).toMatchObject({ allowed: false, retryAfterMs: 60_000, limit: 'session: 1 in 60000 ms' });
  });

  test('calls at once never take more than there is', async () => {
    const limiter = createRateLimiter({ session: { max: 10, perMs: 1000 } });
    const verdicts = await Promise.all(Array.from({ length: 100 }, () => limiter.take(read, s1)));
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(10);
  });

  test('a limit that is no limit is refused at once, or lets nothing through', async () => {
    for (const limit of [{ max: 0, perMs: 1 }, { max: NaN, perMs: 1 }, { max: 1, perMs: 0 }, { max: 1, perMs: Infinity }]) {
      expect(() => createRateLimiter({ session: limit })).toThrow(SetupError);
      const odd = fakeTool({ name: 'odd', rateLimit: limit });
      expect((await createRateLimiter().take(odd, s1)).allowed).toBe(false);
    }
    expect(() => createRateLimiter({ tools: { fetch: { max: -1, perMs: 1 } } })).toThrow('The rate limit of fetch');
  });

  test('names from Object.prototype are ordinary tool names', async () => {
    expect(await burst(createRateLimiter({ tools: {} }), fakeTool({ name: 'constructor' }))).toBe(Infinity);
  });

  test('no stretch of time lets more through than the bucket and what dripped into it, and a wait that was named is enough', async () => {
    const step = fc.record({ wait: fc.nat(400), named: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 50, max: 1000 }), fc.array(step, { minLength: 1, maxLength: 40 }), async (max, perMs, steps) => {
        const limiter = createRateLimiter({ session: { max, perMs } });
        const taken: number[] = [];
        let owed = 0;
        for (const { wait, named } of steps) {
          jest.advanceTimersByTime(named && owed > 0 ? owed : wait);
          const { allowed, retryAfterMs } = await limiter.take(read, s1);
          if (named && owed > 0) expect(allowed).toBe(true);
          owed = retryAfterMs;
          if (allowed) taken.push(performance.now());
        }
        for (const [from, start] of taken.entries()) {
          for (const [to, end] of taken.entries()) if (to >= from) expect(to - from + 1).toBeLessThanOrEqual(max + ((end - start) * max) / perMs + 1e-6);
        }
      }),
      { numRuns: 300, examples: [[1, 458, [{ wait: 0, named: false }, { wait: 170, named: false }, { wait: 0, named: true }]]] },
    );
  });

  test('many sessions come and go without a bucket kept for each', async () => {
    const limiter = createRateLimiter({ session: { max: 1, perMs: 10 } });
    for (let index = 0; index < 25_000; index++) {
      if (index % 5000 === 0) jest.advanceTimersByTime(100);
      expect((await limiter.take(read, { sessionId: `s${index}` })).allowed).toBe(true);
    }
    expect((await limiter.take(read, { sessionId: 's24999' })).allowed).toBe(false);
  });
});
