// docs/calls.md and docs/plugins.md: their figures, codes and manifest are those of the code.
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { errorCodes } from '../errors.js';
import { readManifest } from '../plugin/manifest.js';
import { ToolRegistry } from '../registry/tool-registry.js';
import * as testing from '../testing/index.js';
import { withDefaults } from './default-ports.js';

const read = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8');
const calls = read('calls.md');
const plugins = read('plugins.md');

test('the limits on the page are all there are, with their defaults', () => {
  const rows = [...calls.matchAll(/^\| `(\w+)` \| (\S+) \|/gm)].map(([, name = '', value = '']) => [name, value]);
  const { limits } = withDefaults({ registry: new ToolRegistry() });
  const figures = Object.entries(limits).map(([name, value]) => [name, value === Infinity ? 'never' : JSON.stringify(value)]);
  expect(Object.fromEntries(rows.filter(([, value]) => value !== 'none'))).toEqual(Object.fromEntries(figures));
  expect(rows.filter(([, value]) => value === 'none').map(([name]) => name)).toEqual(['budget', 'circuit']);
});

test('every code on the page is in the table of codes', () => {
  const named = [...calls.matchAll(/^\|.*\|.*\| (.*`.*) \|$/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`([a-z]+_?[a-z_]*)`/g)].map(([, code = '']) => code));
  expect(named.length).toBeGreaterThan(12);
  for (const code of named.filter((name) => !(name in withDefaults({ registry: new ToolRegistry() }).limits))) expect(Object.keys(errorCodes)).toContain(code);
});

test('the manifest on the page is a good one, and the helpers it names are there', () => {
  const [, block = ''] = /```json\n([\s\S]*?)```/.exec(plugins) ?? [];
  expect(readManifest(JSON.parse(block), 'the page')).toMatchObject({ tools: ['add_note', 'list_notes'] });
  for (const name of ['ToolBench', 'fakeTool', 'fakeClock', 'expectTool', 'toolMatchers', 'describeTools']) {
    expect(plugins).toContain(name);
    expect(testing).toHaveProperty(name);
  }
});
