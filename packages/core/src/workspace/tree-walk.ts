/**
 * Walks a folder and all below it, in a fixed order, on opened folders and without following links; says of each entry whether a
 * `.gitignore` inside the workspace excludes it. What to do about that, and about hidden names, is the visitor's choice.
 */
import { closeSync } from 'node:fs';
import type { Directory, NodeKind } from './directory.js';
import { IgnoreRules } from './ignore-rules.js';
import type { PathGuard } from './path-guard.js';
import type { PathRules } from './path-rules.js';
import { joinPath } from './path-segments.js';
import { WorkspaceFile } from './workspace-file.js';

const sliceMs = 15;
const maxDepth = 256;

export interface WalkEntry {
  /** From the folder that the walk began in, with `/`. */
  path: string;
  name: string;
  kind: NodeKind;
  /** 1 for the entries of the first folder. */
  depth: number;
  /** Excluded by a `.gitignore`. */
  ignored: boolean;
  /** Whether the entry usually holds secrets (secret-files.ts); never so below a folder of secrets that the walk was begun in on purpose. */
  isSecret(): boolean;
  /** Opens a regular file, during the visit only; the caller closes it. Throws the system's error, and for a hard link of a denied file. */
  open(): WorkspaceFile;
}

/** Returns whether to go into a folder; for anything else the answer means nothing. */
export type WalkVisitor = (entry: WalkEntry) => boolean;

export interface WalkReport {
  entries: number;
  /** Folders that could not be opened. */
  unreadable: number;
}

interface IgnoreLevel {
  /** Length of the path, from the main root, of the folder that holds the rules, with its slash. */
  prefix: number;
  rules: IgnoreRules;
}

interface Frame {
  directory: Directory;
  /** From the walk's start, with a trailing slash; empty for the start. */
  path: string;
  depth: number;
  levels: readonly IgnoreLevel[];
  entries: { name: string; kind: NodeKind }[];
  next: number;
}

export class TreeWalk {
  private readonly report: WalkReport = { entries: 0, unreadable: 0 };
  private readonly begunInSecrets: boolean;

  /** `base` is the start's real path from the main root, without slash; empty for the root itself, absolute in an extra root. */
  constructor(private readonly base: string, private readonly rules: PathRules, private readonly guard: PathGuard, private readonly visitor: WalkVisitor) {
    this.begunInSecrets = rules.isSecret(base);
  }

  /** `folders` leads from the root down to the start; the rules of those above count too, unless they exclude the start itself. */
  async run(folders: readonly Directory[], signal?: AbortSignal): Promise<WalkReport> {
    const start = folders.at(-1);
    if (start === undefined) return this.report;
    const frames = [this.frame(start, '', 0, this.levelsAbove(folders))];
    let sliceEnd = performance.now() + sliceMs;
    try {
      while (frames.length > 0) {
        this.step(frames);
        if (performance.now() > sliceEnd) {
          signal?.throwIfAborted();
          await new Promise(setImmediate);
          sliceEnd = performance.now() + sliceMs;
        }
      }
    } finally {
      for (const frame of frames) if (frame.directory !== start) frame.directory.close();
    }
    return this.report;
  }

  /** Visits entries of the innermost folder up to and including the next folder to enter, or to its end. */
  private step(frames: Frame[]): void {
    const frame = frames.at(-1);
    if (frame === undefined) return;
    for (let entry = frame.entries[frame.next++]; entry !== undefined; entry = frame.entries[frame.next++]) {
      if (!this.visit(frame, entry) || frame.depth >= maxDepth) continue;
      const child = this.enter(frame, entry.name);
      if (child === undefined) continue;
      frames.push(child);
      return;
    }
    frames.pop();
    if (frames.length > 0) frame.directory.close();
  }

  private visit(frame: Frame, { name, kind }: Frame['entries'][number]): boolean {
    const path = frame.path + name;
    const full = this.base === '' ? path : `${this.base}/${path}`;
    if (this.rules.deniesEntry(full)) return false;
    this.report.entries++;
    const isFolder = kind === 'directory';
    const ignored = isIgnored(frame.levels, full, name, isFolder);
    const open = () => this.open(frame.directory, name, full);
    const isSecret = () => !this.begunInSecrets && this.rules.isSecret(full);
    return this.visitor({ path, name, kind, depth: frame.depth + 1, ignored, isSecret, open }) && isFolder;
  }

  private open(directory: Directory, name: string, full: string): WorkspaceFile {
    const { fd, stats } = directory.openListedFile(name);
    if (stats.nlink === 1) return new WorkspaceFile(fd, joinPath(directory.absolute, name), full, stats.size);
    if (!this.guard.deniesLinked(stats)) return new WorkspaceFile(fd, joinPath(directory.absolute, name), full, stats.size, this.guard.secretNames(stats, full));
    closeSync(fd);
    throw Object.assign(new Error('Another name of a denied file.'), { code: 'EACCES' });
  }

  private enter(frame: Frame, name: string): Frame | undefined {
    try {
      return this.frame(frame.directory.openFolder(name), `${frame.path}${name}/`, frame.depth + 1, frame.levels);
    } catch {
      // Gone, replaced, or not ours to read: counted, and the rest is walked.
      this.report.unreadable++;
      return undefined;
    }
  }

  private frame(directory: Directory, path: string, depth: number, above: readonly IgnoreLevel[]): Frame {
    try {
      const entries = directory.entries().sort((a, b) => (a.name < b.name ? -1 : 1));
      const full = this.base === '' ? path : `${this.base}/${path}`;
      const own = entries.some((entry) => entry.name === '.gitignore' && entry.kind === 'file') ? readRules(directory, full.length) : undefined;
      return { directory, path, depth, levels: own ? [...above, own] : above, entries, next: 0 };
    } catch (error) {
      if (path !== '') directory.close();
      throw error;
    }
  }

  /** The rules of the folders above the start; none when they exclude the start, which was then named on purpose. */
  private levelsAbove(folders: readonly Directory[]): readonly IgnoreLevel[] {
    const above = folders.slice(0, -1);
    const cut = (folders.at(-1)?.absolute.length ?? 0) - this.base.length;
    let levels: IgnoreLevel[] = [];
    for (const [index, directory] of above.entries()) {
      const name = directory.absolute.slice(cut);
      const own = readRules(directory, name === '' ? 0 : name.length + 1);
      if (own) levels = [...levels, own];
      const child = folders[index + 1]?.absolute.slice(cut) ?? '';
      if (isIgnored(levels, child, child.slice(child.lastIndexOf('/') + 1), true)) return [];
    }
    return levels;
  }
}

function isIgnored(levels: readonly IgnoreLevel[], full: string, name: string, isFolder: boolean): boolean {
  for (let index = levels.length - 1; index >= 0; index--) {
    const level = levels[index];
    const verdict = level?.rules.verdict(full.slice(level.prefix), name, isFolder);
    if (verdict !== undefined) return verdict;
  }
  return false;
}

function readRules(directory: Directory, prefix: number): IgnoreLevel | undefined {
  let file: WorkspaceFile | undefined;
  try {
    const { fd, stats } = directory.openListedFile('.gitignore');
    file = new WorkspaceFile(fd, joinPath(directory.absolute, '.gitignore'), '.gitignore', stats.size);
    return file.size > 1_048_576 ? undefined : { prefix, rules: new IgnoreRules(file.readAll().toString('utf8')) };
  } catch {
    // No such file, or not a readable one: no rules.
    return undefined;
  } finally {
    file?.close();
  }
}
