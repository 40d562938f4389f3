// The audit log: one line an event, a chain that shows what was changed, no secret, and what a damaged log allows.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createAuditLog } from './audit-log.js';
import { archiveAuditLog } from './audit-log-archive.js';
import { auditPaths } from './audit-log-files.js';
import { readAuditLog, verifyAuditLog } from './audit-log-reader.js';
import type { AuditRecord } from './ports.js';
import { createRedactor } from './redact.js';
import { forms, givesAway, planted } from './testdata/planted-secrets.js';

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'haft-audit-')), 'state');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

function record(fields: object = {}): AuditRecord {
  return { event: 'call_started', at: '2026-01-02T03:04:05.678Z', sessionId: 's1', tool: 'bash', ...fields };
}

async function written(count: number, fields: (index: number) => object = (index) => ({ n: index })): Promise<ReturnType<typeof auditPaths>> {
  const log = createAuditLog(folder);
  for (let index = 0; index < count; index++) await log.append(record(fields(index)));
  log.close();
  return auditPaths(folder);
}

describe('appending', () => {
  test('one record is one line of JSON, in order, in private files', async () => {
    const { log, key, anchor } = await written(3);
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([{ seq: 1, n: 0, event: 'call_started' }, { seq: 2, n: 1 }, { seq: 3, n: 2 }]);
    for (const path of [log, key, anchor]) expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(await verifyAuditLog(folder)).toEqual({ whole: true, count: 3, problems: [], tornBytes: 0 });
  });

  test('nothing is touched before the first record, and no log is a whole log', async () => {
    createAuditLog(folder);
    expect(existsSync(folder)).toBe(false);
    expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 0 });
  });

  test('many at once keep the order of the calls', async () => {
    const log = createAuditLog(folder, { flush: true });
    await Promise.all(Array.from({ length: 50 }, (_, n) => log.append(record({ n }))));
    log.close();
    const numbers: unknown[] = [];
    await readAuditLog(folder, (line) => numbers.push((line as AuditRecord)['n']));
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, n) => n));
    expect((await verifyAuditLog(folder)).whole).toBe(true);
  });

  test('a second log on the same folder continues the chain', async () => {
    const one = createAuditLog(folder);
    const two = createAuditLog(folder);
    for (let n = 0; n < 10; n++) await (n % 2 === 0 ? one : two).append(record({ n }));
    one.close();
    two.close();
    expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 10 });
  });

  test('a file with too wide a mode is narrowed', async () => {
    const { log } = await written(1);
    const { chmodSync } = await import('node:fs');
    chmodSync(log, 0o644);
    await written(1);
    expect(statSync(log).mode & 0o777).toBe(0o600);
  });
});

describe('PERM-11: one event is one line', () => {
  test('PERM-11: names and values cannot forge a line, and nothing invisible is written raw', async () => {
    const forged = 'x\n{"event":"approved","tool":"bash"}\n\u001b[2K';
    const { log } = await written(3, (index) => [{ arguments: { path: forged } }, { tool: 'no\nsuch\ntool', ['k\ney']: 1 }, { note: 'a\u202eb\u200bc\u0085d\u2028e\ud800' }][index]!);
    const bytes = readFileSync(log, 'utf8');
    expect(bytes.trimEnd().split('\n')).toHaveLength(3);
    expect(bytes).not.toMatch(/[^\x20-\x7e\n]/);
    const records: object[] = [];
    await readAuditLog(folder, (line) => records.push(line));
    expect(records).toMatchObject([{ arguments: { path: forged } }, { tool: 'no\nsuch\ntool' }, { note: 'a\u202eb\u200bc\u0085d\u2028e\ud800' }]);
    expect(records.some((entry) => 'event' in entry && entry.event === 'approved')).toBe(false);
  });

  test('a record cannot take the place of the chain\'s own fields', async () => {
    const { log } = await written(2, () => ({ seq: 99, mac: 'f'.repeat(64) }));
    expect(JSON.parse(readFileSync(log, 'utf8').split('\n')[1]!)).toMatchObject({ seq: 2, record_seq: 99 });
    expect((await verifyAuditLog(folder)).whole).toBe(true);
  });

  test('endless texts, deep and odd values are cut, and the line stays JSON', async () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    const odd = { text: 'a'.repeat(1_000_000), loop, big: 10n, when: new Date(0), undef: undefined, fn: () => 1, error: new Error('why'), list: Array.from({ length: 5000 }, () => 1), ['__proto__x']: 1 };
    const { log } = await written(1, () => odd);
    expect(statSync(log).size).toBeLessThan(40_000);
    expect(JSON.parse(readFileSync(log, 'utf8'))).toMatchObject({ big: '10', when: '1970-01-01T00:00:00.000Z', error: 'Error: why', text: expect.stringContaining('991808 characters left out') });
  });
});

describe('PERM-10: no secret in the log', () => {
  const known = 'sk-test-abcdefghijklmnop1234';
  const secrets = [known, 'tok_9f8e7d6c5b4a3f2e', 'p4ss', 'abc123secret', 'k-55555555555'];

  test('PERM-10: secrets are gone from commands, nested keys, URLs and errors; the rest is readable', async () => {
    const log = createAuditLog(folder, { redactor: createRedactor([known]) });
    await log.append(record({ arguments: { command: `export OPENAI_API_KEY=${known}; curl -H 'Authorization: Bearer tok_9f8e7d6c5b4a3f2e' http://127.0.0.1:9` } }));
    await log.append(
      record({
        tool: 'fetch',
        arguments: { url: 'http://u:p4ss@127.0.0.1/?token=abc123secret&page=2', headers: { Authorization: 'Bearer tok_9f8e7d6c5b4a3f2e', x: { api_key: 'k-55555555555' } } },
        resources: ['http://u:p4ss@127.0.0.1/?token=abc123secret'],
      }),
    );
    await log.append(record({ error: `request failed {"api_key": "${known}"}`, detail: 'request failed {"api_key": "k-55555555555"} {\\"token\\":\\"abc123secret\\"}', status: 'error', durationMs: 3 }));
    log.close();
    const text = readFileSync(auditPaths(folder).log, 'utf8');
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    const records = text.trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(records[0]).toMatchObject({ tool: 'bash', arguments: { command: expect.stringMatching(/^export OPENAI_API_KEY=\[redacted\]; curl -H 'Authorization: .*' http:\/\/127\.0\.0\.1:9$/) } });
    expect(records[1]).toMatchObject({ arguments: { url: 'http://[redacted]@127.0.0.1/?token=[redacted]&page=2', headers: { x: { api_key: '[redacted]' } } } });
    expect(records[2]).toMatchObject({ status: 'error', durationMs: 3, error: expect.stringContaining('request failed') });
    expect((await verifyAuditLog(folder)).whole).toBe(true);
  });

  test('PERM-10: 30 secrets in every form, as names, values, lists and errors, leave nothing in any file', async () => {
    const log = createAuditLog(folder, { redactor: createRedactor(planted) });
    for (const [name, form] of Object.entries(forms)) {
      for (const secret of planted) await log.append(record({ form: name, text: `a ${form(secret)} b`, [form(secret)]: 1, deep: { list: [[{ plain: form(secret) }]] }, error: new Error(form(secret)) }));
    }
    log.close();
    expect((await verifyAuditLog(folder)).whole).toBe(true);
    const { log: path, anchor, key } = auditPaths(folder);
    const written = [path, anchor, key].map((file) => readFileSync(file, 'utf8')).join('\n');
    expect(planted.filter((secret) => givesAway(written, secret))).toEqual([]);
  });

  test('everyday text is left as it is', async () => {
    const plain = { command: 'git log --author=me && cat src/token.ts', note: 'max_tokens: 50 is the limit; the password field is empty', tokens: 12, path: 'src/secret/keys.md' };
    const { log } = await written(1, () => plain);
    expect(JSON.parse(readFileSync(log, 'utf8'))).toMatchObject(plain);
  });
});

describe('a log that cannot be written', () => {
  test.each<[string, () => void]>([
    ['the folder is a file', () => writeFileSync(folder, '')],
    ['the log is a link', () => (mkdirSync(folder), symlinkSync('/dev/null', auditPaths(folder).log))],
    ['the log is a folder', () => mkdirSync(auditPaths(folder).log, { recursive: true })],
  ])('PERM-12: %s → audit_unavailable, again and again', async (_, prepare) => {
    prepare();
    const log = createAuditLog(folder);
    for (let n = 0; n < 3; n++) await expect(log.append(record())).rejects.toMatchObject({ name: 'ToolFailure', code: 'audit_unavailable' });
    expect(existsSync(auditPaths(folder).lock)).toBe(false);
  });

  test('it is written again once the cause is mended', async () => {
    writeFileSync(folder, '');
    const log = createAuditLog(folder);
    await expect(log.append(record())).rejects.toMatchObject({ code: 'audit_unavailable' });
    rmSync(folder);
    await log.append(record());
    log.close();
    expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 1 });
  });

  test.each<[string, (paths: ReturnType<typeof auditPaths>) => void]>([
    ['records were cut off', ({ log }) => truncateSync(log, 10)],
    ['the log was removed', ({ log }) => rmSync(log)],
    ['the anchor was removed', ({ anchor }) => rmSync(anchor)],
    ['the anchor was changed', ({ anchor }) => writeFileSync(anchor, readFileSync(anchor, 'latin1').replace('"count":3', '"count":2'))],
    ['the key was changed', ({ key }) => writeFileSync(key, 'a'.repeat(64))],
    ['the key was removed', ({ key }) => rmSync(key)],
    ['something was added', ({ log }) => writeFileSync(log, '{"seq":4,"event":"approval"}\n', { flag: 'a' })],
  ])('%s: nothing is added to it until someone looks', async (_, damage) => {
    const paths = await written(3);
    damage(paths);
    await expect(createAuditLog(folder).append(record())).rejects.toMatchObject({ code: 'audit_unavailable', message: expect.stringContaining('haft audit archive') });
    expect((await verifyAuditLog(folder)).whole).toBe(false);
    const archive = await archiveAuditLog(folder);
    await written(2);
    expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 2 });
    expect((await verifyAuditLog(folder, archive)).whole).toBe(false);
  });

  test('set aside while a writer has it open, it is kept whole, and the writer goes on in a new one', async () => {
    expect(await archiveAuditLog(folder)).toBeUndefined();
    const log = createAuditLog(folder);
    for (let n = 0; n < 3; n++) await log.append(record({ n }));
    const archive = await archiveAuditLog(folder);
    await log.append(record({ n: 3 }));
    log.close();
    expect(await verifyAuditLog(folder, archive)).toMatchObject({ whole: true, count: 3 });
    expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 1 });
    expect(await archiveAuditLog(join(folder, 'nowhere'))).toBeUndefined();
    expect((await verifyAuditLog(folder, 'never-there')).whole).toBe(false);
    await expect(verifyAuditLog(folder, '../x')).rejects.toThrow('not the name');
  });

  test('moved away as a whole, a new one begins', async () => {
    const paths = await written(3);
    const log = createAuditLog(folder);
    await log.append(record());
    for (const path of [paths.log, paths.anchor]) renameSync(path, `${path}.old`);
    await log.append(record());
    log.close();
    expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 1 });
  });
});

describe('an unfinished last line', () => {
  test('is cut off at every position where a crash can leave it, and nothing acknowledged is lost', async () => {
    const paths = await written(3);
    const whole = readFileSync(paths.log);
    const anchor = readFileSync(paths.anchor);
    await written(1);
    const last = readFileSync(paths.log).subarray(whole.length);
    for (let cut = 1; cut < last.length; cut++) {
      writeFileSync(paths.log, Buffer.concat([whole, last.subarray(0, cut)]));
      writeFileSync(paths.anchor, anchor);
      expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 3, tornBytes: cut });
      await written(1);
      expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 4, tornBytes: 0 });
    }
  });

  test('a whole line that the anchor does not know yet is kept', async () => {
    const paths = await written(3);
    const anchor = readFileSync(paths.anchor);
    await written(1);
    writeFileSync(paths.anchor, anchor);
    expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 4 });
    await written(1);
    expect(await verifyAuditLog(folder)).toMatchObject({ whole: true, count: 5 });
  });
});

describe('verify', () => {
  type Change = (lines: string[], random: (below: number) => number) => string[];
  const changes: Record<string, Change> = {
    'a changed character': (lines, random) => {
      const line = random(lines.length);
      const at = random(lines[line]!.length);
      const other = lines[line]![at] === 'x' ? 'y' : 'x';
      return lines.with(line, lines[line]!.slice(0, at) + other + lines[line]!.slice(at + 1));
    },
    'a removed line': (lines, random) => lines.toSpliced(random(lines.length), 1),
    'a line twice': (lines, random) => lines.toSpliced(random(lines.length), 0, lines[random(lines.length)]!),
    'two lines swapped': (lines, random) => {
      const one = random(lines.length);
      const two = (one + 1 + random(lines.length - 1)) % lines.length;
      return lines.with(one, lines[two]!).with(two, lines[one]!);
    },
    'a changed field': (lines, random) => {
      const line = random(lines.length);
      return lines.with(line, lines[line]!.replace('"tool":"bash"', '"tool":"read"'));
    },
    'a forged line': (lines, random) => lines.toSpliced(random(lines.length + 1), 0, lines[0]!.replace(/"seq":1/, `"seq":${1 + random(lines.length)}`)),
    'a cut tail': (lines, random) => lines.slice(0, random(lines.length)),
    'lines renumbered after a removal': (lines, random) => {
      const gone = random(lines.length - 1);
      return lines.toSpliced(gone, 1).map((line, index) => line.replace(/"seq":\d+/, `"seq":${index + 1}`));
    },
    'an emptied log': () => [],
  };

  test('finds 1,000 of 1,000 tamperings', async () => {
    const paths = await written(12, (index) => ({ n: index, text: 'payload '.repeat(index) }));
    const lines = readFileSync(paths.log, 'utf8').trimEnd().split('\n');
    const kept = join(folder, 'kept');
    copyFileSync(paths.log, kept);
    let found = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(changes)), fc.infiniteStream(fc.nat()), async (name, numbers) => {
        const changed = changes[name]!(lines, (below) => Number(numbers.next().value) % below);
        fc.pre(changed.join('\n') !== lines.join('\n'));
        writeFileSync(paths.log, changed.map((line) => `${line}\n`).join(''));
        const { whole, problems } = await verifyAuditLog(folder);
        expect({ name, whole, told: problems.length > 0 }).toEqual({ name, whole: false, told: true });
        found++;
      }),
      { numRuns: 1000 },
    );
    expect(found).toBe(1000);
    copyFileSync(kept, paths.log);
    expect((await verifyAuditLog(folder)).whole).toBe(true);
  });

  test.each<[string, (paths: ReturnType<typeof auditPaths>) => void, string]>([
    ['a cut tail, by the anchor', ({ log }) => writeFileSync(log, readFileSync(log, 'utf8').split('\n').slice(0, 2).join('\n') + '\n'), '1 records were cut off the end'],
    ['a cut within the last line', ({ log }) => truncateSync(log, statSync(log).size - 5), '1 records were cut off the end'],
    ['a changed line, by its number', ({ log }) => writeFileSync(log, readFileSync(log, 'utf8').replace('"n":1', '"n":7')), 'line 2 was changed'],
    ['a line that is none', ({ log }) => writeFileSync(log, readFileSync(log, 'utf8').replace('\n', '\nhello\n')), 'line 2 is not an audit line'],
    ['a missing log', ({ log }) => rmSync(log), '3 records were cut off'],
    ['a missing anchor', ({ anchor }) => rmSync(anchor), 'the anchor is missing'],
    ['a missing key', ({ key }) => rmSync(key), 'the key is missing'],
    ['bytes that are not UTF-8', ({ log }) => writeFileSync(log, Buffer.concat([readFileSync(log), Buffer.from([0xff, 0x0a])])), 'line 4 is not'],
  ])('names %s', async (_, damage, problem) => {
    damage(await written(3));
    const { whole, problems } = await verifyAuditLog(folder);
    expect(whole).toBe(false);
    expect(problems.join('; ')).toContain(problem);
  });
});
