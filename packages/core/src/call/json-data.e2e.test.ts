// Results that no program can carry, in a process of their own with little memory: each is bounded, says so, and takes no other call with it.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const script = fileURLToPath(new URL('./testdata/huge-results.mjs', import.meta.url));

interface Told {
  name: string;
  success: boolean;
  code?: string;
  contentChars: number;
  dataChars: number;
}

async function hugeResults(): Promise<Told[]> {
  const child = spawn(process.execPath, ['--max-old-space-size=600', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const code = await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
  expect(code).toBe(0);
  return text.trim().split('\n').map((line) => JSON.parse(line) as Told);
}

test('huge, endless, sparse and deep results are bounded, and say so', async () => {
  const results = await hugeResults();
  expect(results).toHaveLength(19);
  for (const result of results) {
    expect(result).toMatchObject(result.name === 'deep' ? { success: true } : result.name === 'failure' ? { success: false, code: 'not_found' } : { success: true, code: 'result_too_large' });
    expect(result.contentChars).toBeLessThanOrEqual(30_000);
    expect(result.dataChars).toBeLessThanOrEqual(17 * 1024 * 1024);
  }
}, 300_000);
