// The back-end itself cannot run here; its profile is held as text, and its refusals.
import { expect, test } from '@jest/globals';
import { createSeatbeltSandbox } from './seatbelt.js';
import { seatbeltProfile } from './seatbelt-profile.js';

const paths = { readable: ['/opt/tool'], writable: ['/Users/a/work'], readOnly: ['/Users/a/work/.git/hooks'], pinned: ['/Users/a/work/.git'], hidden: ['/Users/a/work/.env'] };

test('denies by default, and what is narrower comes after what is wider', () => {
  const lines = seatbeltProfile(paths).split('\n');
  expect(lines.slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
  const order = ['(allow file-read* file-write* (subpath "/Users/a/work"))', '(deny file-write* (subpath "/Users/a/work/.git/hooks"))', '(deny file-read* file-write* (subpath "/Users/a/work/.env"))'].map((line) => lines.indexOf(line));
  expect(order).not.toContain(-1);
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(lines.at(-1)).toBe('(deny network*)');
});

test('a path cannot end its string', () => {
  expect(seatbeltProfile({ ...paths, writable: ['/a")(allow default)("\\'] })).toContain('(subpath "/a\\")(allow default)(\\"\\\\")');
  expect(() => seatbeltProfile({ ...paths, writable: ['/a\n(allow default)'] })).toThrow(/cannot be written/);
});

test('elsewhere than on macOS the probe fails', async () => {
  if (process.platform !== 'darwin') expect(await createSeatbeltSandbox({ root: '/tmp' }).probe()).toMatchObject({ ok: false, cause: expect.stringContaining('macOS') });
});
