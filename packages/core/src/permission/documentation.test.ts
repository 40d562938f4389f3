// docs/permissions.md says what this folder does: its rules parse, and its examples are decided as it says.
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { fakeTool } from '../testing/fake-tool.js';
import { createAccessResolver } from './access-resolver.js';
import { permissionModes } from './permission-mode.js';
import { createPolicy } from './permission-policy.js';
import { parseRule } from './rule.js';

const page = readFileSync(new URL('../../../../docs/permissions.md', import.meta.url), 'utf8');
const rows = (columns: number): string[][] =>
  page.split('\n').filter((line) => /^\| .*\|$|^\| \|/.test(line)).map((line) => line.slice(1, -1).split('|').map((cell) => cell.trim())).filter((cells) => cells.length === columns && !cells[0]!.startsWith('-'));
const codes = (cell: string): string[] => Array.from(cell.replace(/<\/?code>/g, '`').replaceAll('&#124;', '|').matchAll(/`([^`]+)`/g), (match) => match[1]!);

const resolver = createAccessResolver({
  async resolve(path) {
    const absolute = new URL(path, 'file:///w/').pathname;
    return { absolute, relative: absolute.slice(3), inside: absolute.startsWith('/w/') };
  },
});
const tools = {
  read_file: [fakeTool({ name: 'read_file' }), { kind: 'path', mode: 'read' }],
  write_file: [fakeTool({ name: 'write_file', scopes: ['write'] }), { kind: 'path', mode: 'write' }],
  bash: [fakeTool({ name: 'bash', scopes: ['dangerous'] }), { kind: 'command', mode: 'write' }],
  fetch: [fakeTool({ name: 'fetch', scopes: ['network'] }), { kind: 'url', mode: 'read' }],
} as const;

test('every rule on the page parses', () => {
  const rules = page.match(/`(?:[a-z_]+\([^`]+\)|scope:[^`]+)`/g) ?? [];
  expect(rules.length).toBeGreaterThan(20);
  for (const rule of rules) expect(() => parseRule(rule.slice(1, -1))).not.toThrow();
});

test('every example is decided as the page says', async () => {
  const examples = rows(5).filter((cells) => cells[4] !== 'verdict');
  expect(examples.length).toBeGreaterThanOrEqual(20);
  for (const [allow = '', ask = '', deny = '', call = '', verdict] of examples) {
    const [name, value = ''] = codes(call);
    const [tool, access] = tools[name as keyof typeof tools];
    const accesses = await resolver.resolve({ ...access, value });
    const policy = createPolicy({ rules: [{ source: { kind: 'user', where: 'page' }, allow: codes(allow), ask: codes(ask), deny: codes(deny) }] });
    expect(`${allow} ${ask} ${deny} ${call}: ${policy.decide({ tool, accesses, sessionId: 's' }).verdict}`).toBe(`${allow} ${ask} ${deny} ${call}: ${verdict ?? ''}`);
  }
});

test('the modes on the page are the modes there are', () => {
  const named = rows(2).map(([mode = '']) => codes(mode)[0]).filter((mode) => permissionModes.some((known) => known === mode));
  expect(named.toSorted()).toEqual(permissionModes.toSorted());
});
