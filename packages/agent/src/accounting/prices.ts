/** What models cost. List prices, which change: the user's own table goes before this one. */

/** US dollars for a million tokens. */
export interface Price {
  input: number;
  output: number;
  /** Input that the provider had in its cache. Default: as `input`. */
  cacheRead?: number;
  /** Input that the provider put into its cache. Default: as `input`. */
  cacheWrite?: number;
}

/** `provider:model` → price. A dated version of a model (`-20250929`, `-2025-04-14`, `-latest`) has the price of its name. */
export type PriceTable = Readonly<Record<string, Price>>;

const price = (input: number, output: number, cacheRead?: number, cacheWrite?: number): Price => ({
  input, output, ...(cacheRead === undefined ? {} : { cacheRead }), ...(cacheWrite === undefined ? {} : { cacheWrite }),
});

export const defaultPrices: PriceTable = {
  'anthropic:claude-opus-4-5': price(5, 25, 0.5, 6.25),
  'anthropic:claude-opus-4-1': price(15, 75, 1.5, 18.75),
  'anthropic:claude-opus-4': price(15, 75, 1.5, 18.75),
  'anthropic:claude-sonnet-4-5': price(3, 15, 0.3, 3.75),
  'anthropic:claude-sonnet-4': price(3, 15, 0.3, 3.75),
  'anthropic:claude-3-7-sonnet': price(3, 15, 0.3, 3.75),
  'anthropic:claude-haiku-4-5': price(1, 5, 0.1, 1.25),
  'anthropic:claude-3-5-haiku': price(0.8, 4, 0.08, 1),
  'openai:gpt-5': price(1.25, 10, 0.125),
  'openai:gpt-5-mini': price(0.25, 2, 0.025),
  'openai:gpt-5-nano': price(0.05, 0.4, 0.005),
  'openai:gpt-5.1': price(1.25, 10, 0.125),
  'openai:gpt-4.1': price(2, 8, 0.5),
  'openai:gpt-4.1-mini': price(0.4, 1.6, 0.1),
  'openai:gpt-4.1-nano': price(0.1, 0.4, 0.025),
  'openai:gpt-4o': price(2.5, 10, 1.25),
  'openai:gpt-4o-mini': price(0.15, 0.6, 0.075),
  'openai:o3': price(2, 8, 0.5),
  'openai:o4-mini': price(1.1, 4.4, 0.275),
  'deepseek:deepseek-chat': price(0.28, 0.42, 0.028),
  'deepseek:deepseek-reasoner': price(0.28, 0.42, 0.028),
  'offline:rules': price(0, 0),
};
