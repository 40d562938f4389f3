/** Writing at a walked place: missing folders made, the content replaced whole. */
import { ToolFailure } from '../errors.js';
import { type AtomicWriteOptions, sweepTemporaries, writeAtomically } from './atomic-write.js';
import { Directory, makeFolders } from './directory.js';
import { fileFailure, notAFile, outsideFailure, quotePath } from './file-failure.js';
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
  private staging: Directory | undefined;

  /** `stagingDir` (see `WorkspaceOptions`): what dead writers left there is removed now. */
  constructor(stagingDir?: string) {
    if (stagingDir === undefined) return;
    try {
      this.staging = Directory.openPrivate(stagingDir);
      sweepTemporaries(this.staging);
    } catch {
      // Where it cannot be made, files are written beside their target.
      this.staging = undefined;
    }
  }

  close(): void {
    this.staging?.close();
    this.staging = undefined;
  }

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
      const beforeRename = () => checkVersion(folder, name, path, options.version);
      await this.write(folder, name, parts, { beforeRename, ...(node && { existing: node.stats }), ...(options.signal && { signal: options.signal }) });
      const unfound = (node?.stats.nlink ?? 1) - 1 - others.length;
      return { created: node === undefined, brokenLinks: unfound + relink(folder, name, others) };
    } finally {
      if (folder !== parent) folder.close();
      if (root !== undefined) closeAll(others, root);
    }
  }

  private async write(folder: Directory, name: string, parts: readonly Uint8Array[], options: AtomicWriteOptions): Promise<void> {
    const { staging } = this;
    if (staging === undefined || !canStage(staging, folder)) return writeAtomically(folder, name, parts, options);
    try {
      await writeAtomically(folder, name, parts, { ...options, staging });
    } catch (error) {
      // One device, but mounted twice.
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
      this.close();
      await writeAtomically(folder, name, parts, options);
    }
  }

  /** What a writer that died left is removed when its folder is first written to. */
  private sweepOnce(directory: Directory): void {
    if (this.swept.has(directory.absolute)) return;
    this.swept.add(directory.absolute);
    sweepTemporaries(directory);
  }
}

/** Not from another device, and not past a folder that gives its files its own group. */
function canStage(staging: Directory, folder: Directory): boolean {
  const stats = folder.stats();
  return stats.dev === staging.stats().dev && (stats.mode & 0o2000) === 0;
}

function checkVersion(folder: Directory, name: string, path: string, version: string | undefined): void {
  if (version === undefined || (folder.versionOf(name) ?? 'none') === version) return;
  throw new ToolFailure('stale_file', `${quotePath(path)} was changed by another program while it was being written. It was left as that program made it: read it again.`);
}
