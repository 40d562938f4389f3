/** The folders that a workspace gives access to, and how real paths are named in them. The first is the root proper. */
import { realpathSync } from 'node:fs';
import { resolve as resolveText } from 'node:path';
import { SetupError } from '../errors.js';
import { Directory } from './directory.js';
import { isWithin, normalizeSegments, parsePath } from './path-segments.js';
import type { WorkspaceRoot } from './path-walk.js';
import type { WorkspaceOptions } from './workspace-types.js';

export class Roots {
  readonly main: WorkspaceRoot;

  constructor(main: WorkspaceRoot, extra: readonly WorkspaceRoot[]) {
    this.main = main;
    this.all = [main, ...extra];
  }

  readonly all: readonly WorkspaceRoot[];

  /** Opens all of them; one that is no folder is a `SetupError`. */
  static open(options: Pick<WorkspaceOptions, 'root' | 'extraRoots'>): Roots {
    return new Roots(openRoot(options.root, 'write'), (options.extraRoots ?? []).map(({ path, access }) => openRoot(path, access)));
  }

  /** The innermost root that holds a real path. */
  holding(absolute: string): WorkspaceRoot {
    const candidates = this.all.filter((root) => isWithin(absolute, root.absolute));
    return candidates.reduce((best, root) => (root.absolute.length > best.absolute.length ? root : best), this.main);
  }

  /** A real path from the main root, with `/`; `.` for the root itself; absolute elsewhere. */
  relative(absolute: string): string {
    const root = this.main.absolute;
    if (absolute === root) return '.';
    return isWithin(absolute, root) ? absolute.slice(root === '/' ? 1 : root.length + 1) : absolute;
  }

  /** An asked path from the main root by text alone, for rules; undefined where text alone leads elsewhere. */
  asked(path: string): string | undefined {
    const { absolute, segments } = parsePath(path);
    const normal = normalizeSegments(segments);
    if (normal === undefined) return undefined;
    if (!absolute) return normal.join('/');
    const full = `/${normal.join('/')}`;
    const spelling = [this.main.absolute, ...this.main.aliases].find((candidate) => isWithin(full, candidate));
    return spelling === undefined ? undefined : full.slice(spelling.length).replace(/^\//, '');
  }

  /** Whether a real path shows the system's own state (`/proc` and its like), which only a root of `/` could reach. */
  isSystemPath(absolute: string): boolean {
    return this.main.absolute === '/' && /^\/(proc|sys|dev)(\/|$)/.test(absolute);
  }

  close(): void {
    for (const root of this.all) root.directory.close();
  }
}

function openRoot(path: string, access: 'read' | 'write'): WorkspaceRoot {
  const asked = resolveText(path);
  try {
    const absolute = realpathSync.native(asked);
    return { absolute, aliases: asked === absolute ? [] : [asked], access, directory: Directory.openRoot(absolute) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new SetupError(`The workspace folder ${path} cannot be opened (${code}). Give an existing folder.`, { cause: error });
  }
}
