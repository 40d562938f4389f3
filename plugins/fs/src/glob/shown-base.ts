/** How paths found below a folder are shown: by the asked name, from the root where that is possible. */
import type { Workspace } from '@haft/core';

/** Empty for the root itself. Throws what the workspace throws for the path. */
export async function shownBase(workspace: Workspace, base: string): Promise<string> {
  const plain = base.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (!base.startsWith('/') && !plain.includes('..')) return plain.join('/');
  const { relative } = await workspace.resolve(base, 'read');
  return relative === '.' ? '' : relative;
}
