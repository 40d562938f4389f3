/**
 * The command recogniser: which argument vectors a bash command runs, where that is provable. It only decides how often a user is
 * asked; the sandbox is the boundary. An uncertain command is opaque as a whole; a certain one is judged part by part.
 */
import { isPlainSed } from './plain-sed.js';
import { NotCertain, type SimpleCommand, readCommands } from './shell-words.js';
import { gitArguments, gitSubcommands, neverProven, neverProvenNames, otherBuiltins, plainBuiltins, programRules } from './unproven-programs.js';

export interface CommandPart {
  /** The argument vector that bash passes, exactly. */
  words: string[];
  /** False where the program is known to run other programs that its arguments or input name. */
  proven: boolean;
  /** Why it is not proven. */
  reason?: string;
}

export type CommandAnalysis =
  /** The parts, in the order of the text; which of them run depends on their exit statuses. */
  | { certain: true; parts: CommandPart[] }
  | { certain: false; reason: string };

/** Never throws. `text` is what follows `bash --noprofile --norc -c`. */
export function parseCommand(text: string): CommandAnalysis {
  try {
    return { certain: true, parts: readCommands(text).map(judge) };
  } catch (error) {
    if (error instanceof NotCertain) return { certain: false, reason: error.message };
    throw error;
  }
}

function judge(command: SimpleCommand): CommandPart {
  const reason = whyUnproven(command);
  return reason === undefined ? { words: command.words, proven: true } : { words: command.words, proven: false, reason };
}

function whyUnproven({ words, plainFirst }: SimpleCommand): string | undefined {
  const [name = '', ...args] = words;
  const base = name.slice(name.lastIndexOf('/') + 1);
  if (!/^[A-Za-z0-9_./:@[][A-Za-z0-9_./:@+,-]*$/.test(name) || base === '') return 'its first word is not a plain program name';
  if (!plainFirst) return 'the program name is written with quotes or escapes';
  if (name === 'command' && (args[0] === '-v' || args[0] === '-V')) return undefined;
  if (name === 'set' && /^-[eux]+( pipefail)?$|^-[eux]*o pipefail$/.test(args.join(' '))) return undefined;
  if (otherBuiltins.has(name)) return `"${name}" is a builtin or keyword that can run or define commands`;
  if (plainBuiltins.has(name)) return whyBuiltinUnproven(name, args);
  if (args.length === 1 && args[0] === '--version') return undefined;
  if (neverProven.has(base) || neverProvenNames.test(base)) return `"${base}" can run any program`;
  if (base === 'git') return whyGitUnproven(args);
  if (base === 'sed') return isPlainSed(args) ? undefined : 'a sed script can run programs and write files';
  const { first, never } = programRules.get(base) ?? {};
  if (first && args[0] !== undefined && !first.test(args[0])) return `"${base} ${args[0]}" is not known to run nothing else`;
  const found = never && args.find((arg) => never.test(arg));
  return found === undefined ? undefined : `"${base} ${found}" can run another program`;
}

/** `test -v 'a[$(x)]'` and `printf -v` evaluate subscripts; the rest only compare and print. */
function whyBuiltinUnproven(name: string, args: readonly string[]): string | undefined {
  if (name === 'printf') return args[0]?.startsWith('-') ? 'printf with an option can set a variable' : undefined;
  if (name !== 'test' && name !== '[') return undefined;
  const subscript = args.find((arg) => arg === '-v' || arg === '-R' || /[[$`]/.test(arg));
  return subscript === undefined ? undefined : `"${name}" with ${subscript} can evaluate an expression`;
}

function whyGitUnproven(args: readonly string[]): string | undefined {
  const [subcommand = ''] = args;
  if (!gitSubcommands.has(subcommand)) return `"git ${subcommand}" is an option, an alias or a subcommand that can run programs`;
  const merges = /^(?:merge|pull|cherry-pick|revert)$/.test(subcommand);
  const found = args.find((arg) => gitArguments.test(arg) || (merges && /^-[a-z]*s/i.test(arg)));
  return found === undefined ? undefined : `"git ${subcommand} ${found}" can run another program`;
}
