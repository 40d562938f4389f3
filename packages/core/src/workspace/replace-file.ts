/** Writing at a walked place: missing folders made, the content replaced whole. */
import { sweepTemporaries, writeAtomically } from './atomic-write.js';
import { type Directory, makeFolders } from './directory.js';
import { fileFailure, notAFile, outsideFailure } from './file-failure.js';
import { closeAll, findOtherNames, relink } from './hard-links.js';
import type { Location } from './path-walk.js';
import type { WriteOptions } from './workspace-types.js';

export interface Replaced {
  created: boolean;
  /** Other names that keep the old content. */
  brokenLinks: number;
}

export class FileReplacer {
  private readonly swept = new Set<string>();

  /**
   * Throws coded failures and system errors, with the old content whole. Other names (hard links) of the file follow to the new content where
   * `root` holds them and `allowed` says that they may be changed.
   */
  async replace(location: Location, path: string, parts: readonly Uint8Array[], options: WriteOptions, allowed: (absolute: string) => boolean): Promise<Replaced> {
    const { node, parent, name, missing } = location;
    if (node !== undefined && node.kind !== 'file') throw notAFile(path, node.kind);
    if (node !== undefined && options.createOnly) throw fileFailure({ code: 'EEXIST' }, path, 'write');
    if (parent === undefined) throw outsideFailure(path);
    const folder = makeFolders(parent, missing.slice(0, -1));
    const [root] = location.trail;
    const others = root === undefined || node === undefined || node.stats.nlink === 1 ? [] : findOtherNames(root, node.stats, location.absolute, allowed);
    try {
      this.sweepOnce(folder);
      await writeAtomically(folder, name, parts, { ...(node && { existing: node.stats }), ...(options.signal && { signal: options.signal }) });
      const unfound = (node?.stats.nlink ?? 1) - 1 - others.length;
      return { created: node === undefined, brokenLinks: unfound + relink(folder, name, others) };
    } finally {
      if (folder !== parent) folder.close();
      if (root !== undefined) closeAll(others, root);
    }
  }

  /** What a writer that died left is removed when its folder is first written to. */
  private sweepOnce(directory: Directory): void {
    if (this.swept.has(directory.absolute)) return;
    this.swept.add(directory.absolute);
    sweepTemporaries(directory);
  }
}
