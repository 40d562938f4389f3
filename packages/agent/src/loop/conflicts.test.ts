// Which calls may run at the same time: a table, and the law that order does not matter.
import { expect, test } from '@jest/globals';
import type { AccessMode, CanonicalAccess, PlannedCall, ResourceKind, Scope } from '@haft/core';
import fc from 'fast-check';
import { conflict } from './conflicts.js';

const call = (scopes: Scope[], ...accesses: [ResourceKind, AccessMode, string][]): PlannedCall =>
  ({ scopes, accesses: accesses.map(([kind, mode, resource]): CanonicalAccess => ({ kind, mode, value: resource, resource })) }) as PlannedCall;

const read = (path: string) => call(['read'], ['path', 'read', path]);
const write = (path: string) => call(['write'], ['path', 'write', path]);
const find = (glob: string) => call(['read'], ['glob', 'read', glob]);
const bash = call(['dangerous'], ['command', 'write', '["ls"]']);
const pure = call([]);
const get = call(['network'], ['url', 'read', 'https://a.org:443']);
const post = call(['network'], ['url', 'write', 'https://a.org:443']);

test.each<[string, PlannedCall, PlannedCall, boolean]>([
  ['two reads of one file', read('a'), read('a'), false],
  ['a read and a write of one file', read('a'), write('a'), true],
  ['two writes of one file', write('a'), write('a'), true],
  ['writes of two files', write('a'), write('b'), false],
  ['a write in a folder that is listed', write('src/a.ts'), read('src'), true],
  ['a write beside a folder with the same beginning', write('src2/a.ts'), read('src'), false],
  ['a write and a search of everything', write('a'), read('.'), true],
  ['a write under the fixed part of a glob', write('src/x/a.ts'), find('src/**/*.ts'), true],
  ['a write outside the fixed part of a glob', write('docs/a.md'), find('src/**/*.ts'), false],
  ['a glob of everything', write('docs/a.md'), find('**/*.ts'), true],
  ['a command and a read', bash, read('a'), true],
  ['two commands', bash, bash, true],
  ['a command and a tool that touches nothing', bash, pure, false],
  ['a write that names no resource, and a read', call(['write']), read('a'), true],
  ['two requests to one host', get, get, false],
  ['a request that changes and one that reads, one host', post, get, true],
  ['a request and a write of a file', get, write('a'), false],
])('%s → waits: %p', (_name, one, other, waits) => {
  expect([conflict(one, other), conflict(other, one)]).toEqual([waits, waits]);
});

test('who waits for whom does not depend on who is named first, and reads never wait for reads', () => {
  const access = fc.tuple(fc.constantFrom<ResourceKind>('path', 'glob', 'command', 'url', 'secret'), fc.constantFrom<AccessMode>('read', 'write'), fc.constantFrom('a', 'a/b', 'ab', '.', '**', 'a/*', 'x'));
  const any = fc.tuple(fc.subarray<Scope>(['read', 'write', 'network', 'dangerous']), fc.array(access, { maxLength: 3 })).map(([scopes, accesses]) => call(scopes, ...accesses));
  fc.assert(fc.property(any, any, (one, other) => {
    expect(conflict(one, other)).toBe(conflict(other, one));
  }));
  fc.assert(fc.property(fc.array(fc.constantFrom('a', 'a/b', '.'), { minLength: 2, maxLength: 2 }), ([one = '', other = '']) => {
    expect(conflict(read(one), read(other))).toBe(false);
  }));
});
