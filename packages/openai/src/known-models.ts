/** What is known of some models by name: data for compaction and for "did you mean"; a model that is not here works all the same. */

/** Tokens that a model can read, by name; the first that fits. Where a family differs, the smallest. */
const windows: readonly (readonly [RegExp, number])[] = [
  [/^gpt-5.*chat/, 128_000],
  [/^gpt-5/, 400_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^(gpt-4o|chatgpt-4o|gpt-4-turbo|o1-mini|o1-preview)/, 128_000],
  [/^(o\d|codex)/, 200_000],
  [/^gpt-4-32k/, 32_768],
  [/^gpt-4$/, 8192],
  [/^gpt-3\.5-turbo/, 16_385],
  [/^deepseek-(chat|reasoner)/, 128_000],
  [/(^|\/)gemini-(1\.5|2|3)/, 1_000_000],
  [/(^|\/)claude-/, 200_000],
];

export function contextWindowOf(model: string): number | undefined {
  return windows.find(([pattern]) => pattern.test(model))?.[1];
}

/** Models that read text only. */
const blind = /^(gpt-3\.5|gpt-4(-32k)?(-\d{4})?$|o1-mini|o1-preview|o3-mini|deepseek-(chat|reasoner|coder)|codestral|codellama)/;

export function readsImages(model: string): boolean {
  return !blind.test(model);
}

/** Names to suggest for a model that the service does not know. */
export const openaiModels: readonly string[] = [
  'gpt-5.4', 'gpt-5.4-mini', 'gpt-5.4-nano', 'gpt-5.2', 'gpt-5.2-pro', 'gpt-5.1', 'gpt-5.1-codex', 'gpt-5.1-mini', 'gpt-5', 'gpt-5-mini', 'gpt-5-nano',
  'gpt-4.1', 'gpt-4.1-mini', 'gpt-4.1-nano', 'gpt-4o', 'gpt-4o-mini', 'o4-mini', 'o3', 'o3-mini', 'o1', 'codex-mini-latest',
];
export const deepseekModels: readonly string[] = ['deepseek-chat', 'deepseek-reasoner'];
