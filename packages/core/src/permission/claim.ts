/** What a call asks leave for: one claim per resource, and one per declared scope that no resource accounts for. */
import type { Scope } from '../tool/tool.js';
import { isSecretPath } from '../workspace/secret-files.js';
import type { CanonicalAccess } from './access.js';
import type { PolicyQuery } from './ports.js';

export interface Claim {
  readonly scope: Scope;
  /** Absent: the claim speaks of the tool as a whole. */
  readonly access?: CanonicalAccess;
  /** A path or glob that is not known to lie inside the workspace. */
  readonly outside: boolean;
  /** A path or glob that usually holds secrets, by any of its names. */
  readonly secret?: true;
}

/**
 * A command may do anything, so it accounts for every scope; a written path accounts for `write`, a URL for `network`. A write,
 * network or dangerous tool without any resource claims `dangerous`; any other tool without one claims the least there is, so that
 * rules on its name have something to speak of.
 */
export function claimsOf(query: PolicyQuery): Claim[] {
  const claims = query.accesses.map(claimOf);
  const declared = query.tool.scopes.filter((scope) => scope !== 'read');
  if (claims.length === 0) return [{ scope: declared.length === 0 ? 'read' : 'dangerous', outside: false }];
  const covered = new Set<Scope>(claims.map((claim) => claim.scope));
  if (query.accesses.some((access) => access.kind === 'command')) return claims;
  return [...claims, ...declared.filter((scope) => !covered.has(scope)).map((scope): Claim => ({ scope, outside: false }))];
}

function claimOf(access: CanonicalAccess): Claim {
  switch (access.kind) {
    case 'path':
    case 'glob':
      return { scope: access.mode, access, outside: access.inside !== true, ...(namesSecrets(access) && { secret: true as const }) };
    case 'url':
      return { scope: 'network', access, outside: false };
    case 'command':
    case 'secret':
      return { scope: 'dangerous', access, outside: false };
  }
}

/** Whether a path or glob usually holds secrets, by what was asked, by where it leads, or by another name of the same file. */
export function namesSecrets({ resource, asked, otherNames }: CanonicalAccess): boolean {
  return isSecretPath(resource) || (asked !== undefined && isSecretPath(asked)) || otherNames !== undefined;
}
