// The public surface of @haft/process: named exports only.
export {};
