// What a plugin package says of itself, checked before its code runs.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { fakeTool } from '../testing/fake-tool.js';
import { definePlugin } from './define-plugin.js';
import { readManifest } from './manifest.js';
import { PluginHost } from './plugin-host.js';
import { coreVersion, inRange } from './version-range.js';

test('the version that manifests are held against is that of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  expect(coreVersion).toBe(version);
});

test.each<[string, string, boolean | undefined]>([
  ['1.2.3', '^1.0.0', true], ['2.0.0', '^1.0.0', false], ['0.1.9', '^0.1.2', true], ['0.2.0', '^0.1.2', false], ['0.0.4', '^0.0.3', false], ['0.5.0', '^0', true],
  ['1.2.9', '~1.2.3', true], ['1.3.0', '~1.2.3', false], ['1.9.0', '~1', true], ['1.2.3', '1.2.3', true], ['1.2.4', '1.2.3', false], ['1.7.0', '1.x', true], ['2.0.0', '1', false],
  ['1.5.0', '>=1.0.0 <2.0.0', true], ['2.0.0', '>= 1.0.0 < 2.0.0', false], ['1.2.9', '>1.2', false], ['1.3.0', '>1.2', true], ['1.2.9', '<=1.2', true], ['3.0.0', '^1.0.0 || ^3.0.0', true], ['9.9.9', '*', true],
  ['1.0.0', 'latest', undefined], ['1.0.0', '^1.0.0 || workspace:*', undefined],
])('%s in %s: %s', (version, range, expected) => {
  expect(inRange(version, range)).toBe(expected);
});

describe('a manifest', () => {
  const haft = { plugin: './dist/index.js', core: `^${coreVersion}`, scopes: ['read'], tools: ['look'] };
  const start = (manifest: object, scopes: ('read' | 'write')[] = ['read'], tool = 'look') => {
    let ran = false;
    const plugin = definePlugin({ name: 'sight', tools: [fakeTool({ name: tool, scopes })], setup: () => void (ran = true) });
    return PluginHost.start({ plugins: [plugin()], root: '/work', packages: { sight: { name: 'haft-plugin-sight', haft: manifest } } }).then(
      () => 'started',
      (error: Error) => `${ran ? 'after setup: ' : ''}${error.message}`,
    );
  };

  test('lets a plugin start that brings what it declares', async () => {
    expect(await start(haft)).toBe('started');
    expect(readManifest({ name: 'x' }, 'x')).toBeUndefined();
  });

  test.each<[object, RegExp]>([
    [{ ...haft, core: '^99.0.0' }, /^Plugin sight.*works with @haft\/core \^99\.0\.0, and this is/],
    [{ ...haft, core: 'newest' }, /"haft.core" must be a range/],
    [{ ...haft, scopes: ['all'] }, /"haft.scopes" must be a list of read, write/],
    [{ ...haft, tools: 'look' }, /"haft.tools" must be a list/],
    [{ ...haft, plugin: 3 }, /"haft.plugin" must be the path/],
  ])('%j is refused before setup', async (manifest, message) => {
    expect(await start(manifest)).toMatch(message);
  });

  test('a tool or a scope beyond what is declared stops the start before setup', async () => {
    expect(await start(haft, ['read', 'write'])).toMatch(/^Plugin sight: the tool look has the scope write/);
    expect(await start(haft, ['read'], 'peek')).toMatch(/^Plugin sight brings the tool peek/);
  });
});
