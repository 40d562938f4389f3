// The decision on a call: defaults, modes, rules, and the short way for reads.
import { describe, expect, test } from '@jest/globals';
import { SetupError } from '../errors.js';
import { createAccessResolver } from './access-resolver.js';
import type { Access, CanonicalAccess } from './access.js';
import type { RuleSourceKind } from './decision.js';
import { explainDecision } from './explain.js';
import { createGrantStore } from './grant-store.js';
import type { PermissionMode } from './permission-mode.js';
import { createPolicy } from './permission-policy.js';
import type { RuleSet } from './rule-set.js';
import { unmatchedRules } from './unmatched-rules.js';
import { fakeTool } from '../testing/fake-tool.js';

const bash = fakeTool({ name: 'bash', scopes: ['read', 'write', 'network', 'dangerous'] });
const readFile = fakeTool({ name: 'read_file', scopes: ['read'] });
const writeFile = fakeTool({ name: 'write_file', scopes: ['write'] });
const fetchUrl = fakeTool({ name: 'fetch', scopes: ['network'] });

/** A workspace at /w, with `link` leading to `secret/key`. */
const resolver = createAccessResolver({
  root: '/w',
  async resolve(path) {
    const absolute = /^(\/w\/x\/\.\.\/)?link$/.test(path) ? '/w/secret/key' : new URL(path, 'file:///w/').pathname;
    const inside = absolute.startsWith('/w/') || absolute === '/w';
    return { absolute, relative: absolute.slice(3) || '.', inside };
  },
});

async function accesses(...stated: Access[]): Promise<CanonicalAccess[]> {
  return (await Promise.all(stated.map((access) => resolver.resolve(access)))).flat();
}

const reads = (value: string): Promise<CanonicalAccess[]> => accesses({ kind: 'path', mode: 'read', value });
const writes = (value: string): Promise<CanonicalAccess[]> => accesses({ kind: 'path', mode: 'write', value });
const runs = (value: string): Promise<CanonicalAccess[]> => accesses({ kind: 'command', mode: 'write', value });
const calls = (value: string): Promise<CanonicalAccess[]> => accesses({ kind: 'url', mode: 'read', value });

function rules(kind: RuleSourceKind, sets: Omit<RuleSet, 'source'>): RuleSet {
  return { source: { kind, where: `${kind}.config` }, ...sets };
}

function policy(sets: Omit<RuleSet, 'source'> = {}, mode: PermissionMode = 'ask') {
  return createPolicy({ rules: [rules('user', sets)], mode });
}

describe('defaults and modes', () => {
  test.each<[string, Record<PermissionMode, string>]>([
    ['read inside', { 'read-only': 'allow', ask: 'allow', 'auto-edit': 'allow', unattended: 'allow' }],
    ['read outside', { 'read-only': 'deny', ask: 'deny', 'auto-edit': 'deny', unattended: 'deny' }],
    ['write inside', { 'read-only': 'deny', ask: 'ask', 'auto-edit': 'allow', unattended: 'deny' }],
    ['write outside', { 'read-only': 'deny', ask: 'deny', 'auto-edit': 'deny', unattended: 'deny' }],
    ['command', { 'read-only': 'deny', ask: 'ask', 'auto-edit': 'ask', unattended: 'deny' }],
    ['opaque command', { 'read-only': 'deny', ask: 'ask', 'auto-edit': 'ask', unattended: 'deny' }],
    ['network', { 'read-only': 'deny', ask: 'ask', 'auto-edit': 'ask', unattended: 'deny' }],
    ['write tool without resources', { 'read-only': 'deny', ask: 'ask', 'auto-edit': 'ask', unattended: 'deny' }],
    ['tool that touches nothing', { 'read-only': 'allow', ask: 'allow', 'auto-edit': 'allow', unattended: 'allow' }],
  ])('%s', async (name, expected) => {
    const queries: Record<string, [typeof bash, CanonicalAccess[]]> = {
      'read inside': [readFile, await reads('src/a.ts')],
      'read outside': [readFile, await reads('/etc/passwd')],
      'write inside': [writeFile, await writes('src/a.ts')],
      'write outside': [writeFile, await writes('/etc/passwd')],
      command: [bash, await runs('ls')],
      'opaque command': [bash, await runs('ls $HOME')],
      network: [fetchUrl, await calls('https://example.org/x')],
      'write tool without resources': [writeFile, []],
      'tool that touches nothing': [fakeTool({ name: 'now', scopes: [] }), []],
    };
    const [tool, accesses] = queries[name]!;
    for (const mode of Object.keys(expected) as PermissionMode[]) {
      const decision = policy({}, mode).decide({ tool, accesses, sessionId: 's' });
      expect({ mode, verdict: decision.verdict }).toEqual({ mode, verdict: expected[mode] });
      expect(decision.reasons.length).toBeGreaterThan(0);
    }
  });

  test('unattended says that the call was only denied because nobody can be asked', async () => {
    const decision = policy({}, 'unattended').decide({ tool: writeFile, accesses: await writes('a'), sessionId: 's' });
    expect(decision).toMatchObject({ verdict: 'deny', unattended: true });
    const ruled = policy({ deny: ['write_file'] }, 'unattended').decide({ tool: writeFile, accesses: await writes('a'), sessionId: 's' });
    expect(ruled.unattended).toBeUndefined();
  });

  test('read-only holds against every allow rule', async () => {
    const decision = policy({ allow: ['*', 'scope:write', 'bash(ls)'] }, 'read-only').decide({ tool: bash, accesses: await runs('ls'), sessionId: 's' });
    expect(decision.verdict).toBe('deny');
  });

  test('a declared scope that no resource accounts for is asked', async () => {
    const upload = fakeTool({ name: 'upload', scopes: ['read', 'network'] });
    const decision = policy().decide({ tool: upload, accesses: await reads('a.txt'), sessionId: 's' });
    expect(decision.verdict).toBe('ask');
    expect(policy({ allow: ['scope:network'] }).decide({ tool: upload, accesses: await reads('a.txt'), sessionId: 's' }).verdict).toBe('allow');
    expect(policy({ allow: ['upload'] }).decide({ tool: upload, accesses: await reads('a.txt'), sessionId: 's' }).verdict).toBe('allow');
  });
});

describe('rules', () => {
  test.each<[string, Omit<RuleSet, 'source'>, 'path' | 'command' | 'url', string, string]>([
    ['an allow on the tool', { allow: ['write_file'] }, 'path', 'a', 'allow'],
    ['an allow on another tool', { allow: ['read_file'] }, 'path', 'a', 'ask'],
    ['an allow on a path', { allow: ['write_file(src/**)'] }, 'path', 'src/a', 'allow'],
    ['an allow on another path', { allow: ['write_file(src/**)'] }, 'path', 'lib/a', 'ask'],
    ['a path written with dots is judged as it is', { allow: ['write_file(src/**)'] }, 'path', 'src/../lib/a', 'ask'],
    ['deny beats allow', { allow: ['write_file'], deny: ['write_file(**/.env*)'] }, 'path', 'a/.env', 'deny'],
    ['deny beats ask', { ask: ['write_file'], deny: ['*'] }, 'path', 'a', 'deny'],
    ['ask beats allow', { allow: ['write_file'], ask: ['write_file(src/**)'] }, 'path', 'src/a', 'ask'],
    ['a glob over names', { deny: ['write_*'] }, 'path', 'a', 'deny'],
    ['a scope', { deny: ['scope:write'] }, 'path', 'a', 'deny'],
    ['a link is denied by its own name', { allow: ['write_file'], deny: ['write_file(link)'] }, 'path', 'link', 'deny'],
    ['a link is denied by its own name in full', { allow: ['write_file'], deny: ['write_file(link)'] }, 'path', '/w/x/../link', 'deny'],
    ['a link is denied by where it leads', { allow: ['write_file'], deny: ['write_file(secret/**)'] }, 'path', 'link', 'deny'],
    ['a link is not allowed by its own name', { allow: ['write_file(link)'] }, 'path', 'link', 'ask'],
    ['an allow on the tool does not reach outside', { allow: ['write_file', '*', 'scope:write', 'write_file(**)'] }, 'path', '/etc/x', 'deny'],
    ['only an absolute pattern reaches outside', { allow: ['write_file(/etc/*)'] }, 'path', '/etc/x', 'allow'],
    ['a host', { allow: ['fetch(host:*.example.org)'] }, 'url', 'https://a.example.org/x?y', 'allow'],
    ['the host of user info does not count', { allow: ['fetch(host:example.org)'] }, 'url', 'https://example.org@evil.net/', 'ask'],
    ['a host in capitals, with a dot at its end', { allow: ['fetch(https://example.org)'] }, 'url', 'https://EXAMPLE.org./', 'allow'],
    ['what is no URL', { allow: ['fetch(host:*)'] }, 'url', 'example.org', 'ask'],
    ['a scope with a host', { allow: ['scope:network(host:example.org)'] }, 'url', 'http://example.org', 'allow'],
    ['an exact command', { allow: ['bash(git status)'] }, 'command', 'git status', 'allow'],
    ['more arguments than the exact command', { allow: ['bash(git status)'] }, 'command', 'git status -s', 'ask'],
    ['further arguments', { allow: ['bash(git log *)'] }, 'command', 'git log -3 --oneline', 'allow'],
    ['every part needs an allow', { allow: ['bash(git status)'] }, 'command', 'git status && ls', 'ask'],
    ['every part has one', { allow: ['bash(git status)', 'bash(ls *)'] }, 'command', 'git status && ls -l | ls', 'allow'],
    ['any part is denied', { allow: ['bash'], deny: ['bash(rm *)'] }, 'command', 'ls; rm x', 'deny'],
    ['a program is denied by its base name', { allow: ['bash'], deny: ['bash(rm *)'] }, 'command', '/bin/rm x', 'deny'],
    ['a program is not allowed by its base name', { allow: ['bash(ls)'] }, 'command', './ls', 'ask'],
    ['a wrapper is denied by name', { allow: ['bash'], deny: ['bash(sudo *)'] }, 'command', 'sudo ls', 'deny'],
    ['a wrapper may hide what is denied', { allow: ['bash'], deny: ['bash(rm *)'] }, 'command', 'env rm x', 'ask'],
    ['an opaque command may hide what is denied', { allow: ['bash'], deny: ['bash(rm *)'] }, 'command', '( rm x )', 'ask'],
    ['an opaque command under an allow of the whole tool', { allow: ['bash'] }, 'command', 'for i in 1 2; do echo $i; done', 'allow'],
    ['an opaque command under a pattern', { allow: ['bash(*)'] }, 'command', 'echo $HOME', 'ask'],
  ])('%s', async (_, sets, kind, value, verdict) => {
    const [tool, resources] = kind === 'path' ? [writeFile, await writes(value)] : kind === 'url' ? [fetchUrl, await calls(value)] : [bash, await runs(value)];
    expect(policy(sets).decide({ tool, accesses: resources, sessionId: 's' }).verdict).toBe(verdict);
  });

  test.each<[string, string, string]>([
    ['src/**/*.ts', 'src/**/*.ts', 'allow'],
    ['/w/src/*', 'src/*', 'allow'],
    ['/etc/*', '/etc/*', 'deny'],
    ['../*', '../*', 'deny'],
    ['src/{a,..}/*', 'src/{a,..}/*', 'deny'],
    ['{src,/etc}/*', '{src,/etc}/*', 'deny'],
    ['/w/../etc/*', '../etc/*', 'deny'],
    ['~/x', '~/x', 'deny'],
  ])('the glob %s is %s, and by default %s', async (value, resource, verdict) => {
    const [access] = await accesses({ kind: 'glob', mode: 'read', value });
    expect(access?.resource).toBe(resource);
    expect(policy().decide({ tool: readFile, accesses: [access!], sessionId: 's' }).verdict).toBe(verdict);
  });

  test('a project may only tighten until it is trusted', async () => {
    const project = rules('project', { allow: ['write_file'], deny: ['write_file(x)'] });
    const query = { tool: writeFile, accesses: await writes('a'), sessionId: 's' };
    const closed = createPolicy({ rules: [project] });
    expect(closed.decide(query).verdict).toBe('ask');
    expect(closed.decide({ ...query, accesses: await writes('x') }).verdict).toBe('deny');
    expect(closed.rules.find((rule) => rule.verdict === 'allow')?.ignored).toContain('trusted');
    expect(createPolicy({ rules: [{ ...project, trusted: true }] }).decide(query).verdict).toBe('allow');
  });

  test('rules that fit no tool are found, so that a misspelt deny is noticed', () => {
    const { rules: compiled } = policy({ allow: ['read_file', 'scope:write', 'mcp_*'], deny: ['raed_file(**/.env)', 'write_*'] });
    expect(unmatchedRules(compiled, ['read_file', 'write_file']).map(({ rule }) => rule.text)).toEqual(['raed_file(**/.env)', 'mcp_*']);
  });

  test('a bad rule names its source, line and column', () => {
    const bad = () => createPolicy({ rules: [{ source: { kind: 'user', where: 'config.ts' }, deny: ['ok', { rule: 'bash(rm', line: 12 }] }] });
    expect(bad).toThrow(SetupError);
    expect(bad).toThrow('config.ts:12: Permission rule "bash(rm", column 8');
  });

  test('confirm asks whatever is allowed, and nothing is remembered', async () => {
    const deploy = fakeTool({ name: 'deploy', scopes: ['write'], confirm: true });
    const decision = policy({ allow: ['*'] }).decide({ tool: deploy, accesses: await writes('a'), sessionId: 's' });
    expect(decision.verdict).toBe('ask');
    expect(decision.reasons[0]?.source.kind).toBe('tool');
    expect(decision.suggestion).toBeUndefined();
  });

  test('a failure inside the policy denies', async () => {
    const broken = createPolicy({ rules: [], grants: { current: () => { throw new Error('disk gone'); } } });
    const decision = broken.decide({ tool: writeFile, accesses: await writes('a'), sessionId: 's' });
    expect(decision).toMatchObject({ verdict: 'deny', reasons: [{ rule: 'the policy failed: disk gone' }] });
  });

  test('too many resources deny, and a deny rule is named before that', async () => {
    const many = Array.from({ length: 1001 }, (_, index): CanonicalAccess => ({ kind: 'path', mode: 'read', value: `f${index}`, resource: `f${index}`, inside: true }));
    expect(policy().decide({ tool: readFile, accesses: many, sessionId: 's' })).toMatchObject({ verdict: 'deny' });
    expect(policy({ deny: ['read_file(f7)'] }).decide({ tool: readFile, accesses: many, sessionId: 's' }).reasons[0]?.rule).toBe('read_file(f7)');
  });
});

describe('the short way for calls that only read', () => {
  test.each<[string, Omit<RuleSet, 'source'>, boolean]>([
    ['no rules', {}, true],
    ['rules on other tools and scopes', { deny: ['write_file', 'scope:network'], ask: ['scope:write'] }, true],
    ['an allow on the tool', { allow: ['read_file'] }, true],
    ['a rule on the tool', { deny: ['read_*(x)'] }, false],
    ['a rule on reading', { ask: ['scope:read'] }, false],
  ])('%s', async (_, sets, short) => {
    const one = policy(sets);
    const query = { tool: readFile, accesses: await reads('a'), sessionId: 's' };
    expect(one.decide(query) === one.decide({ ...query, accesses: await reads('b') })).toBe(short);
    expect(one.decide({ ...query, accesses: await reads('/etc/passwd') }).verdict).toBe('deny');
    expect(one.decide({ ...query, accesses: await writes('a') }).verdict === 'allow').toBe(sets.allow !== undefined);
  });
});

describe('what usually holds secrets', () => {
  const decide = async (path: string, more: Parameters<typeof rules>[1] = {}, mode: PermissionMode = 'ask', tool = readFile) =>
    createPolicy({ rules: [rules('user', more)], mode }).decide({ tool, accesses: await (tool === readFile ? reads(path) : writes(path)), sessionId: 's' });

  test.each(['.env.local', 'a/b/.env', 'certs/server.pem', 'id_rsa', '.npmrc', 'x/.netrc', '.ssh/config', '.aws/credentials'])('%s is asked, and a rule that names it opens it', async (path) => {
    expect((await decide(path)).verdict).toBe('ask');
    expect((await decide(path, { allow: ['*', 'read_file', 'scope:read'] })).verdict).toBe('ask');
    for (const allow of [`read_file(${path})`, 'read_file(**)', `scope:read(${path})`]) expect([allow, (await decide(path, { allow: [allow] })).verdict]).toEqual([allow, 'allow']);
    expect((await decide(path, { allow: ['read_file(**)'], deny: [`read_file(${path})`] })).verdict).toBe('deny');
    expect(await decide(path, {}, 'unattended')).toMatchObject({ verdict: 'deny', unattended: true });
    expect((await decide(path)).suggestion).toEqual([`read_file(${path})`]);
  });

  test.each(['.env.example', '.env.local.sample', '.env.template', 'src/env.ts', 'id_rsa.pub', 'keys.ts', 'docs/secrets.md'])('%s is read unasked', async (path) => {
    expect((await decide(path)).verdict).toBe('allow');
  });

  test('changing them is asked where writing is not: a failed edit shows what the file holds', async () => {
    expect((await decide('a.ts', {}, 'auto-edit', writeFile)).verdict).toBe('allow');
    expect((await decide('.env', {}, 'auto-edit', writeFile)).verdict).toBe('ask');
    expect((await decide('.env', { allow: ['write_file(**)'] }, 'ask', writeFile)).verdict).toBe('allow');
  });

  test('a link and a hard link count by all names of the file', () => {
    const policy = createPolicy({ rules: [rules('user', { ask: ['read_file(private/**)'] })] });
    const access: CanonicalAccess = { kind: 'path', mode: 'read', value: 'notes', resource: 'notes', inside: true };
    const verdict = (more: Partial<CanonicalAccess>) => policy.decide({ tool: readFile, accesses: [{ ...access, ...more }], sessionId: 's' }).verdict;
    expect([verdict({}), verdict({ asked: '.env' }), verdict({ otherNames: ['.env'] })]).toEqual(['allow', 'ask', 'ask']);
  });
});

describe('why, and what "always" stores', () => {
  test('reasons name rule, source and resource', async () => {
    const strict = createPolicy({ rules: [rules('user', { deny: [{ rule: 'read_file(**/.env*)', line: 3 }] })] });
    const decision = strict.decide({ tool: readFile, accesses: await reads('.env.local'), sessionId: 's' });
    expect(explainDecision(decision)).toEqual(['deny', '  deny on .env.local: read_file(**/.env*) (user user.config:3)']);
  });

  test.each<[string, typeof bash, () => Promise<CanonicalAccess[]>, string[] | undefined]>([
    ['a path is stored exactly', writeFile, () => writes('src/[id].ts'), ['write_file(src/\\[id\\].ts)']],
    ['an argument vector is stored exactly', bash, () => runs("git commit -m 'a b*'"), ["bash(git commit -m 'a b*')"]],
    ['each open part is stored, once', bash, () => runs('ls && npm test && ls'), ['bash(ls)', 'bash(npm test)']],
    ['an opaque command is not remembered', bash, () => runs('rm *.log'), undefined],
    ['nor is one with an interpreter', bash, () => runs('ls && python3 x.py'), undefined],
    ['an origin is stored with its port', fetchUrl, () => calls('https://example.org/a?b'), ['fetch(https://example.org:443)']],
    ['a tool without resources is stored as a whole', fakeTool({ name: 'notify', scopes: ['network'] }), async () => [], ['notify']],
    ['a dangerous one never', fakeTool({ name: 'wipe', scopes: ['dangerous'] }), async () => [], undefined],
    ['nor a path that no rule can hold', writeFile, () => Promise.resolve([{ kind: 'path', mode: 'write', value: 'a\nb', resource: 'a\nb', inside: true }]), undefined],
  ])('%s', async (_, tool, resources, suggestion) => {
    const decision = policy().decide({ tool, accesses: await resources(), sessionId: 's' });
    expect(decision.verdict).toBe('ask');
    expect(decision.suggestion).toEqual(suggestion);
  });
});

describe('PERM-01: "always" stores what was shown, and never beats a deny', () => {
  test('PERM-01: deny stands, the stored rule is the shown one, another session asks again', async () => {
    const grants = createGrantStore(undefined, { root: '/w' });
    const guarded = createPolicy({ rules: [rules('user', { ask: ['write_file'], deny: ['write_file(SECRET.md)'] })], grants });
    const ask = async (path: string, sessionId = 's1') => guarded.decide({ tool: writeFile, accesses: await writes(path), sessionId });
    const first = await ask('a.txt');
    expect(first).toMatchObject({ verdict: 'ask', suggestion: ['write_file(a.txt)'] });
    await grants.add(first.suggestion!, 'session', 's1');
    expect(grants.list().map((grant) => grant.rule)).toEqual(first.suggestion);
    expect((await ask('a.txt')).verdict).toBe('allow');
    expect((await ask('SECRET.md')).verdict).toBe('deny');
    expect((await ask('b.txt')).verdict).toBe('ask');
    expect((await ask('a.txt', 's2')).verdict).toBe('ask');
    await grants.add(['*', 'write_file'], 'session', 's1');
    expect((await ask('SECRET.md')).verdict).toBe('deny');
  });

  test('PERM-02: an approved command that holds a star is not a wildcard', async () => {
    const grants = createGrantStore(undefined, { root: '/w' });
    const guarded = createPolicy({ rules: [], grants });
    let asked = 0;
    for (const command of ['rm *.log', 'rm important.log extra', 'rm -rf x.log', "rm '*.log'", 'rm important.log']) {
      const decision = guarded.decide({ tool: bash, accesses: await runs(command), sessionId: 's' });
      if (decision.verdict === 'ask') asked++;
      if (command.includes('*')) await grants.add(decision.suggestion ?? [], 'always', 's');
    }
    expect(asked).toBe(5);
    expect(grants.list().map((grant) => grant.rule)).toEqual(["bash(rm '*.log')"]);
  });

  test('a managed ask is asked again whatever was stored', async () => {
    const grants = createGrantStore(undefined, { root: '/w' });
    const managed = createPolicy({ rules: [rules('managed', { ask: ['write_file'] })], grants });
    await grants.add(['write_file(a)'], 'session', 's');
    const decision = managed.decide({ tool: writeFile, accesses: await writes('a'), sessionId: 's' });
    expect(decision.verdict).toBe('ask');
    expect(decision.suggestion).toBeUndefined();
  });
});

describe('commands of the known fault cases', () => {
  const verdict = async (sets: Omit<RuleSet, 'source'>, command: string) => policy(sets).decide({ tool: bash, accesses: await runs(command), sessionId: 's' }).verdict;

  test.each([
    'git status && rm -rf keep',
    'git status; rm -rf keep',
    'git status | xargs rm -rf keep',
    'git status\nrm -rf keep',
    'git status & rm -rf keep',
    '( rm -rf keep )',
    'X=1 rm -rf keep',
    'timeout 5 rm -rf keep',
    '\\rm -rf keep',
    'if true; then rm -rf keep; fi',
  ])('SH-13: %j is not allowed by a rule on its first words', async (command) => {
    expect(await verdict({ allow: ['bash(git status *)', 'bash(git status*)'], deny: ['bash(rm *)'] }, command)).not.toBe('allow');
    expect(await verdict({ allow: ['bash'], deny: ['bash(rm *)'] }, command)).not.toBe('allow');
  });

  test.each([
    'git status $(touch PWN)',
    'echo `touch PWN`',
    'X=$(touch PWN) npm --version',
    'echo "$(touch PWN)"',
    'cat <(touch PWN)',
    'A[$(touch PWN)]=1 npm --version',
    'echo ${x:=$(touch PWN)}',
    "echo $'a' > PWN",
    'echo hi >| PWN',
    'git status <<E\n$(touch PWN)\nE',
  ])('SH-14: %j is not allowed', async (command) => {
    expect(await verdict({ allow: ['bash(git status *)', 'bash(echo *)', 'bash(npm --version)', 'bash(cat *)'] }, command)).toBe('ask');
  });

  test('SH-14: a substitution in single quotes is text', async () => {
    expect(await verdict({ allow: ['bash(echo *)'] }, "echo '$(touch PWN)'")).toBe('allow');
  });

  test.each([
    ["echo 'pseudo sudoku' && grep -rn sudo notes.txt; true", 'allow'],
    ['rm -r -f --no-preserve-root /', 'deny'],
    ["r''m -rf /", 'deny'],
    ['rm  -rf  /*', 'ask'],
    ['rm -rf ~ $HOME', 'ask'],
    ['dd if=/dev/zero of=/dev/sda', 'ask'],
    [':(){ :|:& };:', 'ask'],
    ['curl http://127.0.0.1/x | sh', 'ask'],
    ['rm -rf /tmp/none-$$ && echo ok 2>/dev/null', 'ask'],
  ])('SH-16: %j is judged by what it runs, not by its letters', async (command, expected) => {
    const sets = { allow: ['bash(echo *)', 'bash(grep *)', 'bash(true)', 'bash(curl *)', 'bash(sh *)'], deny: ['bash(rm *)', 'bash(sudo *)'] };
    expect(await verdict(sets, command)).toBe(expected);
  });
});
