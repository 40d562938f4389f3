// The public surface of @haft/openai: named exports only.
export {};
