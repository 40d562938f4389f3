// Where this package lies, wherever in it the bundled code ends up.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The absolute path of a file of @haft/cli. */
export function ownFile(...path: readonly string[]): string {
  return join(dirname(createRequire(import.meta.url).resolve('@haft/cli/package.json')), ...path);
}
