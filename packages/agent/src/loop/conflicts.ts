/** Which calls of a turn may run at the same time: those whose resources are disjoint, or that only read. */
import type { CanonicalAccess, PlannedCall } from '@haft/core';

/** Whether the later call must wait for the earlier one. Symmetric. */
export function conflict(one: PlannedCall, other: PlannedCall): boolean {
  if (isReadOnly(one) && isReadOnly(other)) return false;
  if (isPure(one) || isPure(other)) return false;
  if (isOpenEnded(one) || isOpenEnded(other)) return true;
  return one.accesses.some((access) => other.accesses.some((against) => overlap(access, against)));
}

export function isReadOnly(planned: PlannedCall): boolean {
  return planned.scopes.every((scope) => scope === 'read') && planned.accesses.every((access) => access.mode === 'read' && access.kind !== 'command');
}

function isPure(planned: PlannedCall): boolean {
  return planned.scopes.length === 0 && planned.accesses.length === 0;
}

/** What it touches cannot be told from its accesses: a command, a dangerous tool, or an effect without a stated resource. */
function isOpenEnded(planned: PlannedCall): boolean {
  if (planned.scopes.includes('dangerous') || planned.accesses.some((access) => access.kind === 'command')) return true;
  return planned.accesses.length === 0 && planned.scopes.some((scope) => scope !== 'read');
}

function overlap(one: CanonicalAccess, other: CanonicalAccess): boolean {
  if (one.mode === 'read' && other.mode === 'read') return false;
  const isFile = (access: CanonicalAccess): boolean => access.kind === 'path' || access.kind === 'glob';
  if (isFile(one) && isFile(other)) return contains(rootOf(one), rootOf(other)) || contains(rootOf(other), rootOf(one));
  return one.kind === other.kind && one.resource === other.resource;
}

/** The part of a glob before its first wildcard; a path as it is. */
function rootOf(access: CanonicalAccess): string {
  if (access.kind !== 'glob') return trimmed(access.resource);
  const wild = access.resource.search(/[*?[{]/);
  if (wild < 0) return trimmed(access.resource);
  return trimmed(access.resource.slice(0, access.resource.lastIndexOf('/', wild) + 1));
}

function trimmed(path: string): string {
  const clean = path.replace(/^\.\//, '').replace(/\/+$/, '');
  return clean === '.' ? '' : clean;
}

function contains(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}
