/** Brings stated resources into the canonical form that rules match. What cannot be made canonical matches no allow rule. */
import { posix } from 'node:path';
import type { ResolvedPath } from '../workspace/workspace-types.js';
import type { Access, AccessMode, CanonicalAccess } from './access.js';
import { parseCommand } from './command/parse-command.js';
import { defaultPorts } from './origin-pattern.js';
import type { AccessResolver } from './ports.js';

/** The part of `Workspace` that is needed here; it may throw a `ToolFailure` of its own, which is passed on. */
export interface PathSource {
  /** The workspace's root; without it, what was asked is only known by where it leads. */
  readonly root?: string;
  resolve(path: string, mode: AccessMode): Promise<Pick<ResolvedPath, 'absolute' | 'relative' | 'inside' | 'otherNames'>>;
}

/** One access per part of a command, one for everything else. */
export function createAccessResolver(paths: PathSource): AccessResolver {
  return {
    async resolve(access) {
      switch (access.kind) {
        case 'path':
          return [await resolvePath(access, paths)];
        case 'command':
          return resolveCommand(access, paths.root);
        case 'url':
          return [{ ...access, resource: originOf(access.value) }];
        case 'glob':
          return [resolveGlob(access, paths.root)];
        case 'secret':
          return [{ ...access, resource: access.value }];
      }
    },
  };
}

async function resolvePath(access: Access, paths: PathSource): Promise<CanonicalAccess> {
  const { absolute, relative, inside, otherNames } = await paths.resolve(access.value, access.mode);
  const resource = inside ? relative : absolute;
  const asked = paths.root === undefined ? resource : askedPath(access.value, paths.root);
  return { ...access, resource, inside, ...(asked !== resource && { asked }), ...(otherNames && { otherNames }) };
}

function askedPath(value: string, root: string): string {
  const absolute = posix.resolve(root, value);
  if (absolute === root) return '.';
  const folder = root === '/' ? '/' : `${root}/`;
  return absolute.startsWith(folder) ? absolute.slice(folder.length) : absolute;
}

function resolveGlob(access: Access, root: string | undefined): CanonicalAccess {
  const resource = root !== undefined && access.value.startsWith(`${root}/`) ? access.value.slice(root.length + 1) : access.value;
  return { ...access, resource, inside: staysInside(resource) };
}

function resolveCommand(access: Access, root: string | undefined): CanonicalAccess[] {
  const analysis = parseCommand(access.value, root);
  if (!analysis.certain) return [{ ...access, resource: access.value, unproven: analysis.reason }];
  return analysis.parts.map(({ words, reason, explicit }) => ({
    ...access,
    resource: JSON.stringify(words),
    ...(reason === undefined ? { argv: words } : { words, unproven: reason }),
    ...(explicit && { explicit }),
  }));
}

/** `scheme://host:port` without user, path or query; the text itself when it is no URL. */
function originOf(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  const port = url.port || defaultPorts[scheme];
  const host = url.hostname.replace(/\.$/, '');
  return host === '' || port === undefined ? `${scheme}:` : `${scheme}://${host}:${port}`;
}

/** A glob that is absolute, or climbs anywhere, inside braces too. */
function staysInside(glob: string): boolean {
  return !/(?:^|[{,(|])[/\\~]|^[a-z]:/i.test(glob) && !glob.split(/[/\\{},()|]/).includes('..');
}
