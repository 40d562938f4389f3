/** Which sockets in a workspace belong to a program outside: by them a command could have it do what it cannot do itself. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * Of `sockets`, those that a process of our own network namespace has bound; what commands bind in their sandboxes is in other ones.
 * One that was bound by a relative path is known by its name alone, so all of that name count.
 */
export function boundOutside(sockets: readonly string[], table?: string): string[] {
  if (sockets.length === 0) return [];
  const bound = (table ?? hostTable()).split('\n').flatMap((line) => /^[0-9a-f]+: (?:\S+ +){6}(\S.*)$/i.exec(line)?.[1] ?? []);
  const absolute = new Set(bound.filter((path) => path.startsWith('/')));
  const relative = new Set(bound.filter((path) => !/^[/@]/.test(path)).map((path) => basename(path)));
  return sockets.filter((path) => absolute.has(path) || relative.has(basename(path)));
}

function hostTable(): string {
  return readFileSync('/proc/net/unix', 'utf8');
}
