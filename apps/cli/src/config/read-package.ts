// The package.json of a folder.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../exit-code.js';

/** Undefined when there is none. Throws a CliError when it is no JSON. */
export function readPackage(folder: string): { haft?: unknown } | undefined {
  const path = join(folder, 'package.json');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined; // None, or not ours to read: then it is no plugin package for us.
  }
  try {
    return JSON.parse(text) as { haft?: unknown };
  } catch (error) {
    throw new CliError(`${path} is not valid JSON.`, 2, undefined, { cause: error });
  }
}
