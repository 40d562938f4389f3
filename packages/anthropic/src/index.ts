// The public surface of @haft/anthropic: named exports only.
export { type AnthropicOptions, anthropic } from './anthropic.js';
