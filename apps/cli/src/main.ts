// What `haft` runs: broken pipes outside, the command inside.
import { exitCode } from './exit-code.js';

/** Whether it is meant that the process ends. */
let done = false;

// A reader that left early (`haft … | head`) is no error of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    done = true;
    if (error.code === 'EPIPE') process.exit(exitCode.done);
    if (stream === process.stdout) process.stderr.write(`haft: the answer could not be written: ${error.message}\n  Give standard output a place with room, or a pipe.\n`);
    process.exit(exitCode.failed);
  });
}

// A tool or plugin that calls process.exit(0) ends us too: that must not look like success.
process.on('exit', (status) => {
  if (done || status !== exitCode.done) return;
  process.exitCode = exitCode.failed;
  process.stderr.write('haft: the process was ended from inside before the command was done.\n  A tool or plugin called process.exit(); it should return, or throw.\n');
});

// Nothing may end in a stack on the screen of somebody who did not ask for one.
process.on('uncaughtException', (error) => {
  const stack = process.argv.includes('--verbose') ? (error.stack ?? '') : 'Run again with --verbose for the stack.';
  process.stderr.write(`haft: unexpected error: ${error.message}\n  ${stack}\n`);
  process.exit(exitCode.failed);
});

const status = await run(process.argv.slice(2));
done = true;
process.exit(status);

async function run(args: readonly string[]): Promise<number> {
  if (args.length === 0 && process.stdin.isTTY && process.stdout.isTTY && process.stderr.isTTY) return (await import('./command/quick-start.js')).quickStart();
  return (await import('./command/program.js')).main(args);
}
