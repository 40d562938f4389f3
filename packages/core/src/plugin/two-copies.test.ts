// Two copies of core in one dependency tree: a plugin that was built with its own copy starts in a host of ours. The copy is the built package.
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDispatcher } from '../call/dispatch.js';
import type * as Core from '../index.js';
import { PluginHost } from './plugin-host.js';
import type { Plugin } from './plugin.js';

const core = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'haft-copy-'));
let other: typeof Core;

beforeAll(async () => {
  cpSync(join(core, 'dist'), join(folder, 'dist'), { recursive: true });
  symlinkSync(join(core, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  other = (await import(pathToFileURL(join(folder, 'dist', 'index.js')).href)) as typeof Core;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('DI-11: tools, services and failures of the other copy are understood', async () => {
  class Book {
    readonly pages = 12;
  }
  const { Param, Tool, ToolFailure } = other;
  @Tool('Turns to a page.', { scopes: ['read'] })
  class Turn {
    @Param('Page') page: number = 1;
    constructor(private readonly book: Book) {}
    execute() {
      if (this.page > this.book.pages) throw new ToolFailure('out_of_range', `There are ${this.book.pages} pages.`);
      return this.page;
    }
  }
  const plugin = other.definePlugin({ name: 'book', tools: [Turn], services: [Book] })() as unknown as Plugin;
  const host = await PluginHost.start({ plugins: [plugin], root: '/work' });
  const dispatcher = createDispatcher({ registry: host.registry });
  const turn = (page: number) =>
    dispatcher.dispatch({ id: 'c', name: 'turn', arguments: JSON.stringify({ page }) }, { sessionId: 's', signal: new AbortController().signal, services: host.openSession('s') });
  expect(other.ToolFailure).not.toBe((await import('../errors.js')).ToolFailure);
  expect(await turn(3)).toMatchObject({ success: true, data: 3 });
  expect(await turn(30)).toMatchObject({ code: 'out_of_range', error: 'There are 12 pages.' });
});
