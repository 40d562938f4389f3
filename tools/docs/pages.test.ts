// The generated pages say what the code says, and every code that the shipped packages use stands in the table.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { errorCodes } from '../../packages/core/dist/index.js';
import { pages } from './pages.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

test.each(Object.entries(pages))('docs/%s is up to date (npm run docs)', (file, render) => {
  expect(readFileSync(join(root, 'docs', file), 'utf8')).toBe(render());
});

test('every code that a shipped package gives to a ToolFailure stands in the table', () => {
  const used = new Set(sources().flatMap((text) => [...text.matchAll(/new ToolFailure\(\s*'([a-z_]+)'/g)].map((match) => String(match[1]))));
  expect([...used].filter((code) => !(code in errorCodes))).toEqual([]);
});

function sources(): string[] {
  const folders = ['packages', 'plugins'].flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name, 'src')));
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)));
  return files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts')).map((file) => readFileSync(file, 'utf8'));
}
