// What `haft` runs: signals and broken pipes outside, the command inside.
import { main } from './command/program.js';
import { exitCode } from './exit-code.js';

// A reader that left early (`haft … | head`) is no error of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCode.done);
    throw error;
  });
}

process.exit(await main(process.argv.slice(2)));
