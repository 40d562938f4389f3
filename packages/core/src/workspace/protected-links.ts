/**
 * Hard links: a file that is denied, or usually holds secrets, may have another name that no rule speaks of. Only a file with more than one
 * name can be one, so only for such a file the tree is looked through for protected names, and what was found is kept: a new link changes
 * the time that the system keeps of its file, and then it is looked again.
 */
import { closeSync, type Stats } from 'node:fs';
import type { Directory } from './directory.js';
import type { PathRules } from './path-rules.js';
import type { Roots } from './roots.js';

const maxDepth = 256;
/** Entries looked at, so that the search ends within a few seconds in any tree. */
const maxEntries = 500_000;
/** File systems count time in ticks; a link made within one of the search may not show. */
const tickMs = 50;
/** A folder that was renamed since changes what its files are called, but not their times. A search that took long is kept longer. */
const keptMs = 30_000;
const keptPerSearch = 50;

export class ProtectedLinks {
  private names = new Map<string, string[]>();
  private searchedAt = Number.NEGATIVE_INFINITY;
  private keptUntil = Number.NEGATIVE_INFINITY;
  private entries = 0;

  constructor(private readonly roots: Roots, private readonly rules: PathRules, private readonly most = maxEntries) {}

  /** Whether the last search came to its end; otherwise files may have protected names that are not known. */
  get complete(): boolean {
    return this.entries <= this.most;
  }

  /** Protected names, from the root, of the file with these stats; none where the file has one name only, since that is the asked one. */
  namesOf(stats: Stats): readonly string[] {
    if (stats.nlink < 2) return [];
    const fresh = stats.ctimeMs < this.searchedAt - tickMs && Date.now() < this.keptUntil;
    if (!fresh) this.search();
    return this.names.get(keyOf(stats)) ?? [];
  }

  private search(): void {
    this.searchedAt = Date.now();
    this.names = new Map();
    this.entries = 0;
    for (const { directory, absolute } of this.roots.all) {
      const base = this.roots.relative(absolute);
      this.searchFolder(directory, base === '.' ? '' : `${base}/`, false, 0);
    }
    this.keptUntil = Date.now() + Math.max(keptMs, (Date.now() - this.searchedAt) * keptPerSearch);
  }

  /** `path` ends in a slash; `inDenied`: a rule covers the folder, and so all in it. */
  private searchFolder(directory: Directory, path: string, inDenied: boolean, depth: number): void {
    for (const { name, kind } of entriesOf(directory)) {
      if (++this.entries > this.most) return;
      const full = path + name;
      const denied = inDenied || this.rules.deniesEntry(full);
      if (kind === 'file' && (denied || this.rules.isSecret(full))) this.note(directory, name, full);
      if (kind !== 'directory' || depth >= maxDepth || (name === 'node_modules' && !denied && !this.rules.mayDenyBelow(full))) continue;
      const child = openFolder(directory, name);
      if (child === undefined) continue;
      this.searchFolder(child, `${full}/`, denied, depth + 1);
      child.close();
    }
  }

  private note(directory: Directory, name: string, full: string): void {
    try {
      const { fd, stats } = directory.find(name);
      if (fd !== undefined) closeSync(fd);
      if (stats.nlink > 1) this.names.set(keyOf(stats), [...(this.names.get(keyOf(stats)) ?? []), full]);
    } catch {
      // Gone since it was listed.
    }
  }
}

function keyOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

/** What we may not list or enter holds no name that anybody could read here. */
function entriesOf(directory: Directory): ReturnType<Directory['entries']> {
  try {
    return directory.entries();
  } catch {
    return [];
  }
}

function openFolder(directory: Directory, name: string): Directory | undefined {
  try {
    return directory.openFolder(name);
  } catch {
    return undefined;
  }
}
