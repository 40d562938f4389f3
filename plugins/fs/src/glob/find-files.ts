/** Files whose path fits a glob: hidden and git-ignored ones only where the pattern names them, and then it is said what was left out. */
import { type Glob, ToolFailure, type Workspace, compileGlob } from '@haft/core';
import { shownBase } from './shown-base.js';

const maxListed = 1_000;
const maxListedChars = 30_000;

export interface LeftOut {
  hidden: string[];
  ignored: string[];
  hiddenCount: number;
  ignoredCount: number;
  /** Links, which are not followed. */
  links: string[];
  linkCount: number;
  /** Files that usually hold secrets, whose text a search does not look at; a glob, which gives names only, leaves none out. */
  secrets: string[];
  secretCount: number;
}

export function noneLeftOut(): LeftOut {
  return { hidden: [], ignored: [], hiddenCount: 0, ignoredCount: 0, links: [], linkCount: 0, secrets: [], secretCount: 0 };
}

export type LeftOutReason = 'hidden' | 'ignored' | 'link' | 'secret';

/** Counts one, and keeps the first few by name. */
export function leaveOut(leftOut: LeftOut, why: LeftOutReason, path: string): void {
  leftOut[`${why}Count`]++;
  const names = { hidden: leftOut.hidden, ignored: leftOut.ignored, link: leftOut.links, secret: leftOut.secrets }[why];
  if (names.length < 5) names.push(path);
}

export interface GlobResult {
  pattern: string;
  /** Paths that can be given back to any tool, in order. */
  paths: string[];
  /** Matches in all. */
  total: number;
  leftOut: LeftOut;
  unreadable: number;
}

/** Where a glob's search begins, and what is left of it from there. */
export function splitGlob(pattern: string, folder: string): { base: string; rest: string } {
  if (pattern.trim() === '') throw new ToolFailure('invalid_pattern', 'The glob is empty. Use e.g. "**/*.ts", or "*" for the folder itself.');
  const segments = pattern.split('/');
  const firstMagic = segments.findIndex((segment) => /[*?[{\\]/.test(segment));
  const literal = segments.slice(0, firstMagic === -1 ? segments.length - 1 : firstMagic);
  // "src/" means what is in the folder.
  const rest = segments.slice(literal.length).join('/') || '*';
  const prefix = literal.join('/');
  const base = pattern.startsWith('/') ? prefix || '/' : [folder === '.' ? '' : folder, prefix].filter((part) => part !== '').join('/') || '.';
  return { base, rest };
}

/** Throws `invalid_pattern`, and what the workspace throws for the folder. */
export async function findFiles(workspace: Workspace, pattern: string, folder: string, signal?: AbortSignal): Promise<GlobResult> {
  const { base, rest } = splitGlob(pattern, folder);
  const search = new GlobSearch(compileGlob(rest), compileGlob(rest, { dot: true }), await shownBase(workspace, base));
  const { unreadable } = await workspace.walk(base, search.visit, signal);
  return { pattern, ...search.result(), unreadable };
}

class GlobSearch {
  private readonly paths: string[] = [];
  private chars = 0;
  private total = 0;
  private readonly leftOut: LeftOut = noneLeftOut();

  constructor(private readonly glob: Glob, private readonly dotGlob: Glob, private readonly base: string) {}

  readonly visit: Parameters<Workspace['walk']>[1] = (entry) => {
    if (entry.kind === 'directory') return this.visitFolder(entry.path, entry.name, entry.ignored);
    if (this.glob.matches(entry.path)) {
      if (entry.ignored) this.leave('ignored', entry.path);
      else this.keep(entry.path);
    } else if (entry.name.startsWith('.') && this.dotGlob.matches(entry.path)) this.leave('hidden', entry.path);
    return false;
  };

  result(): Pick<GlobResult, 'paths' | 'total' | 'leftOut'> {
    return { paths: this.paths, total: this.total, leftOut: this.leftOut };
  }

  private visitFolder(path: string, name: string, ignored: boolean): boolean {
    if (!this.glob.couldMatchBelow(path)) {
      if (name.startsWith('.') && name !== '.git' && this.dotGlob.couldMatchBelow(path)) this.leave('hidden', `${path}/`);
      return false;
    }
    if (ignored) this.leave('ignored', `${path}/`);
    return !ignored;
  }

  private keep(path: string): void {
    this.total++;
    const shown = this.shown(path);
    if (this.paths.length >= maxListed || this.chars + shown.length > maxListedChars) return;
    this.chars += shown.length + 1;
    this.paths.push(shown);
  }

  private leave(why: 'hidden' | 'ignored', path: string): void {
    leaveOut(this.leftOut, why, this.shown(path));
  }

  private shown(path: string): string {
    return this.base === '' ? path : `${this.base}/${path}`;
  }
}
