// The public surface of @haft/openai: named exports only.
export { type OpenAIOptions, openai } from './openai.js';
export { type Profile, type ProfileName, profiles } from './profiles.js';
