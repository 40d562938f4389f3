// What a run costs: prices by model, cached tokens, and a limit of money.
import { describe, expect, test } from '@jest/globals';
import { collect, handMade } from '../../test/kit.js';
import { SetupError } from '@haft/core';
import { createAgent } from '../index.js';
import { scriptedModel } from '../testing/scripted-model.js';
import { costOf, priceOf } from './cost.js';

describe('prices', () => {
  test('a dated version has the price of its name; another model of the family has not', () => {
    expect(priceOf('anthropic:claude-sonnet-4-5-20250929')).toBe(priceOf('anthropic:claude-sonnet-4-5'));
    expect(priceOf('openai:gpt-4.1-2025-04-14')).toBe(priceOf('openai:gpt-4.1'));
    expect(priceOf('openai:gpt-4.1-mini')).not.toBe(priceOf('openai:gpt-4.1'));
    expect(priceOf('openai:gpt-5-turbo')).toBeUndefined();
    expect(priceOf('openai:constructor')).toBeUndefined();
  });

  test('the user\'s table goes first', () => {
    expect(priceOf('openai:gpt-5', { 'openai:gpt-5': { input: 9, output: 9 } })).toEqual({ input: 9, output: 9 });
  });

  test('cached input has its own price; reasoning is output already', () => {
    const price = { input: 10, output: 20, cacheRead: 1, cacheWrite: 12 };
    expect(costOf({ input: 1_000_000, output: 500_000, cacheRead: 600_000, cacheWrite: 100_000, reasoning: 400_000 }, price)).toBeCloseTo(0.3 * 10 + 0.6 + 0.1 * 12 + 10);
  });
});

test('a run says what it cost, and a limit of money needs a price', async () => {
  const answer = scriptedModel([{ text: 'hi', usage: { input: 1_000, output: 100 } }]);
  const { events, result } = await collect(createAgent({ ...handMade(answer, {}), prices: { 'scripted:scripted-model': { input: 1, output: 2 } } }).run('go'));
  expect(result.cost).toBeCloseTo(0.0012);
  expect(events.at(-1)).toMatchObject({ type: 'run_finished', cost: result.cost });
  expect((await collect(createAgent(handMade(scriptedModel([{ text: 'hi' }]), {})).run('go'))).result.cost).toBeUndefined();
  expect(() => createAgent({ ...handMade(answer, {}), limits: { maxCost: 1 } })).toThrow(SetupError);
});
