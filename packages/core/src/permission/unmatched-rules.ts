/** Finds rules that can never match: a deny with a wrong name would deny nothing, and nobody would notice. */
import type { SourcedRule } from './rule-set.js';
import { matchWildcard } from './wildcard.js';

/** The rules whose tool name, or glob, fits none of the names. Rules on scopes always count. */
export function unmatchedRules(rules: readonly SourcedRule[], toolNames: readonly string[]): SourcedRule[] {
  return rules.filter(({ rule: { target } }) => 'tool' in target && !toolNames.some((name) => matchWildcard(target.tool, name)));
}
