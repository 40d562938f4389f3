/** A linked worktree of git: its folder holds a file `.git` that names the repository, which lies elsewhere (gitrepository-layout(5)). */
import { lstatSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export interface WorktreeRepository {
  /** The repository's own folder, shared by all its worktrees. */
  common: string;
  /** What of it leads git elsewhere, so that a command must not change it. */
  pointers: string[];
  /** The folders of its other worktrees. */
  others: string[];
}

/**
 * The repository of the worktree at `root`, if it knows this worktree: a file that points there proves nothing, since
 * a command may have written it; what points back lies where no command writes. undefined otherwise.
 */
export function worktreeRepository(root: string): WorktreeRepository | undefined {
  const pointer = join(root, '.git');
  if (!lstatSync(pointer, { throwIfNoEntry: false })?.isFile()) return undefined;
  try {
    const [, target = ''] = /^gitdir: (.+)$/m.exec(readFileSync(pointer, 'utf8')) ?? [];
    const own = realpathSync(resolve(root, target));
    const back = readFileSync(join(own, 'gitdir'), 'utf8').trim();
    const common = dirname(dirname(own));
    const isKnown = realpathSync(resolve(own, back)) === pointer && realpathSync(resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim())) === common;
    return isKnown && !own.startsWith(`${root}/`) ? { common, pointers: pointersOf(own), others: siblings(own) } : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    // Some file of it is not there or cannot be read: then it is no worktree that git itself made.
    return undefined;
  }
}

function pointersOf(own: string): string[] {
  return ['gitdir', 'commondir', 'config.worktree'].map((name) => join(own, name)).filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
}

function siblings(own: string): string[] {
  const folder = dirname(own);
  return readdirSync(folder).map((name) => join(folder, name)).filter((path) => path !== own);
}
