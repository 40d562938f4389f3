// The public surface of @haft/agent/testing: named exports only.
export {};
