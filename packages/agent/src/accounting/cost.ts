/** From tokens to money. */
import type { Usage } from '../messages.js';
import { type Price, type PriceTable, defaultPrices } from './prices.js';

const DATED = /^-(\d{8}|\d{4}-\d{2}-\d{2}|\d{4}|latest)$/;
const MILLION = 1_000_000;

/** The price of a model, or undefined when it is not known; `prices` goes before the default table. */
export function priceOf(model: string, prices: PriceTable = {}): Price | undefined {
  return lookUp(prices, model) ?? lookUp(defaultPrices, model);
}

function lookUp(table: PriceTable, model: string): Price | undefined {
  if (Object.hasOwn(table, model)) return table[model];
  const name = Object.keys(table).find((candidate) => model.startsWith(candidate) && DATED.test(model.slice(candidate.length)));
  return name === undefined ? undefined : table[name];
}

/** US dollars. `usage.input` counts all input, cached included; reasoning is part of `usage.output`. */
export function costOf(usage: Usage, price: Price): number {
  const { input, output, cacheRead = 0, cacheWrite = 0 } = usage;
  const plain = Math.max(0, input - cacheRead - cacheWrite);
  const dollars = plain * price.input + cacheRead * (price.cacheRead ?? price.input) + cacheWrite * (price.cacheWrite ?? price.input) + output * price.output;
  return dollars / MILLION;
}
