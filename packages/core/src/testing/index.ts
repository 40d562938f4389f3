// The public surface of @haft/core/testing: named exports only.
export {};
