/** The four permission modes: what is done where no rule speaks, and what no rule may lift. */
import type { Claim } from './claim.js';
import type { DecisionReason, Verdict } from './decision.js';

/**
 * `read-only`: nothing but reading inside the workspace, whatever the rules allow. `ask`: everything else is asked. `auto-edit`:
 * writing inside the workspace is allowed too. `unattended`: as `ask`, but nobody can be asked, so what would be asked is denied.
 */
export type PermissionMode = 'read-only' | 'ask' | 'auto-edit' | 'unattended';

export const permissionModes: readonly PermissionMode[] = ['read-only', 'ask', 'auto-edit', 'unattended'];

/** The deny that a mode puts above every allow. */
export function modeCeiling(mode: PermissionMode, claim: Claim): DecisionReason | undefined {
  if (mode !== 'read-only' || claim.scope === 'read') return undefined;
  return reason('deny', claim, 'only reading is allowed', 'permission mode read-only');
}

/** The verdict on a claim that no rule speaks of. */
export function defaultFor(mode: PermissionMode, claim: Claim): DecisionReason {
  if (claim.outside) return reason('deny', claim, 'outside the workspace nothing is touched without a rule that names it', 'default');
  if (claim.secret) return reason('ask', claim, 'what usually holds secrets is asked', 'default');
  if (claim.scope === 'read') return reason('allow', claim, claim.access ? 'reading inside the workspace is allowed' : 'the call touches nothing that needs leave', 'default');
  if (claim.scope === 'write' && claim.access && mode === 'auto-edit') {
    return reason('allow', claim, 'writing inside the workspace is allowed', 'permission mode auto-edit');
  }
  return reason('ask', claim, askText(claim), 'default');
}

function askText({ scope, access }: Claim): string {
  if (access?.kind === 'secret') return 'handing a secret to a tool is asked';
  if (access?.kind === 'command') return access.argv ? 'running a command is asked' : `the command is not proven to run only what it shows (${access.unproven ?? 'it is opaque'}), so it is asked`;
  if (!access) return `the tool ${scope === 'dangerous' ? 'is treated as dangerous' : `has the scope ${scope}`}: none of its parameters says what it touches (with kind "path", "url" or "command"), so it is asked`;
  return scope === 'write' ? 'writing is asked' : scope === 'network' ? 'network access is asked' : 'dangerous access is asked';
}

function reason(verdict: Verdict, claim: Claim, rule: string, where: string): DecisionReason {
  return { verdict, rule, source: { kind: 'default', where }, ...(claim.access && { resource: claim.access.resource }) };
}
