// `haft "prompt"`, `haft -p`, `… | haft -p`, and, on a terminal without a prompt, the REPL.
import { CliError, type ExitCode } from '../exit-code.js';
import { promptFromInput } from '../input/piped-input.js';
import type { Invocation } from './program.js';

/** One turn to completion, or the REPL. Resolves with the exit status. */
export async function runPrompt(words: string, invocation: Invocation): Promise<ExitCode> {
  const { flags, terminal } = invocation;
  const interactive = terminal.interactive && terminal.answerIsTerminal;
  if (words.trim() === '' && interactive && flags.print !== true) {
    if (flags.outputFormat !== 'text') throw new CliError('--output-format json and stream-json need a prompt.');
    const { startRepl } = await import('../repl/repl.js');
    return startRepl(invocation);
  }
  try {
    return await runGiven(words, invocation);
  } catch (error) {
    if (!terminal.answered) (await import('../run/failure-output.js')).answerFailure(error, flags.outputFormat, terminal);
    throw error;
  }
}

async function runGiven(words: string, invocation: Invocation): Promise<ExitCode> {
  const { flags, terminal } = invocation;
  const prompt = await promptFromInput(words, process.stdin, (note) => terminal.note(terminal.colors.dim(note)));
  const resuming = flags.continue === true || flags.resume !== undefined;
  const { noPrompt, runOnce } = await import('../run/one-shot.js');
  if (prompt === '' && !resuming) throw noPrompt();
  return runOnce(prompt === '' ? undefined : { text: prompt, ownChars: words.trim().length }, invocation);
}
