// What `haft` runs: broken pipes outside, the command inside.
import { exitCode } from './exit-code.js';

// A reader that left early (`haft … | head`) is no error of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCode.done);
    throw error;
  });
}

// Nothing may end in a stack on the screen of somebody who did not ask for one.
process.on('uncaughtException', (error) => {
  const stack = process.argv.includes('--verbose') ? (error.stack ?? '') : 'Run again with --verbose for the stack.';
  process.stderr.write(`haft: unexpected error: ${error.message}\n  ${stack}\n`);
  process.exit(exitCode.failed);
});

process.exit(await run(process.argv.slice(2)));

async function run(args: readonly string[]): Promise<number> {
  if (args.length === 0 && process.stdin.isTTY && process.stdout.isTTY && process.stderr.isTTY) return (await import('./command/quick-start.js')).quickStart();
  return (await import('./command/program.js')).main(args);
}
