// The format of the audit log and of the grants file: golden lines, so that logs of today can be read tomorrow, and the laws of the chain.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anchorBytes, checkLine, emptyHead, formatAnchor, formatLine, parseAnchor } from './audit-log-chain.js';
import { auditable } from './audit-record.js';
import { foldGrants, formatGrant } from './grant-records.js';
import type { AuditRecord } from './ports.js';

const key = Buffer.alloc(32, 7);
const record: AuditRecord = { event: 'call_started', at: '2026-01-02T03:04:05.678Z', sessionId: 's1', callId: 'c1', tool: 'bash', arguments: { command: 'echo "ü\u202e\n"' } };

test('the first two lines of a log', () => {
  const first = formatLine(record, emptyHead, key);
  const second = formatLine({ event: 'call_finished', at: '2026-01-02T03:04:05.700Z', sessionId: 's1', callId: 'c1', status: 'success' }, first.head, key);
  expect(first.line + second.line).toBe(
    '{"seq":1,"event":"call_started","at":"2026-01-02T03:04:05.678Z","sessionId":"s1","callId":"c1","tool":"bash","arguments":{"command":"echo \\"ü\\u202e\\n\\""},"mac":"a2ba62c9c4c1a7e4d157fc7bc7e2e56ec591ca13bc2fb0772f2e47ac6f6cbd76"}\n{"seq":2,"event":"call_finished","at":"2026-01-02T03:04:05.700Z","sessionId":"s1","callId":"c1","status":"success","mac":"10417cfda33c363cf526d4bc37fb4a81a43fb12b216bcfd2a807c50511b24f5e"}\n',
  );
});

test('the anchor', () => {
  const { head } = formatLine(record, emptyHead, key);
  expect(formatAnchor(head, key).trimEnd()).toBe('{"count":1,"bytes":229,"head":"a2ba62c9c4c1a7e4d157fc7bc7e2e56ec591ca13bc2fb0772f2e47ac6f6cbd76","mac":"0427067204e426c220bda653ed5515a89d08af92a9e4cc8b396b06bc25280c9e"}');
  expect(formatAnchor(head, key)).toHaveLength(anchorBytes);
});

test('a grant', () => {
  const grant = { id: 'g0123456789', rule: "bash(git commit -m 'a b')", root: '/w', sessionId: 's1', at: '2026-01-02T03:04:05.678Z' };
  const line = `{"op":"add","id":"g0123456789","rule":"bash(git commit -m 'a b')","root":"/w","sessionId":"s1","at":"2026-01-02T03:04:05.678Z"}`;
  expect(formatGrant(grant)).toBe(`${line}\n`);
  expect(foldGrants([line])).toEqual([grant]);
  expect(foldGrants([line, '{"op":"revoke","id":"g0123456789","at":"x"}'])).toEqual([]);
});

test('any record is one line that checks, says the same when read, and fails under another key or after another line', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary', maxLength: 8 }), fc.jsonValue({ maxDepth: 3 })), fc.nat(1000), (fields, count) => {
      const given = auditable({ ...fields, ...record, arguments: fields });
      const before = { count, bytes: count * 100, mac: 'a'.repeat(64) };
      const { line, head } = formatLine(given, before, key);
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(line).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
      const bytes = Buffer.from(line.slice(0, -1));
      expect(checkLine(bytes, before, key)).toEqual(head);
      expect(JSON.parse(line)).toMatchObject(JSON.parse(JSON.stringify(given)) as object);
      expect(typeof checkLine(bytes, before, Buffer.alloc(32, 8))).toBe('string');
      expect(typeof checkLine(bytes, { ...before, mac: 'b'.repeat(64) }, key)).toBe('string');
      expect(typeof checkLine(bytes, { ...before, count: count + 1 }, key)).toBe('string');
    }),
    { numRuns: 1000 },
  );
});

test('an anchor reads back, and no changed byte of it does', () => {
  const text = formatAnchor({ count: 12, bytes: 3456, mac: 'c'.repeat(64) }, key);
  expect(parseAnchor(text, key)).toEqual({ count: 12, bytes: 3456, mac: 'c'.repeat(64) });
  for (let at = 0; at < text.length; at++) {
    for (const char of ['0', ' ', 'f', '\n', '"']) {
      if (text[at] !== char) expect(parseAnchor(text.slice(0, at) + char + text.slice(at + 1), key)).toBeUndefined();
    }
  }
});
