/** The other names of a hard-linked file, as far as they lie inside a root, and giving them its new content. */
import { closeSync, type Stats } from 'node:fs';
import type { Directory } from './directory.js';
import { joinPath } from './path-segments.js';

/** Entries looked at; in a larger tree some names may stay unfound. */
const maxEntries = 100_000;

export interface OtherName {
  /** Opened; whoever asked closes it. */
  directory: Directory;
  name: string;
}

/** Searches below `root`, without following links, until all names are found. `allowed` is asked with the real absolute path. */
export function findOtherNames(root: Directory, target: Stats, own: string, allowed: (absolute: string) => boolean): OtherName[] {
  const found: OtherName[] = [];
  const pending: Directory[] = [root];
  let seen = 0;
  const wanted = target.nlink - 1;
  while (pending.length > 0 && found.length < wanted && seen < maxEntries) {
    const directory = pending.pop();
    if (directory === undefined) break;
    let keepOpen = directory === root;
    for (const { name, kind } of entriesOf(directory)) {
      seen++;
      if (kind === 'directory') openInto(pending, directory, name);
      else if (kind === 'file' && found.length < wanted && isSameFile(directory, name, target)) {
        const absolute = joinPath(directory.absolute, name);
        if (absolute === own || !allowed(absolute)) continue;
        found.push({ directory, name });
        keepOpen = true;
      }
    }
    if (!keepOpen) directory.close();
  }
  for (const directory of pending) if (directory !== root) directory.close();
  return found;
}

function entriesOf(directory: Directory): ReturnType<Directory['entries']> {
  try {
    return directory.entries();
  } catch {
    // Not ours to read: names in it stay unfound, and that is reported as broken links.
    return [];
  }
}

function openInto(pending: Directory[], parent: Directory, name: string): void {
  try {
    pending.push(parent.openFolder(name));
  } catch {
    // Gone or replaced by a link meanwhile.
  }
}

function isSameFile(directory: Directory, name: string, target: Stats): boolean {
  try {
    const { fd, stats } = directory.find(name);
    if (fd !== undefined) closeSync(fd);
    return stats.ino === target.ino && stats.dev === target.dev;
  } catch {
    return false;
  }
}

/** Makes each name lead to the file that `name` of `directory` is now. Returns how many could not be changed. */
export function relink(directory: Directory, name: string, others: readonly OtherName[]): number {
  let broken = 0;
  for (const other of others) {
    const temporary = `.haft-${process.pid}-${Math.random().toString(16).slice(2, 18).padEnd(16, '0')}.tmp`;
    try {
      directory.linkInto(name, other.directory, temporary);
      other.directory.rename(temporary, other.name);
    } catch {
      // The name keeps the old content, whole; the caller is told.
      broken++;
    }
  }
  return broken;
}

export function closeAll(names: readonly OtherName[], root: Directory): void {
  for (const directory of new Set(names.map((name) => name.directory))) if (directory !== root) directory.close();
}
