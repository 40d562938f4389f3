// Grants on disk: what is kept, revoked, refused and reported.
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SetupError } from '../errors.js';
import { createGrantStore } from './grant-store.js';
import { MemoryAuditLog } from './memory-audit-log.js';

let folder = '';
let file = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'haft-grants-')), 'state');
  file = join(folder, 'grants.jsonl');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const open = (root = '/w') => createGrantStore(folder, { root });
const current = (store: ReturnType<typeof open>, session = 's') => store.current(session).map(({ rule, source }) => `${source.kind} ${rule.text}`);

describe('grants', () => {
  test('"always" is there for other processes, in a private file; "session" only here and in that session', async () => {
    const store = open();
    const [always] = await store.add(['bash(git status)'], 'always', 's');
    await store.add(['write_file(a)', 'write_file(b)'], 'session', 's');
    expect(current(store)).toEqual(['grant bash(git status)', 'session write_file(a)', 'session write_file(b)']);
    expect(current(store, 'other')).toEqual(['grant bash(git status)']);
    expect(current(open())).toEqual(['grant bash(git status)']);
    expect(open().list()).toMatchObject([{ id: always, rule: 'bash(git status)', scope: 'always', root: '/w', sessionId: 's' }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('a grant counts in the workspace it was given in, and nowhere else', async () => {
    await open('/w').add(['write_file(a)'], 'always', 's');
    expect(current(open('/other'))).toEqual([]);
    expect(current(open('/w'))).toEqual(['grant write_file(a)']);
  });

  test('a revoked grant is gone, also for a store that had read it', async () => {
    const one = open();
    const two = open();
    const [id = ''] = await one.add(['bash(ls)'], 'always', 's');
    const [other = ''] = await one.add(['bash(pwd)'], 'session', 's');
    expect(current(two)).toEqual(['grant bash(ls)']);
    expect(await two.revoke(id)).toBe(true);
    expect(current(one)).toEqual(['session bash(pwd)']);
    expect(await one.revoke(other)).toBe(true);
    expect(current(one)).toEqual([]);
    expect(await one.revoke(id)).toBe(false);
    expect(await one.revoke('nonsense')).toBe(false);
  });

  test('a rule that is none is refused, and nothing of its batch is stored', async () => {
    await expect(open().add(['bash(ls)', 'bash('], 'always', 's')).rejects.toThrow(SetupError);
    expect(current(open())).toEqual([]);
  });

  test('without a folder "always" lasts as long as the process, for every session', async () => {
    const store = createGrantStore(undefined, { root: '/w' });
    await store.add(['bash(ls)'], 'always', 's');
    expect(current(store, 'other')).toEqual(['grant bash(ls)']);
  });

  test('grants and revocations are audited; a grant that cannot be audited is not given', async () => {
    const audit = new MemoryAuditLog();
    const store = createGrantStore(folder, { root: '/w', audit });
    const [id = ''] = await store.add(['bash(ls)'], 'always', 's');
    await store.revoke(id);
    expect(audit.records).toMatchObject([{ event: 'grant_added', sessionId: 's', scope: 'always', grants: [{ id, rule: 'bash(ls)' }] }, { event: 'grant_revoked', id, rule: 'bash(ls)' }]);
    const closed = createGrantStore(folder, { root: '/w', audit: { append: () => Promise.reject(new Error('disk full')) } });
    await expect(closed.add(['bash(ls)'], 'always', 's')).rejects.toThrow('disk full');
    expect(current(open())).toEqual([]);
  });

  test('an unfinished last line was never acknowledged: it does not count, and the next grant is not glued to it', async () => {
    await open().add(['bash(ls)'], 'always', 's');
    const whole = statSync(file).size;
    await open().add(['bash(pwd)'], 'always', 's');
    const bytes = readFileSync(file);
    for (let cut = whole + 1; cut < bytes.length; cut += 7) {
      writeFileSync(file, bytes);
      truncateSync(file, cut);
      expect(current(open())).toEqual(['grant bash(ls)']);
      await open().add(['bash(id)'], 'always', 's');
      expect(current(open())).toEqual(['grant bash(ls)', 'grant bash(id)']);
    }
  });

  test.each<[string, () => void]>([
    ['a line that is not JSON', () => appendFileSync(file, 'hello\n')],
    ['a damaged revocation', () => appendFileSync(file, '{"op":"revoke","id":"g1\n')],
    ['a grant without a workspace', () => appendFileSync(file, '{"op":"add","id":"g1","rule":"*","at":"x","sessionId":"s"}\n')],
    ['a rule that is none', () => appendFileSync(file, '{"op":"add","id":"g1","rule":"bash(","root":"/w","at":"x","sessionId":"s"}\n')],
    ['a file that others can write', () => chmodSync(file, 0o666)],
  ])('%s: no stored grant counts, and nothing is added', async (_, damage) => {
    const store = open();
    await store.add(['bash(ls)'], 'always', 's');
    expect(store.problem()).toBeUndefined();
    damage();
    expect(current(store)).toEqual([]);
    expect(store.problem()).toContain(file);
    await expect(store.add(['bash(ls)'], 'always', 's')).rejects.toThrow('do not count');
    await store.add(['bash(pwd)'], 'session', 's');
    expect(current(store)).toEqual(['session bash(pwd)']);
  });
});
