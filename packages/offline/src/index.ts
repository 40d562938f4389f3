// The public surface of @haft/offline: named exports only.
export {};
