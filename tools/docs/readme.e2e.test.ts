// What the READMEs and the docs show is true: code blocks equal the files they name, and the commands run and end as they say.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const pages = ['README.md', 'README.zh.md', 'docs/runs-and-sessions.md', 'docs/models.md'];

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(root, page), 'utf8');

  test('code blocks that name a file are that file', () => {
    const blocks = [...text.matchAll(/```ts file=(\S+)\n([\s\S]*?)```/g)];
    expect(blocks.length).toBeGreaterThan(0);
    for (const [, file, code] of blocks) expect(code).toBe(readFileSync(join(root, String(file)), 'utf8'));
  });

  test.each(commandsIn(text))('%s', async (command, isRefused) => {
    const { status, stdout, stderr } = await run(command);
    expect({ status, stderr: status === 0 || isRefused ? '' : stderr }).toEqual({ status: isRefused ? 1 : 0, stderr: '' });
    expect((stdout + stderr).trim()).not.toBe('');
  });
});

/** The lines that can run without a person or a key, and whether the page says that they are refused. */
function commandsIn(text: string): [string, boolean][] {
  const lines = [...text.matchAll(/^npm start (?:-s )?-- (.+)$/gm)].map((match) => String(match[1]));
  return lines.map((line) => [line.replace(/\s+#.*$/, ''), /#.*(refused|被拒绝)/.test(line)]);
}

function run(command: string): Promise<{ status: number; stdout: string; stderr: string }> {
  const home = mkdtempSync(join(tmpdir(), 'haft-readme-'));
  const env = { PATH: process.env['PATH'], HOME: home, HAFT_HOME: join(home, 'state'), NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile('bash', ['-c', `node apps/cli/bin/haft.js ${command} </dev/null`], { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}
