// `haft` alone on a terminal: the conversation at once, without the parser of the command line.
import type { ExitCode } from '../exit-code.js';
import { reportError } from '../output/report-error.js';
import { Terminal } from '../output/terminal.js';
import { startRepl } from '../repl/repl.js';
import { noFlags } from './flag-layer.js';

export async function quickStart(): Promise<ExitCode> {
  const terminal = new Terminal();
  try {
    return await startRepl({ flags: noFlags, terminal });
  } catch (error) {
    return reportError(error, terminal);
  }
}
