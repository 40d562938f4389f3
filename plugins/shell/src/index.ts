// The public surface of @haft/plugin-shell: named exports only.
export {};
