// The example with files and approvals: what is approved is written, what is refused, denied or outside is not.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { takeNotes } from './notes.js';

test('asks before each write that a rule does not refuse, and does what it is told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'haft-example-'));
  try {
    const asked: unknown[] = [];
    const paths = ['yes.txt', 'no.txt', 'private/a.txt', '../out.txt'];
    const results = await takeNotes(paths.map((path) => `write_note ${JSON.stringify({ path, text: 'hello' })}`), folder, (request) => {
      asked.push(request.arguments['path']);
      return Promise.resolve(request.arguments['path'] === 'yes.txt');
    });
    expect(asked).toEqual(['yes.txt', 'no.txt']);
    expect(results.map(({ toolCalls }) => toolCalls[0]?.result.code ?? 'success')).toEqual(['success', 'approval_declined', 'permission_denied', 'path_outside_workspace']);
    expect(readFileSync(join(folder, 'yes.txt'), 'utf8')).toBe('hello');
    expect(existsSync(join(folder, 'no.txt'))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
