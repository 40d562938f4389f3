// Writes the files of a scaffold; what is there already is never touched.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError } from '../exit-code.js';

/** Relative path → content. Throws a CliError, before anything is written, when one of them exists. */
export function writeNewFiles(folder: string, files: Readonly<Record<string, string>>): string[] {
  const paths = Object.keys(files).sort();
  const present = paths.filter((path) => existsSync(join(folder, path)));
  if (present.length > 0) throw new CliError(`${present.join(', ')} exist${present.length === 1 ? 's' : ''} already in ${folder}; nothing was written.`, 2, 'Move them away, or choose another name or folder.');
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), files[path] ?? '', { flag: 'wx' });
  }
  return paths;
}

export function fileExists(path: string): boolean {
  return existsSync(path);
}
