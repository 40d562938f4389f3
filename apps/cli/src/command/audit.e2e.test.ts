// `haft audit` over a log of several files: shown, verified and set aside as one.
import { afterAll, expect, test } from '@jest/globals';
import { createAuditLog } from '@haft/core';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HaftHome } from '../../test/haft-process.js';

const haft = new HaftHome();
const state = join(haft.folder, 'state');
afterAll(() => haft.remove());

test('full files are read, verified and set aside together', async () => {
  const log = createAuditLog(state, { maxFileBytes: 300 });
  for (let n = 1; n <= 9; n++) await log.append({ event: 'approval', at: '2026-01-02T03:04:05.678Z', sessionId: 's', n });
  log.close();
  const full = (): string[] => readdirSync(state).filter((name) => /^audit-\d+\.jsonl$/.test(name)).toSorted();
  expect(full().length).toBeGreaterThan(2);

  const shown = async (...args: string[]): Promise<number[]> => (await haft.run(['audit', 'show', ...args, '--json'])).stdout.trimEnd().split('\n').map((line) => (JSON.parse(line) as { n: number }).n);
  expect(await shown()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(await shown('-n', '4')).toEqual([6, 7, 8, 9]);
  expect(await haft.run(['audit', 'verify'])).toMatchObject({ code: 0, stdout: 'whole: 9 records\n' });

  rmSync(join(state, full()[1] ?? ''));
  expect(await haft.run(['audit', 'verify'])).toMatchObject({ code: 1, stdout: expect.stringMatching(/^NOT whole: .*audit-\d+\.jsonl line 1 has number/) });
  const { stderr } = await haft.run(['audit', 'archive']);
  expect(full()).toEqual([]);
  const archive = /set aside as (\S+);/.exec(stderr)?.[1] ?? '';
  expect(await haft.run(['audit', 'verify', archive])).toMatchObject({ code: 1 });
  expect((await haft.run(['audit', 'verify', 'nosuch'])).stderr).toContain(`Archives: ${archive}.`);
  expect(await haft.run(['audit', 'verify'])).toMatchObject({ code: 0, stdout: 'whole: 0 records\n' });
}, 120_000);
