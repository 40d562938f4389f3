// The types of a configuration: what must not compile is marked, so that the type check of the tests fails when it does.
import { expect, test } from '@jest/globals';
import { definePlugin } from '@haft/core';
import { defineConfig } from './define-config.js';

const fs = definePlugin<object, 'read_file' | 'write_file'>({ name: 'fs', tools: [] });
const shell = definePlugin<object, 'bash'>({ name: 'shell', tools: [] });
const unnamed = definePlugin({ name: 'unnamed', tools: [] });

/** Compiled, never called. */
function mistakes(): void {
  // @ts-expect-error a rule for a tool that no plugin brings
  defineConfig({ plugins: [fs()], permissions: { allow: ['bash(git status)'] } });
  // @ts-expect-error a mistyped tool
  defineConfig({ plugins: [fs()], permissions: { deny: ['raed_file'] } });
  // @ts-expect-error a tool that was left out
  defineConfig({ plugins: [fs().without('write_file')], permissions: { allow: ['write_file'] } });
  // @ts-expect-error a tool that is not among the chosen ones
  defineConfig({ plugins: [fs().only('read_file')], tools: ['write_file'] });
  // @ts-expect-error a rate for a tool that no plugin brings
  defineConfig({ plugins: [fs()], limits: { rates: { tools: { bash: { max: 1, perMs: 1 } } } } });
  // @ts-expect-error an unknown scope
  defineConfig({ plugins: [fs()], permissions: { allow: ['scope:everything'] } });
  // @ts-expect-error an unknown setting
  defineConfig({ plugins: [fs()], permisions: {} });
  // @ts-expect-error a plugin that was not called
  defineConfig({ plugins: [fs] });
}

test('names of tools flow from the plugins into rules, limits and the choice of tools', () => {
  const config = defineConfig({
    plugins: [fs(), shell()],
    tools: ['read_file'],
    permissions: { allow: ['read_file', 'bash(git status)', '*_file', 'scope:network(host:*.example.org)'], deny: ['read_file(**/.env*)', 'write_*(src/**)'] },
    limits: { rates: { tools: { bash: { max: 5, perMs: 1_000 } } } },
  });
  expect(config.tools).toEqual(['read_file']);
  expect(typeof mistakes).toBe('function');
});

test('where a plugin does not name its tools, every rule is taken', () => {
  expect(defineConfig({ plugins: [unnamed()], permissions: { allow: ['anything(x)'] } }).permissions?.allow).toEqual(['anything(x)']);
  expect(defineConfig({ permissions: { allow: ['read_file'] } }).permissions?.allow).toEqual(['read_file']);
});
