/** Hard links: a hidden file may have another name, under which it could be read. */
import { type Dirent, type Stats, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The other names, in these folders, of files that have more than one. Looks at every file, but only where there is such a file. */
export function otherNamesOf(files: readonly string[], folders: readonly string[]): string[] {
  const known = new Set(files);
  const linked = new Set(files.map((path) => statsOf(path)).filter((stats) => stats !== undefined && stats.nlink > 1).map((stats) => keyOf(stats as Stats)));
  if (linked.size === 0) return [];
  const names = folders.flatMap((folder) => filesOf(folder).map(({ name }) => join(folder, name)));
  return names.filter((path) => {
    const stats = known.has(path) ? undefined : statsOf(path);
    return stats !== undefined && stats.nlink > 1 && linked.has(keyOf(stats));
  });
}

function keyOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** A folder that we cannot list, a command of the same user cannot read either. */
function filesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  } catch {
    return [];
  }
}
