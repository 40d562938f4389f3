/** What of a Node.js outside /usr a command may see: scripts of a JavaScript project need it. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWithin } from './bubblewrap-arguments.js';

/**
 * The installation's folder if it is one of its own, as version managers make them; else the program alone: a `node` in `~/bin`
 * must not show the home. Nothing where it is seen anyway.
 */
export function nodeInstallation(program: string, home: string, seen: readonly string[]): string[] {
  const real = realpathSync(program);
  if (seen.some((folder) => isWithin(real, folder))) return [];
  const folder = dirname(dirname(real));
  const isOfItsOwn = existsSync(join(folder, 'include', 'node')) && existsSync(join(folder, 'lib', 'node_modules')) && !isWithin(home, folder);
  return isOfItsOwn && !seen.some((path) => isWithin(path, folder)) ? [folder] : [real];
}
