/** Searches a folder or a file: which files, in which order, by which means; the result does not depend on the means. */
import { type Glob, type WalkEntry, type Workspace, type WorkspaceFile, compileGlob } from '@haft/core';
import type { ProcessRunner } from '@haft/process';
import { type LeftOut, type LeftOutReason, leaveOut, noneLeftOut } from '../glob/find-files.js';
import { shownBase } from '../glob/shown-base.js';
import { TextMatcher } from './pattern/text-matcher.js';
import { toRipgrep } from './pattern/to-ripgrep.js';
import { isPlainPath, ripgrepPath, siftFiles } from './ripgrep.js';
import { FileSearcher, type SearchMatch } from './search-file.js';

const maxSearchBytes = 64 * 1024 * 1024;
/** With fewer files, starting ripgrep costs more than it saves. */
const worthRipgrep = 400;
/** So many paths, and so many characters of them, fit on one command line. */
const batchFiles = 10_000;
const batchChars = 700_000;

export type Searcher = 'auto' | 'ripgrep' | 'builtin';

export interface SearchRequest {
  pattern: string;
  path: string;
  include?: string | undefined;
  exclude?: string | undefined;
  literal: boolean;
  ignoreCase: boolean;
  multiline: boolean;
  context: number;
  limit: number;
}

export interface SearchResult {
  pattern: string;
  matches: SearchMatch[];
  /** Matching places in all. */
  total: number;
  files: number;
  searched: number;
  leftOut: LeftOut;
  /** Files that match and are too large to be shown. */
  tooLarge: string[];
  /** Binary files that match. */
  binary: number;
  unreadable: number;
}

/** Throws `invalid_pattern`, and what the workspace throws for the path. */
export async function searchTree(workspace: Workspace, runner: ProcessRunner, request: SearchRequest, signal: AbortSignal, searcher: Searcher = 'auto'): Promise<SearchResult> {
  const matcher = new TextMatcher(request.pattern, request);
  const rgPath = searcher === 'builtin' ? undefined : await ripgrepPath();
  const sieve = { pattern: toRipgrep(matcher.node, matcher.multiline), multiline: matcher.multiline, root: workspace.root, signal };
  const sift = rgPath === undefined ? undefined : (paths: readonly string[]) => siftFiles(runner, rgPath, paths, sieve);
  const search = new TreeSearch(workspace, request, matcher, await shownBase(workspace, request.path), sift);
  if ((await workspace.stat(request.path)).kind === 'file') {
    await search.searchNamed();
    return search.result;
  }
  const report = await workspace.walk(request.path, search.visit, signal);
  search.result.unreadable += report.unreadable;
  await search.finish(signal, searcher === 'auto' ? worthRipgrep : 0);
  return search.result;
}

/** Paths that one run of ripgrep sifts while the walk goes on. */
interface Batch {
  paths: readonly string[];
  kept: Promise<readonly string[]>;
}

class TreeSearch {
  readonly result: SearchResult;
  private readonly files: FileSearcher;
  private readonly include: PathFilter | undefined;
  private readonly exclude: PathFilter | undefined;
  private readonly batches: Batch[] = [];
  /** Files to search, from the workspace's root, that no batch holds yet. */
  private pending: string[] = [];
  private pendingChars = 0;

  /** Without `sift`, files are searched as they are met. */
  constructor(
    private readonly workspace: Workspace,
    private readonly request: SearchRequest,
    matcher: TextMatcher,
    private readonly base: string,
    private readonly sift: ((paths: readonly string[]) => Promise<readonly string[]>) | undefined,
  ) {
    const leftOut = noneLeftOut();
    this.result = { pattern: request.pattern, matches: [], total: 0, files: 0, searched: 0, leftOut, tooLarge: [], binary: 0, unreadable: 0 };
    this.files = new FileSearcher(matcher, request.context, maxSearchBytes);
    this.include = request.include === undefined ? undefined : new PathFilter(request.include);
    this.exclude = request.exclude === undefined ? undefined : new PathFilter(request.exclude);
  }

  rootPath(path: string): string {
    return [this.base, path].filter((part) => part !== '').join('/');
  }

  readonly visit = (entry: WalkEntry): boolean => {
    if (this.exclude?.fits(entry.path, entry.name)) return false;
    if (entry.kind === 'link' && !entry.ignored && !entry.name.startsWith('.')) return this.leave('link', entry);
    if (entry.kind !== 'file' && entry.kind !== 'directory') return false;
    if (entry.kind === 'file' && entry.isSecret()) return this.leave('secret', entry);
    const named = this.include?.names(entry.path, entry.name, entry.kind) ?? false;
    if (entry.name.startsWith('.') && !named) return entry.name !== '.git' && this.leave('hidden', entry);
    if (entry.ignored) return this.leave('ignored', entry);
    if (entry.kind === 'directory') return this.include?.couldFitBelow(entry.path) ?? true;
    if (this.include?.fits(entry.path, entry.name) ?? true) this.take(entry);
    return false;
  };

  /** Waits for the batches and searches what they kept. With less than `least` files in all, ripgrep is not started. */
  async finish(signal: AbortSignal, least: number): Promise<void> {
    if (this.batches.length > 0 || this.pending.length >= least) this.closeBatch();
    for (const { paths, kept } of this.batches) {
      const plain = new Set(paths.filter(isPlainPath));
      const may = new Set(await kept);
      const searched = paths.filter((path) => !plain.has(path) || may.has(path));
      this.result.searched += paths.length - searched.length;
      await this.searchPaths(searched, signal);
    }
    await this.searchPaths(this.pending, signal);
  }

  private take(entry: WalkEntry): void {
    const path = this.rootPath(entry.path);
    if (this.sift === undefined) {
      this.searchOpened(path, entry.open);
      return;
    }
    this.pending.push(path);
    this.pendingChars += path.length + 12;
    if (this.pending.length >= batchFiles || this.pendingChars >= batchChars) this.closeBatch();
  }

  private closeBatch(): void {
    if (this.sift === undefined || this.pending.length === 0) return;
    const paths = this.pending;
    const plain = paths.filter(isPlainPath);
    const kept = plain.length === 0 ? Promise.resolve([]) : this.sift(plain);
    // A failure is met where the batch is awaited.
    kept.catch(() => undefined);
    this.batches.push({ paths, kept });
    this.pending = [];
    this.pendingChars = 0;
  }

  async searchPaths(paths: readonly string[], signal: AbortSignal): Promise<void> {
    let pauseAt = performance.now() + 15;
    for (const path of paths) {
      if (performance.now() > pauseAt) {
        await new Promise(setImmediate);
        signal.throwIfAborted();
        pauseAt = performance.now() + 15;
      }
      await this.searchPath(path);
    }
  }

  /** The file that the search was asked for by its own path: whatever it holds, it may be read. */
  async searchNamed(): Promise<void> {
    const path = this.rootPath('');
    this.searchFile(path, await this.workspace.openFile(path));
  }

  private async searchPath(path: string): Promise<void> {
    const file = await this.workspace.openFile(path).catch(() => undefined);
    this.searchOpened(path, () => {
      if (file === undefined) throw new Error('Not opened.');
      return file;
    });
  }

  private searchOpened(path: string, open: () => WorkspaceFile): void {
    let file: WorkspaceFile;
    try {
      file = open();
    } catch {
      // Gone, replaced by something else, or not ours to read since it was listed.
      this.result.unreadable++;
      return;
    }
    if (file.secretNames.length === 0) return this.searchFile(path, file);
    file.close();
    leaveOut(this.result.leftOut, 'secret', path);
  }

  private searchFile(path: string, file: WorkspaceFile): void {
    const { result } = this;
    result.searched++;
    const outcome = this.files.search(file, path, this.request.limit - result.matches.length);
    if (outcome === 'binary') result.binary++;
    else if (outcome === 'too-large') result.tooLarge.push(path);
    else if (outcome.total > 0) {
      result.total += outcome.total;
      result.files++;
      result.matches.push(...outcome.shown);
    }
  }

  private leave(why: LeftOutReason, entry: WalkEntry): false {
    if (this.include !== undefined && entry.kind !== 'directory' && !this.include.fits(entry.path, entry.name, true)) return false;
    leaveOut(this.result.leftOut, why, this.rootPath(entry.path) + (entry.kind === 'directory' ? '/' : ''));
    return false;
  }
}

/** `*.ts` means the name wherever it is; a pattern with a slash means the path from the searched folder. */
class PathFilter {
  private readonly glob: Glob;
  private readonly dotGlob: Glob;
  private readonly byName: boolean;

  constructor(pattern: string) {
    this.byName = !pattern.includes('/');
    this.glob = compileGlob(pattern);
    this.dotGlob = compileGlob(pattern, { dot: true });
  }

  fits(path: string, name: string, dot = false): boolean {
    return (dot ? this.dotGlob : this.glob).matches(this.byName ? name : path);
  }

  /** Whether the pattern itself asks for this hidden entry. */
  names(path: string, name: string, kind: 'file' | 'directory'): boolean {
    return kind === 'file' ? this.fits(path, name) : !this.byName && this.glob.couldMatchBelow(path);
  }

  couldFitBelow(path: string): boolean {
    return this.byName || this.glob.couldMatchBelow(path);
  }
}
