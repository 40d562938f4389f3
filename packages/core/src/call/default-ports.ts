/** What holds when a dispatcher is given no policy and no resolver: nothing is allowed to change anything without being asked. */
import type { DecisionReason } from '../permission/decision.js';
import type { AccessResolver, PermissionPolicy } from '../permission/ports.js';

/** Reading is allowed where every path is known to be inside the workspace; everything else is asked. */
export const defaultPolicy: PermissionPolicy = {
  decide({ tool, accesses }) {
    const harmless = tool.scopes.every((scope) => scope === 'read') && accesses.every((access) => access.mode === 'read' && access.inside !== false);
    const reason: DecisionReason = harmless
      ? { verdict: 'allow', rule: 'reading inside the workspace is allowed by default', source: { kind: 'default', where: 'default' } }
      : { verdict: 'ask', rule: 'what can change something is asked by default', source: { kind: 'default', where: 'default' } };
    return { verdict: reason.verdict, reasons: [reason] };
  },
};

/** Takes every resource as it is stated; a path is outside, because nobody can say that it is inside. */
export const literalResolver: AccessResolver = {
  resolve: (access) => Promise.resolve([{ ...access, resource: access.value, ...(access.kind === 'path' ? { inside: false } : {}) }]),
};
