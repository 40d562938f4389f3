// Whether the state folder can be used and is private.
import { accessSync, constants, statSync } from 'node:fs';
import { ensureFolder } from './paths.js';

/** What is wrong with the folder, or undefined. It is made when missing. */
export function stateFolderProblem(folder: string): string | undefined {
  try {
    ensureFolder(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    return `${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}`;
  }
  const { mode } = statSync(folder);
  return (mode & 0o077) === 0 ? undefined : `${folder} can be read by others (mode ${(mode & 0o777).toString(8)})`;
}
