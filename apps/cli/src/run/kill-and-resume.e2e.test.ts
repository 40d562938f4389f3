// The command killed in the middle of a call, and gone on with: the call that may have happened is not started a second time.
import { afterAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HaftHome, haftBin } from '../../test/haft-process.js';

const haft = new HaftHome();
afterAll(() => haft.remove());

const config = (log: string) => `import { appendFileSync } from 'node:fs';
import { defineConfig } from '@haft/cli';
import { Param, Tool, definePlugin } from '@haft/core';

@Tool('Notes a line, and takes its time.', { name: 'slow_note', scopes: ['write'], timeoutMs: 120_000 })
class SlowNote {
  @Param('The line')
  line!: string;

  async execute() {
    appendFileSync(${JSON.stringify(log)}, this.line + '\\n');
    if (this.line === 'slow') await new Promise((resolve) => setTimeout(resolve, 100_000));
    return 'noted';
  }
}

export default defineConfig({ model: 'offline', plugins: [definePlugin({ name: 'notes', tools: [SlowNote] })()] });
`;

/** Starts a run, and kills it when the call has begun. */
async function killInCall(folder: string, log: string, prompt: string): Promise<void> {
  const child = spawn(process.execPath, [haftBin, '--trust', '--yes', '-p', prompt], { cwd: folder, env: haft.env, stdio: 'ignore' });
  const guard = setTimeout(() => child.kill('SIGKILL'), 40_000);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  while (child.exitCode === null && child.signalCode === null && !(existsSync(log) && readFileSync(log, 'utf8').includes('slow'))) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGKILL');
  await ended;
  clearTimeout(guard);
}

test('kill -9 in a call, then --resume: the finished call is kept, the interrupted one is reported and not repeated', async () => {
  const folder = join(haft.folder, 'project');
  const log = join(haft.folder, 'notes.log');
  mkdirSync(folder);
  writeFileSync(join(folder, 'agent.config.ts'), config(log));
  await killInCall(folder, log, 'slow_note {"line":"quick"} and slow_note {"line":"slow"}');
  expect(readFileSync(log, 'utf8')).toBe('quick\nslow\n');

  const listed = await haft.run(['sessions', 'list', '--json'], { cwd: folder });
  const [{ id }] = JSON.parse(listed.stdout) as [{ id: string }];
  const resumed = await haft.run(['--trust', '--yes', '--resume', id, '--output-format', 'json', '-p'], { cwd: folder });
  const { toolCalls } = JSON.parse(resumed.stdout) as { toolCalls: { result: { status: string; code?: string } }[] };
  expect(toolCalls.map(({ result }) => [result.status, result.code])).toEqual([['success', undefined], ['unknown', 'interrupted']]);
  expect(readFileSync(log, 'utf8')).toBe('quick\nslow\n');

  const again = await haft.run(['--trust', '--yes', '--resume', id, '--output-format', 'json', '-p', 'slow_note {"line":"more"}'], { cwd: folder });
  expect(JSON.parse(again.stdout)).toMatchObject({ status: 'completed', sessionId: id });
  expect(readFileSync(log, 'utf8')).toBe('quick\nslow\nmore\n');
}, 120_000);
