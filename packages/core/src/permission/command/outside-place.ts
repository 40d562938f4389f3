/** Whether a word of a command names a place outside the workspace, in any of the forms in which programs take paths. */
import { posix } from 'node:path';

const harmless = new Set(['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr']);

/**
 * Also for `--out=/etc/x`, `of=/dev/sda`, `@/etc/passwd`, `a:/b`, `-o/etc/x` and `file:` URLs; other URLs name no place here. A relative
 * path is taken to start at `root`, an absolute one is inside only under it; without `root` every absolute path is outside. Links are
 * not followed.
 */
export function namesOutside(word: string, root?: string): boolean {
  if (/\bfile:/i.test(word)) return true;
  const text = word.replaceAll(/[a-z][a-z0-9+.-]*:\/\/\S*/gi, '');
  const tails = [...text.matchAll(/[=@:,]/g)].map(({ index }) => text.slice(index + 1));
  const attached = /^-[A-Za-z](.+)$/s.exec(text)?.[1];
  return [text, ...tails, ...(attached === undefined ? [] : [attached])].some((path) => leadsOut(path, root));
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
