/** git: which arguments run nothing but git, and for which no wildcard of a rule stands. */
import type { ExplicitWord } from './explicit-words.js';
import { names } from './never-proven.js';

/** Subcommands that run no program named by their arguments; an unknown one may be an alias for any program. */
const subcommands = names(`add blame branch cat-file check-ignore checkout cherry cherry-pick clean commit
  describe diff diff-tree fetch for-each-ref fsck grep init log ls-files ls-tree merge merge-base mv name-rev prune pull push reflog
  remote reset restore rev-list rev-parse revert rm shortlog show show-ref stash status switch symbolic-ref tag version whatchanged
  worktree`);

/**
 * `-O` of grep, `--exec` and the packs of fetch and push, external diffs, hooks of a template, merge strategies, and remotes whose
 * scheme names a helper (`ext::`, `x://`).
 */
const runsOthers =
  /^(?:-[A-Za-z]*O|--(?:e$|e=|ex(?!cl)|up|rece|op|ou|te(?!xt)|sep|str|config)|.*::|(?!https?:|ssh:|git:|file:)[a-z][a-z0-9+.-]*:\/\/)/i;

/** Why a git command is not proven; `args` begin with the subcommand. */
export function whyGitUnproven(args: readonly string[]): string | undefined {
  const [subcommand = ''] = args;
  if (!subcommands.has(subcommand)) return `"git ${subcommand}" is an option, an alias or a subcommand that can run programs`;
  const merges = /^(?:merge|pull|cherry-pick|revert)$/.test(subcommand);
  const found = args.find((arg) => runsOthers.test(arg) || (merges && /^-[a-z]*s/i.test(arg)));
  return found === undefined ? undefined : `"git ${subcommand} ${found}" can run another program`;
}

/** Push options that take no value of their own, so that the next word is not theirs. */
const plainPushOption = /^(?:-[fnqudv46]+|--(?:set-upstream|force|force-with-lease(?:=.*)?|force-if-includes|tags|follow-tags|dry-run|quiet|verbose|progress|porcelain|all|mirror|delete|prune|verify|no-verify|atomic|no-progress))$/;
const plainRemoteVerb = /^(?:-v|--verbose|show|get-url|prune|update|rm|remove)$/;

/** What leaves the repository or runs its drivers: the caller adds words that name a place outside the workspace. */
export function explicitGitWords(words: readonly string[]): ExplicitWord[] {
  const options = words.flatMap((word, at): ExplicitWord[] => {
    if (word.startsWith('--no-i')) return [{ at, why: 'it compares or searches files that are not in the repository' }];
    return /^--(?:text(?:c|$)|filt(?!er=))/.test(word) ? [{ at, why: 'it runs the programs that the configuration of the repository names' }] : [];
  });
  return [...options, ...explicitRemote(words)];
}

/**
 * Pushing to a folder runs the hooks of the repository there, and what looks like the name of a remote is a folder where no remote has it.
 * Changing a remote decides where later pushes go.
 */
function explicitRemote(words: readonly string[]): ExplicitWord[] {
  const [, subcommand, verb] = words;
  if (subcommand === 'push') {
    const at = words.findIndex((word, index) => index > 1 && !plainPushOption.test(word));
    return at === -1 ? [] : [{ at, why: 'a push may go to any address, or to a folder with hooks of its own' }];
  }
  if (subcommand !== 'remote' || verb === undefined || (plainRemoteVerb.test(verb) && !words.some((word) => word === 'add' || word.startsWith('set-')))) return [];
  return words.flatMap((_, at) => (at > 1 ? [{ at, why: 'it changes where fetches and pushes go' }] : []));
}
