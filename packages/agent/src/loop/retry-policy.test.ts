// When a failed request is made again, and after how long: RETRY-01 as a table.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ModelError, type ModelErrorCode } from '../model-adapter.js';
import { defaultRetryPolicy as policy, finalMessage, nextDelay } from './retry-policy.js';

const error = (code: ModelErrorCode, options: { retryable?: boolean; retryAfterMs?: number } = {}) =>
  new ModelError(code, 'busy', { provider: 'p', retryable: true, ...options });

describe('RETRY-01', () => {
  test('waits what the server says, never less, a tenth more at most', () => {
    for (const random of [0, 0.5, 0.999]) {
      const delay = nextDelay(error('rate_limited', { retryAfterMs: 3_000 }), 1, 0, policy, random);
      expect(delay).toBeGreaterThanOrEqual(3_000);
      expect(delay).toBeLessThanOrEqual(3_300);
    }
  });

  test('fails at once where the server asks for more than the cap, and says until when', () => {
    const day = error('rate_limited', { retryAfterMs: 86_400_000 });
    expect(nextDelay(day, 1, 0, policy, 0)).toBeUndefined();
    expect(finalMessage(day, policy, Date.UTC(2026, 0, 1))).toBe('busy (the provider asks to wait 86400 s, until 2026-01-02T00:00:00.000Z)');
    expect(finalMessage(error('overloaded'), policy, 0)).toBe('busy');
  });

  test('without a word of the server: doubling, with jitter between half and the whole', () => {
    for (const [attempt, least, most] of [[1, 250, 500], [2, 500, 1_000], [3, 1_000, 2_000]] as const) {
      expect(nextDelay(error('overloaded'), attempt, 0, policy, 0)).toBe(least);
      expect(nextDelay(error('overloaded'), attempt, 0, policy, 0.9999)).toBe(most);
    }
  });

  test('four requests in all, two for a broken answer, one for what cannot get better', () => {
    expect(nextDelay(error('server_error'), 4, 0, policy, 0)).toBeUndefined();
    expect(nextDelay(error('protocol'), 1, 0, policy, 0)).toBeDefined();
    expect(nextDelay(error('protocol'), 2, 0, policy, 0)).toBeUndefined();
    expect(nextDelay(error('quota_exceeded', { retryable: false, retryAfterMs: 1 }), 1, 0, policy, 0)).toBeUndefined();
  });

  test('all waits of a turn together stay within the budget', () => {
    fc.assert(fc.property(fc.array(fc.record({ after: fc.option(fc.nat(120_000)), random: fc.double({ min: 0, max: 0.999, noNaN: true }) }), { maxLength: 6 }), (failures) => {
      let waited = 0;
      for (const [index, { after, random }] of failures.entries()) {
        const delay = nextDelay(error('rate_limited', after === null ? {} : { retryAfterMs: after }), index + 1, waited, policy, random);
        if (delay === undefined) break;
        expect(index).toBeLessThan(3);
        waited += delay;
      }
      expect(waited).toBeLessThanOrEqual(policy.budgetMs);
    }));
  });
});
