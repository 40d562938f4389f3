// The public surface of @haft/plugin-fs: named exports only.
export {};
