/** Rules with where they were written, as configuration hands them over, and compiled for the policy. */
import { SetupError } from '../errors.js';
import type { RuleSource, Verdict } from './decision.js';
import { type Rule, parseRule } from './rule.js';

/** A rule's text, with its line where it is known. */
export type RuleEntry = string | { rule: string; line?: number };

export interface RuleSet {
  source: RuleSource;
  allow?: readonly RuleEntry[];
  ask?: readonly RuleEntry[];
  deny?: readonly RuleEntry[];
  /** Source kind `project` only: the user has trusted this content, so its allow rules count. */
  trusted?: boolean;
}

export interface SourcedRule {
  readonly verdict: Verdict;
  readonly rule: Rule;
  readonly source: RuleSource;
  /** Why the rule does not count. */
  readonly ignored?: string;
}

const maxRules = 10_000;

/**
 * Compiles every rule. The allow rules of an untrusted project are kept, marked as ignored: a workspace may only tighten.
 * @throws SetupError for the first rule that cannot be parsed, with its source.
 */
export function compileRuleSets(sets: readonly RuleSet[]): SourcedRule[] {
  const compiled = sets.flatMap((set) => [
    ...compileEntries(set, 'deny', set.deny),
    ...compileEntries(set, 'ask', set.ask),
    ...compileEntries(set, 'allow', set.allow),
  ]);
  if (compiled.length > maxRules) throw new SetupError(`There are ${compiled.length} permission rules; at most ${maxRules} are taken.`);
  return compiled;
}

function compileEntries(set: RuleSet, verdict: Verdict, entries: readonly RuleEntry[] = []): SourcedRule[] {
  const untrusted = verdict === 'allow' && set.source.kind === 'project' && set.trusted !== true;
  return entries.map((entry) => {
    const { rule: text, line } = typeof entry === 'string' ? { rule: entry, line: undefined } : entry;
    const source = line === undefined ? set.source : { ...set.source, line };
    const rule = parseAt(text, source);
    return untrusted ? { verdict, rule, source, ignored: 'a project may only deny and ask until it is trusted' } : { verdict, rule, source };
  });
}

function parseAt(text: string, source: RuleSource): Rule {
  try {
    return parseRule(text);
  } catch (error) {
    const line = source.line === undefined ? '' : `:${source.line}`;
    throw new SetupError(`${source.where}${line}: ${(error as Error).message}`);
  }
}
