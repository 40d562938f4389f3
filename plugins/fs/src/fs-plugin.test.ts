// The plugin in a real host: its manifest, its options, its examples.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PluginHost, Workspace, createAccessResolver, createDispatcher } from '@haft/core';
import { ProcessRunner } from '@haft/process';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { fs } from './index.js';

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { haft: { tools: string[]; scopes: string[] } };
let root: string;
let workspace: Workspace;
const runner = new ProcessRunner();

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'haft-plugin-fs-')));
  workspace = await Workspace.open({ root });
});
afterEach(async () => {
  workspace.close();
  rmSync(root, { recursive: true, force: true });
  await runner.dispose();
});

const start = (plugin: ReturnType<typeof fs>) =>
  PluginHost.start({ plugins: [plugin], root, services: [{ provide: Workspace, useValue: workspace }, { provide: ProcessRunner, useValue: runner }], packages: { fs: manifest } });

test('a host starts the plugin, its manifest tells the truth, and its tools get their services', async () => {
  const host = await start(fs({ searcher: 'builtin' }));
  const tools = host.registry.list();
  expect(tools.map(({ name }) => name).sort()).toEqual([...manifest.haft.tools].sort());
  expect([...new Set(tools.flatMap(({ scopes }) => scopes))].sort()).toEqual([...manifest.haft.scopes].sort());
  writeFileSync(join(root, 'a.txt'), 'needle\n');
  const dispatcher = createDispatcher({ registry: host.registry, resolver: createAccessResolver(workspace) });
  const services = host.openSession('s');
  const result = await dispatcher.dispatch({ id: '1', name: 'grep', arguments: '{"pattern":"needle"}' }, { sessionId: 's', signal: new AbortController().signal, services });
  expect(result).toMatchObject({ status: 'success', content: 'a.txt:1:needle\n[1 match in 1 file.]' });
  await host.dispose();
});

test('a choice of tools, and options that are none', async () => {
  const host = await start(fs().only('read_file', 'glob'));
  expect(host.registry.list().map(({ name }) => name)).toEqual(['read_file', 'glob']);
  await host.dispose();
  await expect(start(fs({ searcher: 'grep' as 'auto' }))).rejects.toThrow(/searcher/);
});

test('every example of a tool is what its own schema accepts', async () => {
  const host = await start(fs());
  for (const tool of host.registry.list()) for (const example of tool.examples) expect([tool.name, tool.parse(example).ok]).toEqual([tool.name, true]);
  await host.dispose();
});

test('the README names every argument of every tool, and no other', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const host = await start(fs());
  for (const tool of host.registry.list()) {
    const [, named = ''] = new RegExp(`^\\| \`${tool.name}\` \\| ([^|]*) \\|`, 'm').exec(readme) ?? [];
    const words = new Set([...named.matchAll(/`(\w+)`/g)].map((match) => match[1]));
    expect([tool.name, [...words].sort()]).toEqual([tool.name, Object.keys((tool.parameters as { properties: object }).properties).sort()]);
  }
  await host.dispose();
});
