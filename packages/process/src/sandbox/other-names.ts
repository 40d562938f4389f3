/** Hard links: a hidden file may have another name, under which it could be read. */
import { type Stats, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { entriesOf } from './entries-of.js';

export interface Hidden {
  files: readonly string[];
  /** All below them is hidden. */
  folders: readonly string[];
}

/**
 * The other names of hidden files that have more than one: in the `flat` folders, each by itself, and anywhere below the `deep` ones. Looks at
 * every file there, but only where there is such a file.
 */
export function otherNamesOf(hidden: Hidden, flat: readonly string[], deep: readonly string[]): string[] {
  const known = new Set(hidden.files);
  const files = [...hidden.files, ...foldersBelow(hidden.folders).flatMap(filesOf)];
  const linked = new Set(files.flatMap((path) => keyOfLinked(path) ?? []));
  if (linked.size === 0) return [];
  const names = [...flat, ...foldersBelow(deep)].flatMap(filesOf);
  return names.filter((path) => !known.has(path) && linked.has(keyOfLinked(path) ?? ''));
}

/** Which file it is; undefined for one with a single name. */
function keyOfLinked(path: string): string | undefined {
  const stats: Stats | undefined = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.nlink > 1 ? `${stats.dev}:${stats.ino}` : undefined;
}

function filesOf(folder: string): string[] {
  return entriesOf(folder).filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
}

/** The folders themselves included. */
function foldersBelow(folders: readonly string[]): string[] {
  const all = [...folders];
  for (const folder of all) for (const entry of entriesOf(folder)) if (entry.isDirectory()) all.push(join(folder, entry.name));
  return all;
}
