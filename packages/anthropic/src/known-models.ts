/** Names to suggest for a model that the service does not know; a model that is not here works all the same. */
export const claudeModels: readonly string[] = [
  'claude-fable-5-2', 'claude-mythos-5-2', 'claude-haiku-5-5', 'claude-sonnet-5-5', 'claude-opus-5-5', 'claude-sonnet-5', 'claude-opus-5',
  'claude-opus-4-8', 'claude-opus-4-7', 'claude-opus-4-6', 'claude-sonnet-4-6', 'claude-haiku-4-5', 'claude-opus-4-5', 'claude-sonnet-4-5',
];

/** Tokens that every one of them can read; some read more when asked to. */
export const claudeContextWindow = 200_000;
