// docs/configuration.md names every setting and every variable, and no other.
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { configShape, keysOf } from './config-shape.js';
import { ownVariableNames } from './environment.js';

const page = readFileSync('docs/configuration.md', 'utf8');

function firstColumn(heading: string): string[] {
  const section = page.slice(page.indexOf(heading));
  const rows = section.split('\n\n').find((part) => part.startsWith('| ')) ?? '';
  return rows.split('\n').slice(2).flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

test('the settings', () => {
  expect(firstColumn('## Settings').sort()).toEqual(keysOf(configShape, '').sort());
});

test('the variables', () => {
  const named = firstColumn('## Where a setting').map((name) => name.replace(/=.*/, ''));
  expect(named.sort()).toEqual([...ownVariableNames, 'HAFT_CONFIG', 'HAFT_TRUST'].sort());
});
