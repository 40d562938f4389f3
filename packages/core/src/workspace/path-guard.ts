/** What rules say of a walked path, by all names that the file has: the asked one, the real one, links on the way, hard links. */
import type { Stats } from 'node:fs';
import { ToolFailure } from '../errors.js';
import { quotePath, unquotedPath } from './file-failure.js';
import type { PathRules } from './path-rules.js';
import type { Location } from './path-walk.js';
import { ProtectedLinks } from './protected-links.js';
import type { Roots } from './roots.js';

export class PathGuard {
  private readonly links: ProtectedLinks;

  /** `links`: for tests. */
  constructor(private readonly roots: Roots, private readonly rules: PathRules, links = new ProtectedLinks(roots, rules)) {
    this.links = links;
  }

  /** Throws `path_denied`, or `path_outside_workspace` for writing where only reading is allowed (not with `outside`). */
  check(location: Location, path: string, mode: 'read' | 'write', outside: boolean): void {
    const { absolute, node } = location;
    if (this.roots.isSystemPath(absolute)) throw new ToolFailure('path_denied', `${quotePath(path)} belongs to the system and is not opened.`);
    const names = [absolute, ...location.links].map((name) => this.roots.relative(name));
    this.rules.check([...names, this.roots.asked(unquotedPath(path) ?? path) ?? '', this.roots.asked(path) ?? ''], mode, path);
    if (node?.kind === 'file' && this.deniesLinked(node.stats)) {
      const why = this.links.complete ? 'it is another name (a hard link) of a file that a deny pattern covers' : 'it has other names (hard links), and the workspace is too large to tell whether a deny pattern covers one of them';
      throw new ToolFailure('path_denied', `${quotePath(path)} is protected: ${why}.`);
    }
    if (mode === 'write' && !outside && this.roots.holding(absolute).access !== 'write') {
      throw new ToolFailure('path_outside_workspace', `${quotePath(path)} is in a folder that may only be read.`);
    }
  }

  mayWrite(absolute: string): boolean {
    return this.roots.holding(absolute).access === 'write' && this.rules.allows(this.roots.relative(absolute), 'write');
  }

  /** Whether a deny pattern covers any name of the file, or may do so where not all names could be looked at. */
  deniesLinked(stats: Stats): boolean {
    if (stats.nlink < 2 || !this.rules.deniesAnything) return false;
    return this.links.namesOf(stats).some((name) => this.rules.denies(name)) || !this.links.complete;
  }

  /** Other names than `own` under which the file usually holds secrets. */
  secretNames(stats: Stats, own: string): readonly string[] {
    return this.links.namesOf(stats).filter((name) => name !== own && this.rules.isSecret(name));
  }
}
