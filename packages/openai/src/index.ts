// The public surface of @haft/openai: named exports only.
export { type OpenAIOptions, openai } from './openai.js';
export type { ProfileName } from './profile-keys.js';
export { type Profile, profiles } from './profiles.js';
