/**
 * The command recogniser: which argument vectors a bash command runs, where that is provable. It only decides how often a user is
 * asked; the sandbox is the boundary. An uncertain command is opaque as a whole; a certain one is judged part by part.
 */
import { type ExplicitWord, explicitWords } from './explicit-words.js';
import { whyGitUnproven } from './git-command.js';
import { neverProven, neverProvenNames, otherBuiltins, plainBuiltins } from './never-proven.js';
import { isPlainSed } from './plain-sed.js';
import { knownName } from './program-name.js';
import { programRules } from './program-rules.js';
import { NotCertain, type SimpleCommand, readCommands } from './shell-words.js';

export interface CommandPart {
  /** The argument vector that bash passes, exactly. */
  words: string[];
  /** False where the program is known to run other programs that its arguments or input name. */
  proven: boolean;
  /** Why it is not proven. */
  reason?: string;
  /**
   * The words that an allow rule must spell out. All, where it is not proven; absent there where even they do not say what runs: a
   * builtin that changes what follows, a program that is fed by another command.
   */
  explicit?: ExplicitWord[];
}

export type CommandAnalysis =
  /** The parts, in the order of the text; which of them run depends on their exit statuses. */
  | { certain: true; parts: CommandPart[] }
  | { certain: false; reason: string };

/** Never throws. `text` is what follows `bash --noprofile --norc -c`; `root` is the workspace, which absolute paths may name. */
export function parseCommand(text: string, root?: string): CommandAnalysis {
  try {
    return { certain: true, parts: readCommands(text).map((command) => judge(command, root)) };
  } catch (error) {
    if (error instanceof NotCertain) return { certain: false, reason: error.message };
    throw error;
  }
}

function judge(command: SimpleCommand, root: string | undefined): CommandPart {
  const { words } = command;
  const strange = whyStrange(command);
  if (strange !== undefined) return { words, proven: false, reason: strange };
  const others = whyOthersRun(words);
  if (others !== undefined) return { words, proven: false, reason: others, ...(!command.piped && { explicit: wholly(words, others) }) };
  const explicit = explicitWords(words, root);
  return { words, proven: true, ...(explicit.length > 0 && { explicit }) };
}

/** Every word, and that there is no other. */
function wholly(words: readonly string[], why: string): ExplicitWord[] {
  return [...words.keys(), words.length].map((at) => ({ at, why }));
}

/** Why the words are not simply a program and its arguments. */
function whyStrange({ words, plainFirst }: SimpleCommand): string | undefined {
  const [name = '', ...args] = words;
  if (!/^[A-Za-z0-9_./:@[][A-Za-z0-9_./:@+,-]*$/.test(name) || name.endsWith('/')) return 'its first word is not a plain program name';
  if (!plainFirst) return 'the program name is written with quotes or escapes';
  if (name === 'command' && (args[0] === '-v' || args[0] === '-V')) return undefined;
  if (name === 'set' && /^-[eux]+( pipefail)?$|^-[eux]*o pipefail$/.test(args.join(' '))) return undefined;
  if (otherBuiltins.has(name)) return `"${name}" is a builtin or keyword that can run or define commands`;
  return plainBuiltins.has(name) ? whyBuiltinUnproven(name, args) : undefined;
}

function whyOthersRun([name = '', ...args]: readonly string[]): string | undefined {
  const base = knownName(name);
  if (args.length === 1 && args[0] === '--version') return undefined;
  if (neverProven.has(base) || neverProvenNames.test(base.toLowerCase())) return `"${base}" can run any program`;
  if (base === 'git') return whyGitUnproven(args);
  if (base === 'sed') return isPlainSed(args) ? undefined : 'a sed script can run programs and write files';
  const { first, never, only } = programRules.get(base) ?? {};
  if (first && args[0] !== undefined && !first.test(args[0])) return `"${base} ${args[0]}" is not known to run nothing else`;
  const found = args.find((arg) => never?.test(arg) === true || (only !== undefined && arg.startsWith('-') && !only.test(arg)));
  return found === undefined ? undefined : `"${base} ${found}" can run another program`;
}

/** `test -v 'a[$(x)]'` and `printf -v` evaluate subscripts; the rest only compare and print. */
function whyBuiltinUnproven(name: string, args: readonly string[]): string | undefined {
  if (name === 'printf') return args[0]?.startsWith('-') ? 'printf with an option can set a variable' : undefined;
  if (name !== 'test' && name !== '[') return undefined;
  const subscript = args.find((arg) => arg === '-v' || arg === '-R' || /[[$`]/.test(arg));
  return subscript === undefined ? undefined : `"${name}" with ${subscript} can evaluate an expression`;
}
