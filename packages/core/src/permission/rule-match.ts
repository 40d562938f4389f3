/** Whether a rule speaks of a claim. What is not certain never matches an allow, and may match a deny or an ask. */
import type { CanonicalAccess } from './access.js';
import { matchArgv, spellsOut } from './argv-pattern.js';
import type { Claim } from './claim.js';
import type { ExplicitWord } from './command/explicit-words.js';
import { matchOrigin } from './origin-pattern.js';
import type { ToolDefinition } from '../tool/tool.js';
import type { Rule, RulePattern } from './rule.js';
import { matchWildcard } from './wildcard.js';

export type Match = 'yes' | 'no' | 'perhaps';

/** Whether a rule can speak of any call of the tool. A scope rule can: resources have scopes that the tool need not declare. */
export function mayConcern(rule: Rule, tool: ToolDefinition): boolean {
  return 'scope' in rule.target || matchWildcard(rule.target.tool, tool.name);
}

/** For an allow: certain matches only; outside the workspace only by a pattern that is absolute, and what usually holds secrets only by a pattern. */
export function allows(rule: Rule, tool: ToolDefinition, claim: Claim): boolean {
  if ('scope' in rule.target ? rule.target.scope !== claim.scope : !matchWildcard(rule.target.tool, tool.name)) return false;
  if (!rule.pattern) return !claim.outside && !claim.secret;
  if (claim.outside && !rule.pattern.text.startsWith('/')) return false;
  return claim.access !== undefined && certainlyMatches(rule.pattern, claim.access);
}

/** For a deny or an ask. A scope rule without a pattern also speaks of tools that merely declare the scope. */
export function restricts(rule: Rule, tool: ToolDefinition, claim: Claim): Match {
  if ('scope' in rule.target) {
    const { scope } = rule.target;
    const declared = tool.scopes.includes(scope);
    if (claim.scope !== scope && !declared) return 'no';
    if (!rule.pattern) return 'yes';
  } else if (!matchWildcard(rule.target.tool, tool.name)) return 'no';
  if (!rule.pattern) return 'yes';
  return claim.access ? possiblyMatches(rule.pattern, claim.access) : 'no';
}

function certainlyMatches(pattern: RulePattern, access: CanonicalAccess): boolean {
  switch (access.kind) {
    case 'path':
    case 'glob':
    case 'secret':
      return pattern.path?.(access.resource) === true;
    case 'url':
      return pattern.origin !== undefined && matchOrigin(pattern.origin, access.resource);
    case 'command':
      return argvMatches(pattern, access) && unspelled(pattern, access) === undefined;
  }
}

/** An unproven command can only be allowed where its words are known to be what runs, and all are spelled out. */
function argvMatches({ argv }: RulePattern, access: CanonicalAccess): boolean {
  const words = access.argv ?? (access.explicit && access.words);
  return argv !== undefined && words !== undefined && matchArgv(argv, words);
}

function unspelled({ argv }: RulePattern, { argv: proven, words = [], explicit = [] }: CanonicalAccess): ExplicitWord | undefined {
  return argv && explicit.find((word) => !spellsOut(argv, proven ?? words, word));
}

/** The word that keeps an allow rule from speaking of a proven command that it matches otherwise. */
export function missedWord(rule: Rule, tool: ToolDefinition, { access }: Claim): ExplicitWord | undefined {
  if (!rule.pattern || !access?.argv || !mayConcern(rule, tool) || !argvMatches(rule.pattern, access)) return undefined;
  return unspelled(rule.pattern, access);
}

function possiblyMatches(pattern: RulePattern, access: CanonicalAccess): Match {
  switch (access.kind) {
    case 'path':
    case 'glob':
    case 'secret':
      // A link is denied by its own name as well as by the file that it leads to.
      return pattern.path && [access.resource, access.asked ?? access.resource, ...(access.otherNames ?? [])].some(pattern.path) ? 'yes' : 'no';
    case 'url':
      return pattern.origin !== undefined && matchOrigin(pattern.origin, access.resource) ? 'yes' : 'no';
    case 'command':
      return possiblyRuns(pattern, access);
  }
}

/** `/bin/rm x` and `env rm x` do not dodge a rule on `rm`: the first by its base name, the second because it is not proven. */
function possiblyRuns(pattern: RulePattern, access: CanonicalAccess): Match {
  if (!pattern.argv) return 'perhaps';
  const words = access.argv ?? access.words;
  if (words) {
    const program = words[0] ?? '';
    const base = program.slice(program.lastIndexOf('/') + 1);
    if (matchArgv(pattern.argv, words) || matchArgv(pattern.argv, [base, ...words.slice(1)])) return 'yes';
  }
  return access.argv ? 'no' : 'perhaps';
}
