// `haft serve` as a real process: it prints the page's address, serves page and API with the offline stand-in, and ends in order.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const haft = join(dirname(fileURLToPath(import.meta.url)), '../../bin/haft.js');

test('serves the page and answers a message by calling a real tool; SIGINT ends it with 130', async () => {
  const home = mkdtempSync(join(tmpdir(), 'haft-serve-'));
  writeFileSync(join(home, 'note.txt'), 'a line of the note\n');
  const child = spawn(process.execPath, [haft, 'serve', '--port', '0', '--cwd', home], { env: { PATH: process.env['PATH'], HOME: home, HAFT_HOME: join(home, '.state') }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  try {
    const pageUrl = await firstLine(child.stdout);
    const [base = '', token = ''] = pageUrl.split('/#token=');
    expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await (await fetch(base)).text()).toContain('<title>Haft</title>');
    expect((await fetch(`${base}/main.js`)).headers.get('content-type')).toContain('javascript');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const { id } = (await (await fetch(`${base}/api/sessions`, { method: 'POST', headers, body: '{}' })).json()) as { id: string };
    const message = await fetch(`${base}/api/sessions/${id}/messages`, { method: 'POST', headers, body: JSON.stringify({ text: 'read note.txt' }) });
    expect(await untilFinished(message)).toContain('a line of the note');
    child.kill('SIGINT');
    expect(await ended).toBe(130);
  } finally {
    child.kill('SIGKILL');
    await ended;
    rmSync(home, { recursive: true, force: true });
  }
});

test.each([['nonsense'], ['70000'], ['']])('--port %j is refused with exit status 2', async (port) => {
  const child = spawn(process.execPath, [haft, 'serve', '--port', port], { stdio: 'ignore' });
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(2);
});

/** Goes on reading after it: a closed pipe would be a reader that left. */
function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text.split('\n')[0] ?? '');
    });
  });
}

async function untilFinished(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('event: run_finished')) break;
  }
  return text;
}
