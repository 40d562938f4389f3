// $VISUAL or $EDITOR on a text: the terminal is the editor's until it ends. Whatever goes wrong, the text is as it was, and it is said why.
import { runOnTerminal, type TerminalProgramEnd } from '@haft/process';
import { throughFile } from '../config/text-file.js';

export type EditOutcome = { text: string } | { problem: string };

export interface EditRequest {
  text: string;
  /** Its ending tells the editor what it is, e.g. `message.md`. */
  fileName: string;
}

/** Never rejects. A line end that the editor puts behind the text is no part of it. */
export async function editExternally({ text, fileName }: EditRequest): Promise<EditOutcome> {
  const { VISUAL, EDITOR = '' } = process.env;
  const [variable, command] = VISUAL ? ['VISUAL', VISUAL] : ['EDITOR', EDITOR];
  if (command.trim() === '') return { problem: 'No editor is set: put one in $EDITOR or $VISUAL, e.g. EDITOR=nano.' };
  let problem: string | undefined;
  try {
    const edited = await throughFile(text, fileName, async (path) => {
      problem = howItFailed(await runOnTerminal(command, path));
    });
    return problem === undefined ? { text: edited.replace(/\r?\n$/, '') } : { problem: `The editor "${command}" ($${variable}) ${problem}; the text is as it was.` };
  } catch (error) {
    return { problem: `The text could not be edited (${error instanceof Error ? error.message : String(error)}); it is as it was.` };
  }
}

function howItFailed({ status, signal }: TerminalProgramEnd): string | undefined {
  if (status === 0) return undefined;
  if (status === 127) return 'was not found';
  if (status === 126) return 'cannot be run';
  return signal === undefined ? `ended with status ${status ?? 'unknown'}` : `was ended by ${signal}`;
}
