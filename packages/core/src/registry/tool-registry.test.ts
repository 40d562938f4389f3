// The registry: duplicate names, frozen records, and names that are near a wrong one.
import { describe, expect, test } from '@jest/globals';
import { SetupError } from '../errors.js';
import { fakeTool } from '../testing/fake-tool.js';
import { ToolRegistry } from './tool-registry.js';

describe('duplicate names', () => {
  const register = (first: [string, string], second: [string, string]) => {
    const registry = new ToolRegistry();
    registry.register({ ...fakeTool({ name: first[0] }) }, first[1]);
    registry.register({ ...fakeTool({ name: second[0] }) }, second[1]);
  };

  test('DI-05: two plugins with one tool name do not start, in whichever order, and both are named', () => {
    const messages = [
      () => register(['read_file', 'p1'], ['read_file', 'p2']),
      () => register(['read_file', 'p2'], ['read_file', 'p1']),
    ].map((attempt) => {
      try {
        attempt();
        return '';
      } catch (error) {
        expect(error).toBeInstanceOf(SetupError);
        return (error as Error).message;
      }
    });
    expect(messages[0]).toMatch(/read_file.*p1.*p2/);
    expect(messages[1]).toBe(messages[0]);
  });

  test('DI-05: a name that differs in case only is no tool name', () => {
    expect(() => register(['read_file', 'p1'], ['Read_File', 'p2'])).toThrow(/p2.*"Read_File".*lower-case/);
  });
});

test('the record of a registered tool names its plugin and is frozen', () => {
  const registry = new ToolRegistry();
  const record = registry.register(fakeTool({ name: 'grep' }), 'fs');
  expect(registry.get('grep')).toBe(record);
  expect(record.plugin).toBe('fs');
  expect(Object.isFrozen(record)).toBe(true);
  expect(registry.list()).toBe(registry.list());
});

test('near names bridge case, punctuation, prefixes and typing errors, and nothing else', () => {
  const registry = new ToolRegistry();
  for (const name of ['read_file', 'write_file', 'list_dir', 'bash']) registry.register(fakeTool({ name }), 'test');
  expect(registry.near('ReadFile')[0]).toBe('read_file');
  expect(registry.near('functions.list-dir')[0]).toBe('list_dir');
  expect(registry.near('raed_file')[0]).toBe('read_file');
  expect(registry.near('list')).toEqual(['list_dir']);
  expect(registry.near('constructor')).toEqual([]);
  expect(registry.near('x'.repeat(100_000))).toEqual([]);
});
