/** A permission rule as text and as data: `TOOL`, `TOOL(PATTERN)`, `scope:write`, `scope:network(host:*.example.org)`. */
import { SetupError } from '../errors.js';
import type { Scope } from '../tool/tool.js';
import { type ArgvPattern, parseArgvPattern } from './argv-pattern.js';
import { type OriginPattern, parseOriginPattern } from './origin-pattern.js';
import { type PathMatcher, compilePathPattern } from './path-pattern.js';
import { type WildcardElement, parseWildcard } from './wildcard.js';

/** One pattern read in every way a resource can ask for; a reading that the text does not allow is absent. */
export interface RulePattern {
  readonly text: string;
  readonly path?: PathMatcher;
  readonly argv?: ArgvPattern;
  readonly origin?: OriginPattern;
}

export interface Rule {
  /** As it was written, trimmed. */
  readonly text: string;
  readonly target: { readonly tool: readonly WildcardElement[] } | { readonly scope: Scope };
  /** Absent: the rule speaks of every resource. */
  readonly pattern?: RulePattern;
}

export const scopes: readonly Scope[] = ['read', 'write', 'network', 'dangerous'];
const maxRuleChars = 4096;

/**
 * Parses one rule.
 * @throws SetupError naming the rule, the column (from 1) and what is expected there.
 */
export function parseRule(text: string): Rule {
  const rule = text.trim();
  if (rule === '') fail(text, 1, 'a rule is TOOL, TOOL(PATTERN), or scope:NAME; it is empty');
  if (rule.length > maxRuleChars) fail(`${rule.slice(0, 60)}…`, maxRuleChars, `a rule has at most ${maxRuleChars} characters`);
  const control = rule.search(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
  if (control !== -1) fail(rule, control + 1, 'control and invisible characters are not allowed in a rule');
  const open = rule.indexOf('(');
  const head = open === -1 ? rule : rule.slice(0, open);
  const target = parseTarget(rule, head);
  return open === -1 ? { text: rule, target } : { text: rule, target, pattern: parsePattern(rule, open) };
}

function parseTarget(rule: string, head: string): Rule['target'] {
  if (head.startsWith('scope:')) {
    const name = head.slice('scope:'.length);
    const scope = scopes.find((known) => known === name);
    if (!scope) fail(rule, 'scope:'.length + 1, `the scopes are ${scopes.join(', ')}`);
    return { scope };
  }
  const bad = head.search(/[^A-Za-z0-9_.*?:/-]/);
  if (bad !== -1) fail(rule, bad + 1, 'a tool name holds letters, digits, "_", "-" and, as a glob, "*" and "?"; a pattern goes in parentheses: TOOL(PATTERN)');
  if (head === '') fail(rule, 1, 'a tool name is expected before "("');
  return { tool: parseWildcard(head) };
}

function parsePattern(rule: string, open: number): RulePattern {
  if (!rule.endsWith(')')) {
    const close = rule.lastIndexOf(')');
    if (close === -1) fail(rule, rule.length + 1, 'the closing ")" is missing');
    fail(rule, close + 2, 'nothing may follow the closing ")"');
  }
  const text = rule.slice(open + 1, -1).trim();
  if (text === '') fail(rule, open + 2, 'the pattern is empty; leave the parentheses out to speak of the whole tool');
  return compilePattern(rule, open, text);
}

function compilePattern(rule: string, open: number, text: string): RulePattern {
  if (text.startsWith('~/')) fail(rule, open + 2, '"~" is not expanded; write the path in full, or relative to the workspace');
  const origin = parseOriginPattern(text);
  if (text.startsWith('host:') && !origin) fail(rule, open + 2, 'after "host:" a host name is expected, with an optional ":port"');
  const path = compilePathPattern(text);
  const argv = parseArgvPattern(text);
  return { text, ...(path && { path }), ...(argv && { argv }), ...(origin && { origin }) };
}

function fail(rule: string, column: number, expected: string): never {
  throw new SetupError(`Permission rule ${JSON.stringify(rule)}, column ${column}: ${expected}.`);
}
