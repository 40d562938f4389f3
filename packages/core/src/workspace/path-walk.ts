/**
 * Resolves a path one name at a time on opened folders. Links are read and followed here, by text, inside the roots; the system
 * never follows one for us. What leads above a root is followed as text only: nothing outside is ever looked at.
 */
import { closeSync } from 'node:fs';
import { Directory, type FoundNode } from './directory.js';
import { ToolFailure } from '../errors.js';
import { fileFailure, quotePath, unquotedPath } from './file-failure.js';
import { joinPath, parentOf, parsePath } from './path-segments.js';

const maxLinks = 40;

export interface WorkspaceRoot {
  /** Real path. */
  absolute: string;
  /** Other spellings of the root under which absolute paths may arrive, e.g. through a link. */
  aliases: readonly string[];
  access: 'read' | 'write';
  directory: Directory;
}

/** Where a path leads. `dispose` gives its descriptors back. */
export interface Location {
  /** Real path, absolute; of a missing file too, as far as it can be known. */
  absolute: string;
  inside: boolean;
  /** Real paths of the links that were followed on the way. */
  links: readonly string[];
  /** The folder that holds the last existing part; absent for a root itself, and outside. */
  parent?: Directory;
  name: string;
  /** What is there; absent when nothing is. */
  node?: FoundNode;
  /** The opened folders from the root down to `parent`, or to the folder itself when it is one. */
  trail: readonly Directory[];
  /** Names below `parent` that do not exist yet, the last one included. */
  missing: readonly string[];
  dispose(): void;
}

/** An error with a system code, for cases that the walk finds itself. */
export function systemError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}

/**
 * Follows `path` from the first root. Throws system errors (`ENOTDIR`, `ELOOP`, `EACCES` …); a missing file is no error. With `look` a file at
 * its end is not made ready for opening.
 */
export function locate(roots: readonly WorkspaceRoot[], path: string, look = false): Location {
  const { absolute, segments, folder } = parsePath(path);
  const walk = new PathWalk(roots, look);
  try {
    if (absolute) walk.leaveTo('/');
    const location = walk.run(segments);
    if (folder && location.node !== undefined && location.node.kind !== 'directory') throw systemError('ENOTDIR');
    return location;
  } catch (error) {
    walk.dispose();
    throw error;
  }
}

/** As `locate`; takes a strange name also in the form in which lists show it, where no file has the text itself as its name. */
export function locateAsListed(roots: readonly WorkspaceRoot[], path: string, look = false): Location {
  const location = locate(roots, path, look);
  const meant = location.missing.length > 0 ? unquotedPath(path) : undefined;
  if (meant === undefined) return location;
  location.dispose();
  const other = locate(roots, meant, look);
  if (other.node !== undefined) return other;
  other.dispose();
  return locate(roots, path, look);
}

class PathWalk {
  /** Opened folders from the root down; the first belongs to the root. Empty while above the roots. */
  private trail: Directory[] = [];
  /** The position above the roots, as text. */
  private above = '';
  private readonly links: string[] = [];
  private node: FoundNode | undefined;
  private name = '';
  private missing: string[] = [];

  constructor(private readonly roots: readonly WorkspaceRoot[], private readonly look: boolean) {
    const [first] = roots;
    if (first) this.trail = [first.directory];
  }

  run(segments: readonly string[]): Location {
    const pending = [...segments].reverse();
    for (let segment = pending.pop(); segment !== undefined; segment = pending.pop()) {
      if (this.trail.length === 0) this.leaveTo(segment === '..' ? parentOf(this.above) : joinPath(this.above, segment));
      else if (segment === '..') this.goUp();
      else if (!this.goDown(segment, pending)) break;
    }
    return this.result();
  }

  /** Moves to a position given as text; comes back inside when that is a root. */
  leaveTo(position: string): void {
    this.dispose();
    const root = this.roots.find((candidate) => candidate.absolute === position || candidate.aliases.includes(position));
    this.trail = root ? [root.directory] : [];
    this.above = position;
  }

  dispose(): void {
    for (const directory of this.trail.splice(1)) directory.close();
    if (this.node?.fd !== undefined && this.node.kind !== 'directory') closeSync(this.node.fd);
    this.node = undefined;
  }

  private here(): Directory {
    const directory = this.trail.at(-1);
    if (directory === undefined) throw systemError('ENOENT');
    return directory;
  }

  private goUp(): void {
    if (this.trail.length > 1) this.trail.pop()?.close();
    else this.leaveTo(parentOf(this.here().absolute));
  }

  /** One name down. False when the way ends here: a file, or nothing. */
  private goDown(asked: string, pending: string[]): boolean {
    const here = this.here();
    const found = findByName(here, asked, this.look && pending.length === 0);
    if (found === undefined) {
      this.missing = [asked, ...pending.reverse()];
      if (this.missing.includes('..')) throw systemError('ENOENT');
      return false;
    }
    const { name, node } = found;
    if (node.kind === 'directory') {
      this.trail.push(here.enter(name, node));
      return true;
    }
    if (node.kind === 'link') {
      this.followLink(name, node, pending);
      return true;
    }
    this.node = node;
    this.name = name;
    if (pending.length > 0) throw systemError('ENOTDIR');
    return false;
  }

  private followLink(name: string, node: FoundNode, pending: string[]): void {
    const here = this.here();
    if (node.fd !== undefined) closeSync(node.fd);
    if (this.links.push(joinPath(here.absolute, name)) > maxLinks) throw systemError('ELOOP');
    const target = parsePath(here.readLink(name));
    pending.push(...target.segments.reverse());
    if (target.absolute) this.leaveTo('/');
  }

  private result(): Location {
    const { links, trail, missing, node, name } = this;
    const dispose = () => this.dispose();
    const here = trail.at(-1);
    if (here === undefined) return { links, trail, dispose, absolute: this.above, inside: false, name: '', missing: [] };
    if (node !== undefined) return { links, trail, dispose, absolute: joinPath(here.absolute, name), inside: true, parent: here, name, node, missing: [] };
    if (missing.length > 0) {
      return { links, trail, dispose, absolute: missing.reduce(joinPath, here.absolute), inside: true, parent: here, name: missing.at(-1) ?? '', missing };
    }
    const parent = trail.at(-2);
    const own = here.absolute.slice(here.absolute.lastIndexOf('/') + 1);
    return { links, trail, dispose, absolute: here.absolute, inside: true, ...(parent && { parent }), name: own, node: { kind: 'directory', stats: here.stats() }, missing: [] };
  }
}

/** The child of that name; where only a differently composed spelling (NFC, NFD) exists, and just one, that one. */
function findByName(directory: Directory, asked: string, look: boolean): { name: string; node: FoundNode } | undefined {
  try {
    return { name: asked, node: look ? directory.look(asked) : directory.find(asked) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  if (/^[\x00-\x7f]*$/.test(asked)) return undefined;
  const wanted = asked.normalize('NFC');
  const alike = directory.entries().filter((entry) => entry.name.normalize('NFC') === wanted);
  const [only] = alike;
  if (only === undefined || alike.length > 1) return undefined;
  return { name: only.name, node: directory.find(only.name) };
}

/** The opened folders from the root down to the one that a path names. */
export function requireFolder(location: Location, path: string): readonly Directory[] {
  if (location.node === undefined) throw fileFailure({ code: 'ENOENT' }, path, 'read');
  if (location.node.kind !== 'directory') throw new ToolFailure('not_a_directory', `${quotePath(path)} is not a folder.`);
  return location.trail;
}
