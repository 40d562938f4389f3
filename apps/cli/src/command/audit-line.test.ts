// What `haft audit show` says of each kind of record.
import { expect, test } from '@jest/globals';
import type { ReadRecord } from '@haft/core';
import { auditLine } from './audit-line.js';

const about = { at: '2026-01-02T03:04:05.678Z', sessionId: 's1', callId: 'c1', tool: 'bash' };
const resources = [{ kind: 'command', mode: 'write', resource: '["git","commit","-m","a b"]' }, { kind: 'path', mode: 'read', resource: '.' }];

test.each<[ReadRecord, string]>([
  [{ ...about, event: 'call_started', resources, hash: 'h', decision: { verdict: 'allow', rule: 'bash(git *)', source: { kind: 'user', where: 'config.json' } } }, "2026-01-02 03:04:05  call_started   bash git commit -m 'a b', .  allow: bash(git *) (user config.json)  (s1 c1)"],
  [{ ...about, event: 'call_finished', status: 'error', code: 'exit_status', durationMs: 12.6, retryCount: 0 }, '2026-01-02 03:04:05  call_finished  bash  error exit_status 13 ms  (s1 c1)'],
  [{ ...about, event: 'call_refused', tool: 'read_file', arguments: { path: '../x' }, code: 'path_outside_workspace', error: 'it leads outside' }, '2026-01-02 03:04:05  call_refused   read_file {"path":"../x"}  path_outside_workspace: it leads outside  (s1 c1)'],
  [{ ...about, event: 'approval', resources, answer: 'deny', reason: 'not\nnow' }, "2026-01-02 03:04:05  approval       bash git commit -m 'a b', .  deny: not now  (s1 c1)"],
  [{ at: about.at, sessionId: 's1', event: 'grant_added', scope: 'always', root: '/w', grants: [{ id: 'g1', rule: 'bash(ls)' }] }, '2026-01-02 03:04:05  grant_added    always: bash(ls)  (s1)'],
  [{ at: about.at, sessionId: 's1', event: 'grant_revoked', id: 'g1', rule: 'bash(ls)', root: '/w' }, '2026-01-02 03:04:05  grant_revoked  bash(ls)  (s1)'],
  [{ unreadable: 'no\u001b[2Kjson' }, 'unreadable: no^[[2Kjson'],
])('%j', (record, line) => {
  expect(auditLine(record)).toBe(line);
});
