/**
 * The one gateway to files. Every path is walked name by name on opened folders (path-walk.ts), so that neither `..` nor a link, even
 * one that is swapped while we look, leads outside; only regular files are opened; writes are whole or not at all.
 */
import { ToolFailure } from '../errors.js';
import { fileFailure, notAFile, outsideFailure, quotePath } from './file-failure.js';
import { contentFingerprint } from './fingerprint.js';
import { KeyedLock } from './keyed-lock.js';
import { PathGuard } from './path-guard.js';
import { PathRules } from './path-rules.js';
import { type Location, locateAsListed, requireFolder } from './path-walk.js';
import { ReadLedger } from './read-ledger.js';
import { FileReplacer } from './replace-file.js';
import { Roots } from './roots.js';
import { notFound } from './similar-names.js';
import { TreeWalk, type WalkReport, type WalkVisitor } from './tree-walk.js';
import { WorkspaceFile } from './workspace-file.js';
import type { DirectoryEntry, FileInfo, ResolvedPath, WorkspaceOptions, WriteOptions, WriteOutcome } from './workspace-types.js';

const defaultMaxFileBytes = 256 * 1024 * 1024;

export class Workspace {
  /** Largest content held in memory at once, in bytes. */
  readonly maxFileBytes: number;
  private readonly locks = new KeyedLock();
  private readonly ledger = new ReadLedger();
  private readonly guard: PathGuard;

  /** Use `Workspace.open`. */
  constructor(private readonly roots: Roots, private readonly rules: PathRules, private readonly replacer: FileReplacer, maxFileBytes = defaultMaxFileBytes) {
    this.maxFileBytes = maxFileBytes;
    this.guard = new PathGuard(roots, rules);
  }

  /** Opens the root and the extra roots. A root that is no folder is a `SetupError`. */
  static async open(options: WorkspaceOptions): Promise<Workspace> {
    return Promise.resolve(new Workspace(Roots.open(options), new PathRules(options), new FileReplacer(options.stagingDir), options.maxFileBytes));
  }

  /** The root's real path. */
  get root(): string {
    return this.roots.main.absolute;
  }

  /** Gives the descriptors of the roots back; the workspace is of no use afterwards. */
  close(): void {
    this.roots.close();
    this.replacer.close();
  }

  /**
   * The canonical form of a path, for rules and locks. `inside` is false, and nothing was looked at, when it leads outside; a path that is
   * denied or cannot be walked throws a `ToolFailure`.
   */
  async resolve(path: string, mode: 'read' | 'write'): Promise<ResolvedPath & { resource: string }> {
    return Promise.resolve(this.use(path, mode, (location) => {
      const inside = location.inside && (mode === 'read' || this.roots.holding(location.absolute).access === 'write');
      const relative = this.roots.relative(location.absolute);
      const otherNames = location.node?.kind === 'file' ? this.guard.secretNames(location.node.stats, relative) : [];
      return { absolute: location.absolute, relative, resource: relative, inside, exists: location.node !== undefined, ...(otherNames.length > 0 && { otherNames }) };
    }, { lookOnly: true }));
  }

  /** What is at a path; `not_found` when nothing is. */
  async stat(path: string): Promise<FileInfo> {
    return Promise.resolve(this.use(path, 'read', (location) => {
      const { node } = location;
      if (node === undefined) throw notFound(location, path, this.roots, this.rules);
      const { size, mode, nlink, mtimeMs } = node.stats;
      return { kind: node.kind, size, mode: mode & 0o7777, links: nlink, modifiedMs: mtimeMs, relative: this.roots.relative(location.absolute) };
    }));
  }

  /** Opens a regular file for reading; the caller closes it. Never blocks on a pipe or touches a device. */
  async openFile(path: string): Promise<WorkspaceFile> {
    return Promise.resolve(this.use(path, 'read', (location) => {
      const { node, parent } = location;
      if (node === undefined) throw notFound(location, path, this.roots, this.rules);
      if (node.kind !== 'file' || parent === undefined) throw notAFile(path, node.kind);
      const relative = this.roots.relative(location.absolute);
      return new WorkspaceFile(parent.openFound(location.name, node), location.absolute, relative, node.stats.size, this.guard.secretNames(node.stats, relative));
    }));
  }

  /** The whole content of a regular file; `file_too_large` over `maxFileBytes`. */
  async readFile(path: string): Promise<Buffer> {
    return (await this.readVersion(path)).bytes;
  }

  /** As `readFile`, with the version that `write` can be held to. */
  async readVersion(path: string): Promise<{ bytes: Buffer; version: string }> {
    const file = await this.openFile(path);
    try {
      this.checkSize(file.sizeAtOpen, path);
      const version = file.version();
      return { bytes: file.readAll(), version };
    } finally {
      file.close();
    }
  }

  /** The entries of a folder, ordered by name (by code unit), without those that are denied. */
  async list(path: string): Promise<{ relative: string; entries: DirectoryEntry[] }> {
    return Promise.resolve(this.use(path, 'read', (location) => {
      const relative = this.roots.relative(location.absolute);
      const entries = requireFolder(location, path).at(-1)?.entries() ?? [];
      const allowed = entries.filter((entry) => !this.rules.denies(relative === '.' ? entry.name : `${relative}/${entry.name}`));
      return { relative, entries: allowed.sort((a, b) => (a.name < b.name ? -1 : 1)) };
    }));
  }

  /**
   * Visits all entries below a folder in a fixed order, links unfollowed and denied ones left out. Long walks give other work its turn.
   * Throws `not_found`, `not_a_directory`, or the signal's reason.
   */
  async walk(path: string, visitor: WalkVisitor, signal?: AbortSignal): Promise<WalkReport> {
    const location = this.open(path, 'read');
    try {
      const folders = requireFolder(location, path);
      const base = this.roots.relative(location.absolute);
      return await new TreeWalk(base === '.' ? '' : base, this.rules, this.guard, visitor).run(folders, signal);
    } catch (error) {
      if (signal?.aborted) throw error;
      throw fileFailure(error, path, 'read');
    } finally {
      location.dispose();
    }
  }

  /** Whether a deny pattern covers this path (relative to the root, no links followed). */
  isDenied(relative: string): boolean {
    return this.rules.denies(relative);
  }

  /** Whether a path (relative to the root, no links followed) usually holds secrets, so that searches leave it out. */
  isSecret(relative: string): boolean {
    return this.rules.isSecret(relative);
  }

  /** Runs `work` while no other holder of the same real file runs. Not reentrant. */
  async lock<T>(path: string, work: () => Promise<T>): Promise<T> {
    const { absolute } = await this.resolve(path, 'read');
    return this.locks.run(absolute, work);
  }

  /** Remembers what an opened file holds as what this session has seen. */
  noteRead(sessionId: string, file: WorkspaceFile): void {
    this.ledger.note(sessionId, file.absolute, file.fingerprint());
  }

  /** Whether the session has seen this file, and it holds something else now. */
  async changedSinceRead(sessionId: string, path: string): Promise<boolean> {
    const file = await this.openFile(path);
    try {
      const seen = this.ledger.get(sessionId, file.absolute);
      return seen !== undefined && seen !== file.fingerprint(seen);
    } finally {
      file.close();
    }
  }

  /**
   * Replaces or creates a file: the old or the new content, whole. Missing folders are made; mode and owner are kept; a link inside the
   * workspace is written through. Hold `lock` around a read and the write that follows from it.
   */
  async write(path: string, parts: readonly Uint8Array[], options: WriteOptions = {}): Promise<WriteOutcome> {
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    this.checkSize(bytes, path);
    const location = this.open(path, 'write');
    try {
      const { absolute } = location;
      const { created, brokenLinks } = await this.replacer.replace(location, path, parts, options, (other) => this.guard.mayWrite(other));
      await this.noteWritten(absolute, path, parts, options.sessionId);
      return { relative: this.roots.relative(absolute), created, bytes, brokenLinks };
    } catch (error) {
      throw fileFailure(error, path, 'write');
    } finally {
      location.dispose();
    }
  }

  /** Removes a regular file. */
  async remove(path: string): Promise<void> {
    const location = this.open(path, 'write');
    try {
      const { node, parent, name } = location;
      if (node === undefined || parent === undefined) throw fileFailure({ code: 'ENOENT' }, path, 'write');
      if (node.kind !== 'file') throw notAFile(path, node.kind);
      parent.remove(name);
    } catch (error) {
      throw fileFailure(error, path, 'write');
    } finally {
      location.dispose();
    }
    return Promise.resolve();
  }

  private async noteWritten(absolute: string, path: string, parts: readonly Uint8Array[], sessionId: string | undefined): Promise<void> {
    if (sessionId === undefined) return;
    const known = contentFingerprint(parts);
    if (known !== undefined) return this.ledger.note(sessionId, absolute, known);
    const file = await this.openFile(path);
    this.noteRead(sessionId, file);
    file.close();
  }

  private use<T>(path: string, mode: 'read' | 'write', work: (location: Location) => T, options: { lookOnly?: boolean } = {}): T {
    const location = this.open(path, mode, options.lookOnly);
    try {
      return work(location);
    } catch (error) {
      throw fileFailure(error, path, mode);
    } finally {
      location.dispose();
    }
  }

  /** Walks and checks; the caller disposes. `lookOnly`: to say where a path leads, which may be outside or where nothing may be written. */
  private open(path: string, mode: 'read' | 'write', lookOnly = false): Location {
    const location = attempt(path, mode, () => locateAsListed(this.roots.all, path, lookOnly));
    try {
      if (!location.inside && !lookOnly) throw outsideFailure(path);
      if (location.inside) this.guard.check(location, path, mode, lookOnly);
      return location;
    } catch (error) {
      location.dispose();
      throw error;
    }
  }

  private checkSize(bytes: number, path: string): void {
    if (bytes > this.maxFileBytes) {
      throw new ToolFailure('file_too_large', `${quotePath(path)} has ${bytes} bytes; at most ${this.maxFileBytes} can be handled at once.`);
    }
  }
}

function attempt<T>(path: string, mode: 'read' | 'write', work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileFailure(error, path, mode);
  }
}
