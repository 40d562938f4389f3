/**
 * The policy: rules and a mode in, a pure and order-free `decide` out. Any matching deny → deny; else any matching ask → ask;
 * else every claim of the call needs an allow, or its default. Whatever goes wrong inside means deny.
 */
import type { ToolDefinition } from '../tool/tool.js';
import type { CanonicalAccess } from './access.js';
import { type Claim, namesSecrets } from './claim.js';
import type { Decision, DecisionReason, Verdict } from './decision.js';
import { Evaluation, type RulesByVerdict, limitReason, maxClaims, reasonOf } from './evaluation.js';
import type { PermissionMode } from './permission-mode.js';
import type { PermissionPolicy } from './ports.js';
import { allows, mayConcern } from './rule-match.js';
import { type RuleSet, type SourcedRule, compileRuleSets } from './rule-set.js';

/** Stored answers: allow rules that also answer ask rules (those of `managed` sources excepted), never deny rules. */
export interface GrantSource {
  /** The grants that count for a session, now. */
  current(sessionId: string): readonly SourcedRule[];
}

export interface PolicyOptions {
  rules: readonly RuleSet[];
  /** Default `ask`. */
  mode?: PermissionMode;
  grants?: GrantSource;
}

export interface ListedPolicy extends PermissionPolicy {
  readonly mode: PermissionMode;
  /** Every rule as compiled, with source, and why it is ignored if it is. */
  readonly rules: readonly SourcedRule[];
}

/**
 * @throws SetupError for a rule that cannot be parsed, naming source, line, column and remedy.
 */
export function createPolicy({ rules, mode = 'ask', grants }: PolicyOptions): ListedPolicy {
  const compiled = compileRuleSets(rules);
  const active = compiled.filter((rule) => rule.ignored === undefined);
  const byTool = new WeakMap<ToolDefinition, ToolRules>();
  return {
    mode,
    rules: compiled,
    decide(query) {
      try {
        let own = byTool.get(query.tool);
        if (!own) byTool.set(query.tool, (own = rulesFor(query.tool, active)));
        if (own.whenReading && query.accesses.length <= maxClaims && query.accesses.every(isReadInside)) return own.whenReading;
        return settle(new Evaluation(query, own, grants?.current(query.sessionId) ?? [], mode).decide(), mode);
      } catch (error) {
        return { verdict: 'deny', reasons: [limitReason(`the policy failed: ${(error as Error).message}`)] };
      }
    },
  };
}

interface ToolRules extends RulesByVerdict {
  /**
   * The answer to every call that only reads inside the workspace, and nothing that usually holds secrets, made once: the tool declares
   * nothing but reading, and no deny or ask can speak of such a call.
   */
  readonly whenReading?: Decision;
}

const readByDefault: DecisionReason = { verdict: 'allow', rule: 'reading inside the workspace is allowed', source: { kind: 'default', where: 'default' } };

function isReadInside(access: CanonicalAccess): boolean {
  const { kind, mode, inside } = access;
  return mode === 'read' && inside === true && (kind === 'path' || kind === 'glob') && !namesSecrets(access);
}

function rulesFor(tool: ToolDefinition, rules: readonly SourcedRule[]): ToolRules {
  const own = rules.filter(({ rule }) => mayConcern(rule, tool));
  const of = (verdict: Verdict): SourcedRule[] => own.filter((rule) => rule.verdict === verdict);
  const silent = own.every(({ verdict, rule }) => verdict === 'allow' || ('scope' in rule.target && rule.target.scope !== 'read'));
  const readsOnly = silent && !tool.confirm && tool.scopes.every((scope) => scope === 'read');
  return { deny: of('deny'), ask: of('ask'), allow: of('allow'), ...(readsOnly && { whenReading: readingAllowed(tool, of('allow')) }) };
}

function readingAllowed(tool: ToolDefinition, allow: readonly SourcedRule[]): Decision {
  const claim: Claim = { scope: 'read', outside: false };
  const rule = allow.find((candidate) => allows(candidate.rule, tool, claim));
  const reason = Object.freeze(rule ? reasonOf(rule, claim) : readByDefault);
  return Object.freeze({ verdict: 'allow', reasons: Object.freeze([reason]) as unknown as DecisionReason[] });
}

/** Where nobody can be asked, ask is deny. */
function settle(decision: Decision, mode: PermissionMode): Decision {
  if (mode !== 'unattended' || decision.verdict !== 'ask') return decision;
  const reason: DecisionReason = { verdict: 'deny', rule: 'nobody can be asked; allow it by a rule', source: { kind: 'default', where: 'permission mode unattended' } };
  return { verdict: 'deny', reasons: [reason, ...decision.reasons], unattended: true };
}
