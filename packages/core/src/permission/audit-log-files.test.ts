// An audit log of several files: one chain through all, whatever moment a process dies at, and nothing changed in any goes unseen.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createAuditLog } from './audit-log.js';
import { emptyHead, formatAnchor } from './audit-log-chain.js';
import { archiveAuditLog } from './audit-log-archive.js';
import { auditPart, auditParts, auditPaths } from './audit-log-files.js';
import { readAuditLog, verifyAuditLog } from './audit-log-reader.js';

/** A record is a little over 200 bytes, so that a file is full after three. */
const maxFileBytes = 500;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'haft-audit-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function append(from: number, to: number): Promise<void> {
  const log = createAuditLog(folder, { maxFileBytes, flush: true });
  for (let n = from; n <= to; n++) await log.append({ event: 'call_started', at: '2026-01-02T03:04:05.678Z', sessionId: 's1', tool: 'bash', n, filler: 'x'.repeat(50) });
  log.close();
}

async function numbers(last?: number): Promise<unknown[]> {
  const found: unknown[] = [];
  await readAuditLog(folder, (record) => found.push((record as { n?: number }).n), last);
  return found;
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

test('a full file is named after its last record, and the chain goes on', async () => {
  await append(1, 10);
  expect(readdirSync(folder).toSorted()).toEqual(['audit-000000000003.jsonl', 'audit-000000000006.jsonl', 'audit-000000000009.jsonl', 'audit.anchor', 'audit.jsonl', 'audit.key']);
  expect(statSync(auditPart(folder, 3).path).mode & 0o777).toBe(0o600);
  expect(await verifyAuditLog(folder)).toEqual({ whole: true, count: 10, problems: [], tornBytes: 0 });
  expect(await numbers()).toEqual(upTo(10));
});

test('the last records are read without the older files', async () => {
  await append(1, 10);
  expect((await numbers(1)).slice(-1)).toEqual([10]);
  expect(await numbers(1)).toEqual([10]);
  expect(await numbers(2)).toEqual([7, 8, 9, 10]);
  expect(await numbers(5)).toEqual([4, 5, 6, 7, 8, 9, 10]);
  expect(await numbers(99)).toEqual(upTo(10));
});

test('a writer that has the file open goes on in the next one when another has turned it', async () => {
  const one = createAuditLog(folder, { maxFileBytes });
  const two = createAuditLog(folder, { maxFileBytes });
  for (const n of upTo(20)) await (n % 2 === 0 ? one : two).append({ event: 'approval', at: 'x', sessionId: 's', n, filler: 'x'.repeat(60) });
  one.close();
  two.close();
  expect(auditParts(folder).length).toBeGreaterThan(4);
  expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 20 });
});

describe('a process that died', () => {
  test('after it named the full file: whole, and the next record follows', async () => {
    await append(1, 6);
    renameSync(auditPaths(folder).log, auditPart(folder, 6).path);
    expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 6 });
    await append(7, 8);
    expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 8 });
    expect(await numbers()).toEqual(upTo(8));
  });

  test('before the anchor knew the last record of the file', async () => {
    await append(1, 5);
    const anchor = readFileSync(auditPaths(folder).anchor);
    await append(6, 6);
    writeFileSync(auditPaths(folder).anchor, anchor);
    await append(7, 7);
    expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 7 });
    expect(auditParts(folder).map(({ last }) => last)).toEqual([3, 6]);
  });

  test('after the anchor said that the next file is empty, or in the middle of its first record', async () => {
    await append(1, 7);
    const { log, anchor, key } = auditPaths(folder);
    const turned = { count: 6, bytes: 0, mac: (JSON.parse(readFileSync(auditPart(folder, 6).path, 'utf8').split('\n')[2]!) as { mac: string }).mac };
    const begun = readFileSync(log);
    for (const cut of [0, 1, begun.length - 1, begun.length]) {
      writeFileSync(anchor, formatAnchor(turned, Buffer.from(readFileSync(key, 'latin1'), 'hex')));
      writeFileSync(log, begun.subarray(0, cut));
      const kept = cut === begun.length ? 7 : 6;
      expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: kept, tornBytes: kept === 7 ? 0 : cut });
      await append(8, 8);
      expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: kept + 1, tornBytes: 0 });
    }
  });

  test('after the very first record, before the anchor knew it', async () => {
    await append(1, 1);
    const { anchor, key } = auditPaths(folder);
    writeFileSync(anchor, formatAnchor(emptyHead, Buffer.from(readFileSync(key, 'latin1'), 'hex')));
    await append(2, 2);
    expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 2 });
  });
});

describe('what was done to it is found, and nothing more is written', () => {
  test.each<[string, () => void, string]>([
    ['the oldest file was removed', () => rmSync(auditPart(folder, 3).path), 'audit-000000000006.jsonl line 1 has number 4 where 1 belongs'],
    ['a file in the middle was removed', () => rmSync(auditPart(folder, 6).path), 'audit-000000000009.jsonl line 1 has number 7 where 4 belongs'],
    ['a line of an older file was changed', () => change(auditPart(folder, 6).path, (text) => text.replace('"n":5', '"n":6')), 'audit-000000000006.jsonl line 2 was changed'],
    ['an older file was cut', () => truncateSync(auditPart(folder, 6).path, 100), 'audit-000000000006.jsonl line 1 is not an audit line'],
    ['the last record of an older file was taken away', () => change(auditPart(folder, 9).path, (text) => text.split('\n').slice(0, 2).join('\n') + '\n'), 'audit-000000000009.jsonl ends with record 8'],
    ['files were exchanged', () => { renameSync(auditPart(folder, 3).path, join(folder, 'x')); renameSync(auditPart(folder, 6).path, auditPart(folder, 3).path); renameSync(join(folder, 'x'), auditPart(folder, 6).path); }, 'audit-000000000003.jsonl line 1 has number 4'],
    ['an empty file was added', () => writeFileSync(auditPart(folder, 11).path, ''), 'audit-000000000011.jsonl ends with record 9'],
    ['the file that is written was removed', () => rmSync(auditPaths(folder).log), '1 records were cut off the end'],
    ['it and the last full one were removed', () => { rmSync(auditPaths(folder).log); rmSync(auditPart(folder, 9).path); }, '4 records were cut off the end'],
    ['the anchor was removed', () => rmSync(auditPaths(folder).anchor), 'the anchor is missing'],
    ['everything but the full files was removed', () => { for (const path of [auditPaths(folder).log, auditPaths(folder).anchor, auditPaths(folder).key]) rmSync(path); }, 'the key is missing'],
  ])('%s', async (_, damage, problem) => {
    await append(1, 10);
    damage();
    const { whole, problems } = await verifyAuditLog(folder);
    expect({ whole, problems: problems.join('; ') }).toEqual({ whole: false, problems: expect.stringContaining(problem) });
    const archive = await archiveAuditLog(folder);
    expect(readdirSync(folder).filter((name) => /^audit[-.](?:\d{12}\.|jsonl|anchor|key)/.test(name))).toEqual([]);
    expect((await verifyAuditLog(folder, archive)).whole).toBe(false);
    await append(1, 5);
    expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 5 });
  });

  test.each<[string, () => void]>([
    ['the file that is written was removed', () => rmSync(auditPaths(folder).log)],
    ['the anchor was removed with it', () => { rmSync(auditPaths(folder).log); rmSync(auditPaths(folder).anchor); }],
    ['everything but the full files was removed', () => { for (const path of [auditPaths(folder).log, auditPaths(folder).anchor, auditPaths(folder).key]) rmSync(path); }],
    ['a smaller file stands where the full one did', () => { rmSync(auditPaths(folder).log); writeFileSync(auditPart(folder, 10).path, 'x\n'); }],
  ])('no record is added after %s', async (_, damage) => {
    await append(1, 10);
    damage();
    await expect(append(11, 11)).rejects.toMatchObject({ code: 'audit_unavailable' });
  });

  test.each<[string, () => void, string]>([
    ['a pipe', () => spawnSync('/usr/bin/mkfifo', [auditPart(folder, 11).path]), 'audit-000000000011.jsonl cannot be read: it is not a regular file'],
    ['a pipe in place of the log', () => { rmSync(auditPaths(folder).log); spawnSync('/usr/bin/mkfifo', [auditPaths(folder).log]); }, 'the log cannot be read: it is not a regular file'],
    ['a pipe in place of the anchor', () => { rmSync(auditPaths(folder).anchor); spawnSync('/usr/bin/mkfifo', [auditPaths(folder).anchor]); }, 'the anchor is missing'],
    ['a folder', () => mkdirSync(auditPart(folder, 11).path), 'audit-000000000011.jsonl cannot be read'],
    ['a link', () => symlinkSync('/dev/zero', auditPart(folder, 11).path), 'audit-000000000011.jsonl cannot be read'],
    ['a longer number', () => writeFileSync(join(folder, 'audit-0000000000025.jsonl'), 'x\n'), 'audit-0000000000025.jsonl line 1'],
    ['a number beyond all', () => writeFileSync(join(folder, 'audit-99999999999999999999.jsonl'), 'x\n'), 'audit-99999999999999999999.jsonl line 1'],
  ])('%s among the files is told, and keeps nobody waiting', async (_, put, problem) => {
    await append(1, 10);
    put();
    const { whole, problems } = await verifyAuditLog(folder);
    expect({ whole, problems: problems.join('; ') }).toEqual({ whole: false, problems: expect.stringContaining(problem) });
    expect((await numbers()).length).toBeGreaterThanOrEqual(9);
    await archiveAuditLog(folder);
    expect(readdirSync(folder).filter((name) => name.startsWith('audit-'))).toEqual([]);
    await append(1, 5);
    expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 5 });
  });

  test('nothing is written into a pipe', async () => {
    spawnSync('/usr/bin/mkfifo', [auditPaths(folder).log]);
    await expect(append(1, 1)).rejects.toMatchObject({ code: 'audit_unavailable', message: expect.stringContaining('not a regular file') });
  });

  test('set aside, all files go together and are verified as one', async () => {
    await append(1, 10);
    const archive = await archiveAuditLog(folder);
    expect(auditParts(folder, archive).map(({ last }) => last)).toEqual([3, 6, 9]);
    expect(existsSync(auditPaths(folder).log)).toBe(false);
    await append(1, 4);
    expect(await verifyAuditLog(folder, archive)).toMatchObject({ whole: true, count: 10 });
    expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 4 });
  });
});

function change(path: string, how: (text: string) => string): void {
  writeFileSync(path, how(readFileSync(path, 'utf8')));
}
