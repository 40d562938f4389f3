// Scripts for shells: the words come from the command line itself, so that they are never out of date.
import type { Command } from 'commander';

export type Shell = 'bash' | 'zsh' | 'fish';

interface CompletionNode {
  /** Words before, e.g. `tools call`; empty for the root. */
  path: string;
  words: { word: string; description: string }[];
}

/** The completion script. Install: `source <(haft completion bash)`. */
export function completionScript(program: Command, shell: Shell): string {
  const nodes = nodesOf(program, '');
  const choices = choicesOf(program, '');
  if (shell === 'fish') return fish(nodes, choices);
  return shell === 'bash' ? bash(nodes, choices) : `autoload -U +X bashcompinit && bashcompinit\n${bash(nodes, choices)}`;
}

function nodesOf(command: Command, path: string): CompletionNode[] {
  const subcommands = command.commands.map((sub) => ({ word: sub.name(), description: sub.description() }));
  const flags = command.options.flatMap((option) => (option.long === null || option.long === undefined ? [] : [{ word: option.long, description: option.description }]));
  const own = { path, words: [...subcommands, ...flags] };
  return [own, ...command.commands.flatMap((sub) => nodesOf(sub, `${path} ${sub.name()}`.trim()))];
}

interface Choice {
  path: string;
  option: string;
  values: readonly string[];
}

/** Values of options that have only some. */
function choicesOf(command: Command, path: string): Choice[] {
  const own = command.options.flatMap(({ long, argChoices }) => (argChoices === undefined || !long ? [] : [{ path, option: long, values: argChoices }]));
  return [...own, ...command.commands.flatMap((sub) => choicesOf(sub, `${path} ${sub.name()}`.trim()))];
}

function bash(nodes: readonly CompletionNode[], choices: readonly Choice[]): string {
  const common = nodes[0]?.words.filter(({ word }) => word.startsWith('--')).map(({ word }) => word) ?? [];
  const cases = nodes.map(({ path, words }) => `    '${path}') words='${[...words.map(({ word }) => word), ...(path === '' ? [] : common)].join(' ')}' ;;`);
  const values = choices.map(({ path, option, values: list }) => `    ${path === '' ? '*' : `'${path}'`}' ${option}') COMPREPLY=($(compgen -W '${list.join(' ')}' -- "$current")); return ;;`);
  return `# haft completion: source <(haft completion bash)
_haft() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${nodes.flatMap(({ path }) => (path === '' ? [] : [`      '${path.includes(' ') ? path : ` ${path}`}') path='${path}' ;;`])).join('\n')}
    esac
  done
  case "$path $previous" in
${values.join('\n')}
    *' --cwd') COMPREPLY=($(compgen -d -- "$current")); return ;;
    *' --config') COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _haft haft
`;
}

function fish(nodes: readonly CompletionNode[], choices: readonly Choice[]): string {
  const lines = nodes.flatMap(({ path, words }) => words.map(({ word, description }) => fishLine(path, word, description, choices.find((choice) => choice.path === path && choice.option === word)?.values)));
  return `# haft completion: haft completion fish | source\n${lines.join('\n')}\n`;
}

function fishLine(path: string, word: string, description: string, values: readonly string[] | undefined): string {
  const text = `-d ${quote(description)}`;
  const condition = path === '' ? '__fish_use_subcommand' : path.split(' ').map((part) => `__fish_seen_subcommand_from ${part}`).join('; and ');
  if (!word.startsWith('--')) return `complete -c haft -n ${quote(condition)} -f -a ${word} ${text}`;
  const where = path === '' ? '' : `-n ${quote(condition)} `;
  return `complete -c haft ${where}-l ${word.slice(2)} ${text}${values === undefined ? '' : ` -x -a ${quote(values.join(' '))}`}`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
