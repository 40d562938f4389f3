/** Whether a word of a command names a place outside the workspace, in any of the forms in which programs take paths. */
import { posix } from 'node:path';

const harmless = new Set(['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr']);

/** What ends a name within a word: behind it, another path may begin. A blank does not, so that messages may speak of paths. */
const parts = /[^\p{L}\p{N}_.\-/+%~ \t\n]/gu;

/**
 * Also for `--out=/etc/x`, `of=/dev/sda`, `a=@"/etc/passwd"`, `a:/b`, `-rt/etc` and `file:` URLs; other URLs name no place here. A relative
 * path is taken to start at `root`, an absolute one is inside only under it; without `root` every absolute path is outside. Links are
 * not followed. `clustered`: short options may stand together in one word, so that any of them may be the one that takes the path.
 */
export function namesOutside(word: string, root?: string, clustered = true): boolean {
  if (/\bfile:/i.test(word)) return true;
  const text = word.replaceAll(/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>{}]*/gi, '');
  const tails = [...text.matchAll(parts)].map(({ index }) => text.slice(index + 1));
  return [text, ...tails, ...attached(text, clustered)].some((path) => leadsOut(path, root));
}

/** What may be the value of a short option in the same word. */
function attached(word: string, clustered: boolean): string[] {
  const letters = /^-[A-Za-z0-9]+/.exec(word)?.[0].length ?? 0;
  const last = clustered ? letters : Math.min(letters, 2);
  return Array.from({ length: Math.max(0, last - 1) }, (_, index) => word.slice(index + 2));
}

/** The folder itself or anything in it; its name in any case, since some file systems take any. */
export function namesGitFolder(word: string): boolean {
  return word.split(/[/=@:,]/).some((name) => /^(?:-[A-Za-z])?\.git$/i.test(name));
}

function leadsOut(path: string, root: string | undefined): boolean {
  if (path.startsWith('~')) return true;
  if (path.startsWith('/')) return !harmless.has(path) && !isUnder(posix.normalize(path), root);
  const normal = posix.normalize(path);
  return normal === '..' || normal.startsWith('../');
}

function isUnder(path: string, root: string | undefined): boolean {
  return root !== undefined && (path === root || path === `${root}/` || path.startsWith(root === '/' ? '/' : `${root}/`));
}
