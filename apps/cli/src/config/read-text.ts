// Reads a text that the user named on the command line, or stdin.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { CliError } from '../exit-code.js';

/** The file's text; without a file, all of stdin. */
export async function readText(file: string | undefined): Promise<string> {
  if (file === undefined || file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CliError(`Cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`, 2, undefined, { cause: error });
  }
}
