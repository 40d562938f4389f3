// Every link between the pages leads to a file that is there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const pages = ['README.md', 'README.zh.md', ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`)];

test.each(pages)('%s', (page) => {
  const text = readFileSync(join(root, page), 'utf8').replace(/```[\s\S]*?```/g, '');
  const targets = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map((match) => String(match[1])).filter((target) => !/^[a-z]+:/.test(target));
  expect(targets.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
});

test('every page of docs/ is reached from the README', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const own = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md'));
  expect(own.filter((file) => !readme.includes(`docs/${file}`))).toEqual([]);
});
