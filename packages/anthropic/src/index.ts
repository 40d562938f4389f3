// The public surface of @haft/anthropic: named exports only.
export {};
