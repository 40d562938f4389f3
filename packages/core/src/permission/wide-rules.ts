/** Allow rules on commands that grant more than they seem to, or nothing: told when rules are listed and checked, never enforced. */
import { neverProven, neverProvenNames } from './command/never-proven.js';
import { knownName } from './command/program-name.js';
import type { SourcedRule } from './rule-set.js';
import { type WildcardElement, matchWildcard } from './wildcard.js';

export interface WideRule {
  readonly rule: SourcedRule;
  /** A sentence: what the rule allows, or why it allows nothing. */
  readonly message: string;
}

const builds = 'running whatever the build files of the workspace say, and the code that they build';
const installs = 'installing any package, whose scripts then run, and running every script of the project';
const deletes = 'changing or deleting any file of the workspace';

/** What is left to a program when its dangerous spellings are taken off. */
const powers: Readonly<Record<string, string>> = {
  git: 'discarding work (reset --hard, clean -fdx), overwriting the remote (push --force), fetching from any address, and running the hooks and filters that the configuration of the repository names',
  npm: installs, pnpm: installs, yarn: installs, pip: installs, pip3: installs, composer: installs, gem: installs,
  make: builds, gmake: builds, ninja: builds, cargo: builds, go: builds, gradle: builds, gradlew: builds, mvn: builds, dotnet: builds,
  curl: 'sending any file of the workspace to any address', wget: 'sending any file of the workspace to any address',
  gh: 'merging, releasing and publishing in your name',
  rm: deletes, mv: deletes, cp: deletes, dd: deletes, tee: deletes, truncate: deletes, shred: deletes,
  apt: 'installing and removing any package of the system', 'apt-get': 'installing and removing any package of the system',
};

/** @param commandTools The names of the tools that take commands; other rules are not looked at. */
export function wideRules(rules: readonly SourcedRule[], commandTools: readonly string[]): WideRule[] {
  return rules.flatMap((rule) => {
    const { target, pattern } = rule.rule;
    const speaks = rule.verdict === 'allow' && rule.ignored === undefined && 'tool' in target && commandTools.some((name) => matchWildcard(target.tool, name));
    const message = speaks && pattern?.argv ? messageFor(pattern.argv.words, pattern.argv.open) : undefined;
    return message === undefined ? [] : [{ rule, message }];
  });
}

function messageFor([program, ...args]: readonly (readonly WildcardElement[])[], open: boolean): string | undefined {
  if (program === undefined || program.includes('*')) return 'allows every program that is not known to run others, those that delete and send files included';
  const name = program.map((element) => (typeof element === 'object' && 'char' in element ? element.char : '')).join('');
  const base = knownName(name);
  const wild = open || args.some((word) => word.includes('*'));
  if (wild && (neverProven.has(base) || neverProvenNames.test(base))) {
    return `allows nothing: ${base} can run any program, so only a rule without wildcards, the whole command, is taken`;
  }
  const power = Object.hasOwn(powers, base) ? powers[base] : undefined;
  return open && args.length === 0 && power !== undefined ? `allows everything ${base} can do inside the workspace, such as ${power}` : undefined;
}
