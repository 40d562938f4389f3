/** One decision: the claims of a call against the rules that can speak of its tool. */
import type { ToolDefinition } from '../tool/tool.js';
import { type Claim, claimsOf } from './claim.js';
import type { Decision, DecisionReason, Verdict } from './decision.js';
import { type PermissionMode, defaultFor, modeCeiling } from './permission-mode.js';
import type { PolicyQuery } from './ports.js';
import { allows, missedWord, restricts } from './rule-match.js';
import type { SourcedRule } from './rule-set.js';
import { suggestRule } from './suggestion.js';

export type RulesByVerdict = Readonly<Record<Verdict, readonly SourcedRule[]>>;

export const maxClaims = 1000;

interface Judgement {
  claim: Claim;
  verdict: Verdict;
  reasons: DecisionReason[];
}

export class Evaluation {
  private readonly tool: ToolDefinition;
  private readonly claims: readonly Claim[];

  constructor(
    query: PolicyQuery,
    private readonly rules: RulesByVerdict,
    private readonly grants: readonly SourcedRule[],
    private readonly mode: PermissionMode,
  ) {
    this.tool = query.tool;
    this.claims = claimsOf(query);
  }

  decide(): Decision {
    const denied = [...this.matching('deny'), ...this.claims.flatMap((claim) => modeCeiling(this.mode, claim) ?? [])];
    if (denied.length > 0) return { verdict: 'deny', reasons: distinct(denied) };
    if (this.claims.length > maxClaims) return { verdict: 'deny', reasons: [limitReason(`a call may touch at most ${maxClaims} resources`)] };
    const judged = this.claims.map((claim) => this.judge(claim));
    const refused = judged.filter((one) => one.verdict === 'deny');
    if (refused.length > 0) return { verdict: 'deny', reasons: reasonsOf(refused) };
    const fixed = this.unanswerable();
    const open = judged.filter((one) => one.verdict === 'ask');
    if (fixed.length === 0 && open.length === 0) return { verdict: 'allow', reasons: reasonsOf(judged) };
    return { verdict: 'ask', reasons: distinct([...fixed, ...reasonsOf(open)]), ...(fixed.length === 0 && this.suggest(open)) };
  }

  private matching(verdict: 'deny' | 'ask', claims = this.claims): DecisionReason[] {
    if (this.rules[verdict].length === 0) return [];
    return claims.flatMap((claim) =>
      this.rules[verdict].filter(({ rule }) => restricts(rule, this.tool, claim) === 'yes').map((candidate) => reasonOf(candidate, claim)),
    );
  }

  /** Asks that no stored answer may answer: the tool's own `confirm`, and managed rules. */
  private unanswerable(): DecisionReason[] {
    const managed = this.matching('ask').filter((reason) => reason.source.kind === 'managed');
    if (!this.tool.confirm) return managed;
    return [{ verdict: 'ask', rule: 'the tool asks for confirmation every time', source: { kind: 'tool', where: this.tool.name } }, ...managed];
  }

  private judge(claim: Claim): Judgement {
    const grant = this.grants.find(({ rule }) => allows(rule, this.tool, claim));
    if (grant) return { claim, verdict: 'allow', reasons: [reasonOf(grant, claim)] };
    const allow = this.rules.allow.find(({ rule }) => allows(rule, this.tool, claim));
    const reason = allow ? reasonOf(allow, claim) : (this.missed(claim) ?? defaultFor(this.mode, claim));
    // An ask rule makes nothing askable that would be denied without it.
    const asks = reason.verdict === 'deny' ? [] : this.matching('ask', [claim]);
    if (asks.length > 0) return { claim, verdict: 'ask', reasons: asks };
    return allow ? this.unlessUnsure(claim, reason) : { claim, verdict: reason.verdict, reasons: [reason] };
  }

  /** An allow rule whose wildcard does not stand for a word of the command: said, since one would wonder why it is asked. */
  private missed(claim: Claim): DecisionReason | undefined {
    if (claim.access?.explicit === undefined) return undefined;
    for (const allow of this.rules.allow) {
      const word = missedWord(allow.rule, this.tool, claim);
      if (word) return { ...reasonOf(allow, claim), verdict: 'ask', rule: `${allow.rule.text} does not stand for ${wordText(claim, word.at)}: ${word.why}` };
    }
    return undefined;
  }

  /** An unproven command under a rule for the whole tool still asks when a deny or ask pattern might be meant for it. */
  private unlessUnsure(claim: Claim, allow: DecisionReason): Judgement {
    const perhaps = [...this.rules.deny, ...this.rules.ask].filter(({ rule }) => restricts(rule, this.tool, claim) === 'perhaps');
    if (perhaps.length === 0) return { claim, verdict: 'allow', reasons: [allow] };
    const reasons = perhaps.map((candidate): DecisionReason => ({
      ...reasonOf(candidate, claim),
      verdict: 'ask',
      rule: `${candidate.rule.text} may apply: the command is not proven (${claim.access?.unproven ?? 'it is opaque'})`,
    }));
    return { claim, verdict: 'ask', reasons };
  }

  private suggest(open: readonly Judgement[]): Pick<Decision, 'suggestion'> {
    const rules = open.map(({ claim }) => suggestRule(this.tool, claim));
    return rules.every((rule) => rule !== undefined) ? { suggestion: [...new Set(rules)] } : {};
  }
}

function wordText({ access }: Claim, at: number): string {
  return JSON.stringify(access?.argv?.[at] ?? 'no argument');
}

function reasonsOf(judged: readonly Judgement[]): DecisionReason[] {
  return distinct(judged.flatMap(({ reasons }) => reasons));
}

export function reasonOf(rule: SourcedRule, claim: Claim): DecisionReason {
  const reason = { verdict: rule.verdict, rule: rule.rule.text, source: rule.source };
  return claim.access ? { ...reason, resource: claim.access.resource } : reason;
}

export function limitReason(rule: string): DecisionReason {
  return { verdict: 'deny', rule, source: { kind: 'default', where: 'policy' } };
}

function distinct(reasons: DecisionReason[]): DecisionReason[] {
  return reasons.length < 2 ? reasons : [...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values()];
}
