// A process that holds much memory and starts commands when told to: `node large-process.mjs none|objects|buffers MIB`, then over IPC the
// name of a way, `plain` or `haft`; it answers with the exit code and the milliseconds.
import { spawn } from 'node:child_process';
import { ProcessRunner } from '../../packages/process/dist/index.js';

const [kind, mebibytes] = process.argv.slice(2);
const bash = ['/bin/bash', '--noprofile', '--norc', '-c', 'true'];
const held = [];
if (kind === 'objects') while (process.memoryUsage().heapUsed < Number(mebibytes) * 2 ** 20) for (let n = 0; n < 10_000; n += 1) held.push({ n, text: `text ${held.length}`, list: [n, { n }] });
if (kind === 'buffers') for (let n = 0; n < Number(mebibytes); n += 16) held.push(Buffer.alloc(16 * 2 ** 20, n + 1));

const runner = new ProcessRunner();
const ways = {
  plain: () => new Promise((resolve, reject) => spawn(bash[0], bash.slice(1), { cwd: '/tmp', stdio: ['ignore', 'pipe', 'pipe'], env: {} }).on('error', reject).on('close', resolve)),
  haft: async () => (await runner.run({ argv: bash, cwd: '/tmp' })).exitCode,
};
process.on('message', (way) => void answer(way));
process.on('disconnect', () => void runner.dispose().then(() => process.exit(0)));
process.send('ready');

async function answer(way) {
  const started = performance.now();
  const exitCode = await ways[way]();
  process.send({ exitCode, ms: performance.now() - started, held: held.length });
}
