/** Path patterns of rules: the workspace's globs, with dot files, absolute paths and the root itself. */
import { compileGlob } from '../workspace/glob-pattern.js';

export type PathMatcher = (path: string) => boolean;

/**
 * Compiles a pattern over canonical paths: relative to the workspace (`.` is its root), absolute outside it. A trailing `/` means
 * all that is in the folder. Undefined when the text is no glob.
 */
export function compilePathPattern(pattern: string): PathMatcher | undefined {
  const text = pattern.endsWith('/') ? `${pattern}**` : pattern;
  try {
    const absolute = text.startsWith('/');
    const glob = compileGlob(text, { dot: true });
    const root = compileGlob(text.replace(/^\.$/, '\\.'), { dot: true });
    const anywhere = absolute || text.startsWith('**');
    return (path) => (path.startsWith('/') ? anywhere && glob.matches(path.slice(1)) : !absolute && (path === '.' ? root : glob).matches(path));
  } catch {
    return undefined; // Not a glob: as a path pattern the text matches nothing.
  }
}

/** Writes a path so that as a pattern it matches exactly itself. */
export function escapePath(path: string): string {
  return path.replace(/[\\*?[\]{},]/g, '\\$&');
}
