// Which allow rules are told to be wide, and what is said of them.
import { expect, test } from '@jest/globals';
import { compileRuleSets } from './rule-set.js';
import { wideRules } from './wide-rules.js';

const messages = (allow: readonly string[], kind: 'user' | 'project' = 'user') => wideRules(compileRuleSets([{ source: { kind, where: 'test' }, allow }]), ['bash']).map(({ rule, message }) => `${rule.rule.text} ${message}`);

test('a wildcard right after a program that can do much is told, with what it can do', () => {
  expect(messages(['bash(git *)', 'bash(npm *)', 'ba*(rm *)', 'bash(/usr/bin/git *)'])).toEqual([
    expect.stringMatching(/^bash\(git \*\) allows everything git can do .*such as discarding work .*hooks/),
    expect.stringMatching(/^bash\(npm \*\) allows everything npm can do .*such as installing any package/),
    expect.stringMatching(/^ba\*\(rm \*\) allows everything rm can do .*deleting any file/),
    expect.stringMatching(/^bash\(\/usr\/bin\/git \*\) allows everything git can do/),
  ]);
});

test('a wildcard for the program itself, and one that has no effect, are told', () => {
  expect(messages(['bash(*)', 'bash(g* status)', 'bash(python3 *)', 'bash(env A=*)', 'bash(gxargs rm *)'])).toEqual([
    expect.stringContaining('every program'),
    expect.stringContaining('every program'),
    expect.stringContaining('allows nothing: python3 can run any program'),
    expect.stringContaining('allows nothing: env'),
    expect.stringContaining('allows nothing: xargs'),
  ]);
});

test('narrow rules, rules of other tools and verdicts, and rules that do not count are not', () => {
  expect(messages(['bash', '*', 'bash(git status)', 'bash(git log *)', 'bash(ls *)', 'bash(toString *)', 'bash(python3 x.py)', 'write_file(git *)', 'write_file(*)', 'scope:write(src/**)'])).toEqual([]);
  expect(messages(['bash(git *)'], 'project')).toEqual([]);
  expect(wideRules(compileRuleSets([{ source: { kind: 'user', where: 'test' }, ask: ['bash(git *)'], deny: ['bash(*)'] }]), ['bash'])).toEqual([]);
});
