// The policy against a small model of it, and the laws that no set of rules may break.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CanonicalAccess } from './access.js';
import type { Verdict } from './decision.js';
import { type PermissionMode, permissionModes } from './permission-mode.js';
import { createPolicy } from './permission-policy.js';
import type { PolicyQuery } from './ports.js';
import type { RuleSet, SourcedRule } from './rule-set.js';
import { parseRule } from './rule.js';
import { fakeTool } from '../testing/fake-tool.js';

// HAFT_LONG=1 runs the long form.
const numRuns = process.env['HAFT_LONG'] === '1' ? 100_000 : 2000;

const tools = [
  fakeTool({ name: 'read_file', scopes: ['read'] }),
  fakeTool({ name: 'write_file', scopes: ['write'] }),
  fakeTool({ name: 'bash', scopes: ['read', 'write', 'network', 'dangerous'] }),
  fakeTool({ name: 'fetch', scopes: ['network'] }),
  fakeTool({ name: 'deploy', scopes: ['dangerous'], confirm: true }),
  fakeTool({ name: 'upload', scopes: ['read', 'network'] }),
  fakeTool({ name: 'now', scopes: [] }),
];

const path = (resource: string, mode: 'read' | 'write', inside = true): CanonicalAccess => ({ kind: 'path', mode, value: resource, resource, inside });
const argv = (...words: string[]): CanonicalAccess => ({ kind: 'command', mode: 'write', value: words.join(' '), resource: JSON.stringify(words), argv: words });
const accesses: CanonicalAccess[] = [
  path('src/a.ts', 'read'), path('src/a.ts', 'write'), path('.env', 'read'), path('.env', 'write'), path('lib/b.ts', 'write'), path('/etc/passwd', 'read', false), path('/etc/passwd', 'write', false),
  argv('git', 'status'), argv('git', 'push', 'origin'), argv('rm', '-rf', 'x'),
  { ...argv('git', 'diff', '--no-index'), explicit: [{ at: 2, why: 'w' }] },
  { kind: 'command', mode: 'write', value: 'env make', resource: '["env","make"]', words: ['env', 'make'], explicit: [0, 1, 2].map((at) => ({ at, why: 'w' })) },
  { kind: 'command', mode: 'write', value: 'env rm x', resource: '["env","rm","x"]', words: ['env', 'rm', 'x'] },
  { kind: 'command', mode: 'write', value: 'echo $(x)', resource: 'echo $(x)' },
  { kind: 'url', mode: 'read', value: 'https://a.example.org', resource: 'https://a.example.org:443' },
  { kind: 'url', mode: 'read', value: 'https://evil.net', resource: 'https://evil.net:443' },
];

const ruleTexts = [
  '*', 'read_file', 'write_*', 'bash', 'fetch', 'deploy', 'upload', 'now', 'read_file(src/**)', 'write_file(src/**)', '*(**/.env*)', 'read_file(/etc/**)', 'write_file(**)', 'bash(git status)', 'bash(git *)',
  'bash(rm *)', 'bash(env *)', 'bash(env make)', 'bash(git diff --no-index)', 'bash(*)', 'fetch(host:*.example.org)', 'fetch(https://evil.net)', 'scope:read', 'scope:write', 'scope:network', 'scope:dangerous', 'scope:network(host:*.example.org)', 'scope:write(src/**)',
];

const entry = fc.constantFrom(...ruleTexts);
const some = fc.array(entry, { maxLength: 4 });
const set: fc.Arbitrary<RuleSet> = fc.record({
  source: fc.constantFrom<RuleSet['source']>({ kind: 'user', where: 'u' }, { kind: 'managed', where: 'm' }, { kind: 'project', where: 'p' }, { kind: 'flag', where: '--allow' }),
  allow: some,
  ask: fc.array(entry, { maxLength: 2 }),
  deny: fc.array(entry, { maxLength: 2 }),
  trusted: fc.boolean(),
});
const sets = fc.array(set, { maxLength: 3 });
const grantTexts = fc.array(entry, { maxLength: 2 });
const query: fc.Arbitrary<PolicyQuery> = fc.record({ tool: fc.constantFrom(...tools), accesses: fc.array(fc.constantFrom(...accesses), { maxLength: 3 }), sessionId: fc.constant('s') });
const mode = fc.constantFrom(...permissionModes);

function grantsOf(texts: readonly string[]): { current: () => SourcedRule[] } {
  return { current: () => texts.map((text) => ({ verdict: 'allow', rule: parseRule(text), source: { kind: 'grant', where: 'g' } })) };
}

/** The model: every rule text is matched by its own line, every step of the decision by one. */
type Claim = { scope: string; access?: CanonicalAccess };
const patterns: Record<string, (access: CanonicalAccess) => boolean> = {
  'src/**': (a) => a.resource.startsWith('src/'),
  '**/.env*': (a) => a.resource === '.env',
  '/etc/**': (a) => a.resource.startsWith('/etc/'),
  '**': (a) => a.kind === 'path',
  'git status': (a) => a.resource === '["git","status"]',
  'git *': (a) => a.resource.startsWith('["git"'),
  'rm *': (a) => a.resource.startsWith('["rm"'),
  'env make': (a) => a.resource === '["env","make"]',
  'git diff --no-index': (a) => a.resource === '["git","diff","--no-index"]',
  'env *': (a) => a.resource.startsWith('["env"'),
  '*': (a) => a.resource.startsWith('["') || a.resource === '.env',
  'host:*.example.org': (a) => a.resource.includes('.example.org:'),
  'https://evil.net': (a) => a.resource === 'https://evil.net:443',
};

function model(given: readonly RuleSet[], grants: readonly string[], { tool, accesses: touched }: PolicyQuery, permission: PermissionMode): Verdict {
  const outside = (claim: Claim): boolean => claim.access?.inside === false;
  const secret = (claim: Claim): boolean => claim.access?.resource === '.env';
  const opaque = (claim: Claim): boolean => claim.access?.kind === 'command' && !claim.access.argv;
  const scopeOf = (a: CanonicalAccess): string => (a.kind === 'path' ? a.mode : a.kind === 'url' ? 'network' : 'dangerous');
  const claims: Claim[] = touched.map((access) => ({ scope: scopeOf(access), access }));
  const extra = tool.scopes.filter((scope) => scope !== 'read' && !claims.some((claim) => claim.scope === scope || claim.access?.kind === 'command'));
  if (claims.length > 0) claims.push(...extra.map((scope) => ({ scope })));
  else claims.push({ scope: extra.length > 0 ? 'dangerous' : 'read' });
  const split = (text: string): [string, string | undefined] => [text.split('(')[0]!, text.includes('(') ? text.slice(text.indexOf('(') + 1, -1) : undefined];
  const speaks = (text: string, claim: Claim, declared: boolean): boolean => {
    const [head] = split(text);
    if (head.startsWith('scope:')) return head === `scope:${claim.scope}` || (declared && tool.scopes.some((scope) => head === `scope:${scope}`));
    return head === '*' || head === tool.name || (head === 'write_*' && tool.name === 'write_file');
  };
  const fits = (text: string, claim: Claim): boolean => split(text)[1] === undefined || (claim.access !== undefined && patterns[split(text)[1]!]!(claim.access));
  // Words that no wildcard stands for need the whole command as the pattern; an opaque command without such words fits none.
  const spelled = (pattern: string | undefined, claim: Claim): boolean => pattern === undefined || (claim.access?.explicit ? pattern === claim.access.value : !opaque(claim));
  const lets = (text: string, claim: Claim): boolean =>
    speaks(text, claim, false) && fits(text, claim) && !(outside(claim) && split(text)[1] !== '/etc/**') && !(secret(claim) && split(text)[1] === undefined) && spelled(split(text)[1], claim);
  const stops = (text: string, claim: Claim): boolean => speaks(text, claim, true) && fits(text, claim);
  const mayStop = (text: string, claim: Claim): boolean => speaks(text, claim, true) && opaque(claim) && split(text)[1] !== undefined;
  const all = (verdict: 'ask' | 'deny', from = given): string[] => from.flatMap((one) => one[verdict] ?? []) as string[];
  const allow = given.filter((one) => one.source.kind !== 'project' || one.trusted).flatMap((one) => one.allow ?? []) as string[];
  const ifAsked: Verdict = permission === 'unattended' ? 'deny' : 'ask';

  if (claims.some((claim) => all('deny').some((text) => stops(text, claim)))) return 'deny';
  if (permission === 'read-only' && claims.some((claim) => claim.scope !== 'read')) return 'deny';
  const verdicts = claims.map((claim): Verdict => {
    if (grants.some((text) => lets(text, claim))) return 'allow';
    const allowed = allow.some((text) => lets(text, claim));
    if (outside(claim) && !allowed) return 'deny';
    if (all('ask').some((text) => stops(text, claim))) return 'ask';
    if (allowed) return [...all('deny'), ...all('ask')].some((text) => mayStop(text, claim)) ? 'ask' : 'allow';
    if (secret(claim)) return 'ask';
    return claim.scope === 'read' || (claim.scope === 'write' && claim.access && permission === 'auto-edit') ? 'allow' : 'ask';
  });
  if (verdicts.includes('deny')) return 'deny';
  const managed = given.filter((one) => one.source.kind === 'managed');
  if (tool.confirm || claims.some((claim) => all('ask', managed).some((text) => stops(text, claim)))) return ifAsked;
  return verdicts.includes('ask') ? ifAsked : 'allow';
}

const strictness: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 };
const decide = (rules: readonly RuleSet[], grants: readonly string[], asked: PolicyQuery, permission: PermissionMode) => createPolicy({ rules, mode: permission, grants: grantsOf(grants) }).decide(asked);

describe('the policy', () => {
  test(`equals its model on ${numRuns} generated sets of rules`, () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(sets, grantTexts, query, mode, (rules, grants, asked, permission) => {
        const { verdict } = decide(rules, grants, asked, permission);
        expect(verdict).toBe(model(rules, grants, asked, permission));
        seen.add(`${permission} ${verdict}`);
      }),
      { numRuns },
    );
    expect([...seen].toSorted()).toEqual(['ask allow', 'ask ask', 'ask deny', 'auto-edit allow', 'auto-edit ask', 'auto-edit deny', 'read-only allow', 'read-only ask', 'read-only deny', 'unattended allow', 'unattended deny']);
  });

  test('does not depend on the order of rules, sets or resources', () => {
    fc.assert(
      fc.property(sets, grantTexts, query, mode, (rules, grants, asked, permission) => {
        const reversed = rules.toReversed().map((one) => ({ ...one, allow: one.allow!.toReversed(), ask: one.ask!.toReversed(), deny: one.deny!.toReversed() }));
        const other = { ...asked, accesses: asked.accesses.toReversed() };
        expect(decide(reversed, grants.toReversed(), other, permission).verdict).toBe(decide(rules, grants, asked, permission).verdict);
      }),
      { numRuns },
    );
  });

  test('is monotone: one more deny, ask or resource never allows more, one more allow or grant never less', () => {
    fc.assert(
      fc.property(sets, grantTexts, query, mode, entry, (rules, grants, asked, permission, text) => {
        const before = strictness[decide(rules, grants, asked, permission).verdict];
        const source = { kind: 'user' as const, where: 'more' };
        expect(strictness[decide([...rules, { source, deny: [text] }], grants, asked, permission).verdict]).toBeGreaterThanOrEqual(before);
        expect(strictness[decide([...rules, { source, ask: [text] }], grants, asked, permission).verdict]).toBeGreaterThanOrEqual(before);
        expect(strictness[decide([...rules, { source, allow: [text] }], grants, asked, permission).verdict]).toBeLessThanOrEqual(before);
        expect(strictness[decide(rules, [...grants, text], asked, permission).verdict]).toBeLessThanOrEqual(before);
      }),
      { numRuns },
    );
  });

  test('an untrusted project never allows more than no project', () => {
    fc.assert(
      fc.property(sets, set, query, mode, (rules, project, asked, permission) => {
        const added = { ...project, source: { kind: 'project' as const, where: 'p' }, trusted: false };
        expect(strictness[decide([...rules, added], [], asked, permission).verdict]).toBeGreaterThanOrEqual(strictness[decide(rules, [], asked, permission).verdict]);
      }),
      { numRuns },
    );
  });

  test('what "always" stores allows the same call from then on, and no deny', () => {
    fc.assert(
      fc.property(sets, query, mode, (rules, asked, permission) => {
        const first = decide(rules, [], asked, permission);
        fc.pre(first.suggestion !== undefined);
        expect(decide(rules, first.suggestion!, asked, permission).verdict).toBe('allow');
      }),
      { numRuns: Math.floor(numRuns / 4) },
    );
  });

  test('always says why, and unattended never asks', () => {
    fc.assert(
      fc.property(sets, grantTexts, query, mode, (rules, grants, asked, permission) => {
        const decision = decide(rules, grants, asked, permission);
        expect(decision.reasons[0]?.verdict).toBe(decision.verdict);
        if (permission === 'unattended') expect(decision.verdict).not.toBe('ask');
      }),
      { numRuns },
    );
  });
});
