// The example, run as a program would run it: twice, with the same folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionStore } from '@haft/agent';
import { expect, test } from '@jest/globals';
import { ask } from './ask.js';

test('asks, shows what is called, and goes on with the conversation the next time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'haft-example-'));
  try {
    const shown: string[] = [];
    const first = await ask('to_fahrenheit {"celsius": 20}', folder, (line) => shown.push(line));
    expect(first).toMatchObject({ status: 'completed', toolCalls: [{ result: { data: { fahrenheit: 68 } } }] });
    expect(shown).toEqual(['calls to_fahrenheit with {"celsius":20}']);

    const second = await ask('to_fahrenheit {"celsius": -300}', folder);
    expect(second.sessionId).toBe(first.sessionId);
    expect(second.toolCalls[0]?.result).toMatchObject({ code: 'invalid_arguments', details: [{ path: 'celsius' }] });
    expect(SessionStore.open(folder).read(first.sessionId).messages).toEqual(second.messages);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
