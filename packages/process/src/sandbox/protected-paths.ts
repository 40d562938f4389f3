/** What inside the workspace a command must not change, or not even see: git's hooks and config, Haft's own config, what usually holds secrets. */
import { isSecretPath } from '@haft/core/secret-files';
import { type Dirent, closeSync, constants, existsSync, lstatSync, openSync, readlinkSync, realpathSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { entriesOf } from './entries-of.js';
import { otherNamesOf } from './other-names.js';
import { worktreeRepository } from './worktree.js';

export interface ProtectedPaths {
  /** Folders that must stay where they are, since something below them is protected: bound onto themselves. Outermost first. */
  pinned: string[];
  readOnly: string[];
  /** Files that read as nothing. */
  masked: string[];
  /** Folders that look empty. */
  emptied: string[];
  /** What is not there and must not come into being: a mount cannot keep it away, so it is removed after the command. */
  forbidden: string[];
  /** Sockets, whoever made them. */
  sockets: string[];
  /** A repository elsewhere that the workspace is a worktree of: to be written, too. */
  repositories: string[];
}

/** Code or settings that something outside the sandbox runs or trusts. */
const READ_ONLY_NAMES = [
  'agent.config.ts', 'agent.config.mts', 'agent.config.js', 'agent.config.mjs', 'agent.config.cjs', 'agent.config.json', '.haft', '.vscode', '.idea', '.gitmodules', '.gitconfig',
  '.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.profile', '.zshrc', '.zprofile', '.zshenv', '.zlogin', '.ripgreprc', '.mcp.json',
];
const SKIPPED = new Set(['node_modules', '.git']);
const MAX_FOLDERS = 50_000;

/** What one folder holds that matters here. */
interface FolderView {
  /** Of the folder, in nanoseconds: it changes whenever a name comes or goes. */
  mtime: bigint;
  /** When it was read, in nanoseconds since the epoch. */
  readAt: bigint;
  /** Entries named `.git`, and those that usually hold secrets. */
  notable: Dirent[];
  folders: string[];
  sockets: string[];
}

/** A folder that changed so shortly before it was read may change again without a new time: file systems count in ticks. */
const TICK_NS = 50_000_000n;

/** Finds the protected paths of one workspace, again at every command; folders that did not change are not read again. */
export class ProtectedPathScanner {
  private views = new Map<string, FolderView>();

  /** `root` is a real path; `isSecret` says of a path from there whether it is hidden. */
  constructor(private readonly root: string, private readonly isSecret: (path: string) => boolean = isSecretPath) {}

  /** Scans the whole workspace but node_modules. Throws where it cannot be protected. */
  scan(): ProtectedPaths {
    const { root } = this;
    const found: ProtectedPaths = { pinned: [], readOnly: [], masked: [], emptied: [], forbidden: [], sockets: [], repositories: [] };
    for (const name of READ_ONLY_NAMES) protect(join(root, name), root, found);
    protectRepository(root, found);
    const views = new Map<string, FolderView>();
    const folders = [root];
    const gitFolders = [...found.repositories];
    for (const folder of folders) {
      if (views.size >= MAX_FOLDERS) throw new Error(`The workspace ${root} has more than ${MAX_FOLDERS} folders, so what holds secrets in it cannot all be hidden; choose a smaller one.`);
      const view = this.view(folder);
      views.set(folder, view);
      folders.push(...view.folders);
      found.sockets.push(...view.sockets);
      for (const entry of view.notable) {
        const path = join(folder, entry.name);
        if (entry.name !== '.git') hide(path, root, found);
        else {
          protectGit(path, entry, root, found);
          gitFolders.push(path);
        }
      }
    }
    this.views = views;
    for (const path of gitFolders) this.hideInGit(path, found);
    found.masked.push(...otherNamesOf({ files: found.masked, folders: found.emptied }, folders, gitFolders));
    return { ...found, pinned: foldersAbove(found, [root, ...found.repositories]) };
  }

  /** Credentials that git keeps beside its config. Below, names are those of branches. */
  private hideInGit(path: string, found: ProtectedPaths): void {
    for (const entry of entriesOf(path)) if (entry.isFile() && isSecretPath(entry.name)) found.masked.push(join(path, entry.name));
  }

  private view(folder: string): FolderView {
    const mtime = lstatSync(folder, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? 0n;
    const known = this.views.get(folder);
    if (known?.mtime === mtime && known.readAt - mtime > TICK_NS) return known;
    const readAt = BigInt(Date.now()) * 1_000_000n;
    const entries = entriesOf(folder);
    const notable = entries.filter((entry) => entry.name === '.git' || this.isHidden(folder, entry));
    return {
      mtime,
      readAt,
      notable,
      folders: entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name) && !notable.includes(entry)).map(({ name }) => join(folder, name)),
      sockets: entries.filter((entry) => entry.isSocket()).map(({ name }) => join(folder, name)),
    };
  }

  /** A folder is hidden where whatever is in it is to be: names of files with secrets say nothing of folders. */
  private isHidden(folder: string, entry: Dirent): boolean {
    const path = join(folder, entry.name).slice(this.root.length + 1);
    return this.isSecret(entry.isDirectory() ? `${path}/any` : path);
  }
}

/** Every folder between what may be written and something protected in it: were it renamed, its old name could be made anew without the protection. */
function foldersAbove(found: ProtectedPaths, roots: readonly string[]): string[] {
  const above = new Set(found.pinned);
  const { readOnly, masked, emptied, forbidden } = found;
  for (const path of [...found.pinned, ...readOnly, ...masked, ...emptied, ...forbidden]) {
    for (let folder = dirname(path); roots.some((root) => folder.startsWith(`${root}/`)); folder = dirname(folder)) above.add(folder);
  }
  return [...above].sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
}

function protectGit(path: string, entry: Dirent, root: string, found: ProtectedPaths): void {
  if (entry.isSymbolicLink()) {
    throw new Error(`${path} is a symbolic link, which cannot be protected from being replaced; use a file with the line "gitdir: PATH" instead.`);
  }
  if (!entry.isDirectory()) {
    // A worktree or submodule: the file says where git's folder is.
    found.readOnly.push(path);
    return;
  }
  const linked = entriesOf(path).some((child) => (child.name === 'hooks' || child.name === 'config') && child.isSymbolicLink());
  if (linked) {
    found.readOnly.push(path);
    return;
  }
  protectGitFolder(path, root, found);
}

/** With it, git works in a worktree as outside; its hooks, settings and other worktrees are kept as those of a repository inside are. */
function protectRepository(root: string, found: ProtectedPaths): void {
  const repository = worktreeRepository(root);
  if (repository === undefined) return;
  const { common, pointers, others } = repository;
  found.repositories.push(common);
  protectGitFolder(common, dirname(common), found);
  found.readOnly.push(...pointers, ...others);
}

function protectGitFolder(path: string, root: string, found: ProtectedPaths): void {
  found.pinned.push(path);
  const hooks = join(path, 'hooks');
  if (existsSync(hooks)) protect(hooks, root, found);
  else found.emptied.push(hooks);
  for (const name of ['config', 'config.worktree']) protect(join(path, name), root, found);
  // With this file, git takes config and hooks from wherever it says.
  const redirect = join(path, 'commondir');
  if (existsSync(redirect)) protect(redirect, root, found);
  else found.forbidden.push(redirect);
  if (existsSync(join(path, 'modules'))) protectModules(join(path, 'modules'), root, found);
}

/** Git's folders of submodules lie below `modules`, under the submodule's path, which may have several parts. */
function protectModules(path: string, root: string, found: ProtectedPaths): void {
  found.pinned.push(path);
  for (const child of entriesOf(path)) {
    if (!child.isDirectory()) continue;
    const below = join(path, child.name);
    if (existsSync(join(below, 'HEAD'))) protectGitFolder(below, root, found);
    else protectModules(below, root, found);
  }
}

function protect(path: string, root: string, found: ProtectedPaths): void {
  const real = realInside(path, root);
  if (real !== undefined) found.readOnly.push(real);
}

function hide(path: string, root: string, found: ProtectedPaths): void {
  const real = realInside(path, root);
  if (real === undefined) return;
  (lstatSync(real).isDirectory() ? found.emptied : found.masked).push(real);
}

/** The real path, since a mount on a link would land on its target; undefined where nothing is there, or it leads out and is not visible anyway. */
function realInside(path: string, root: string): string | undefined {
  try {
    // Most are not there, and a thrown error costs ten times as much as the look.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    const real = realpathSync(path);
    return real.startsWith(`${root}/`) ? real : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
}

/** O_PATH (asm-generic/fcntl.h): a handle of the folder itself, which no link can exchange. */
const O_PATH = 0o10000000;

/** Removes a file that must not be there. Does nothing where its folder is not, or no longer, at this very path. */
export function removeFile(path: string): void {
  const folder = dirname(path);
  let handle: number | undefined;
  try {
    handle = openSync(folder, O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY);
    if (readlinkSync(`/proc/self/fd/${handle}`) === folder) unlinkSync(`/proc/self/fd/${handle}/${basename(path)}`);
  } catch {
    // Not there, as it should be; or a folder, which git does not read.
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
