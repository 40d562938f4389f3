/** Writing at a walked place: missing folders made, the content replaced whole. */
import type { Stats } from 'node:fs';
import { sweepTemporaries, writeAtomically } from './atomic-write.js';
import { type Directory, makeFolders } from './directory.js';
import { fileFailure, notAFile, outsideFailure } from './file-failure.js';
import type { Location } from './path-walk.js';
import type { WriteOptions } from './workspace-types.js';

export class FileReplacer {
  private readonly swept = new Set<string>();

  /** Throws coded failures and system errors, with the old content whole. Returns what was there before. */
  async replace(location: Location, path: string, parts: readonly Uint8Array[], options: WriteOptions): Promise<Stats | undefined> {
    const { node, parent, name, missing } = location;
    if (node !== undefined && node.kind !== 'file') throw notAFile(path, node.kind);
    if (node !== undefined && options.createOnly) throw fileFailure({ code: 'EEXIST' }, path, 'write');
    if (parent === undefined) throw outsideFailure(path);
    const folder = makeFolders(parent, missing.slice(0, -1));
    try {
      this.sweepOnce(folder);
      await writeAtomically(folder, name, parts, { ...(node && { existing: node.stats }), ...(options.signal && { signal: options.signal }) });
      return node?.stats;
    } finally {
      if (folder !== parent) folder.close();
    }
  }

  /** What a writer that died left is removed when its folder is first written to. */
  private sweepOnce(directory: Directory): void {
    if (this.swept.has(directory.absolute)) return;
    this.swept.add(directory.absolute);
    sweepTemporaries(directory);
  }
}
