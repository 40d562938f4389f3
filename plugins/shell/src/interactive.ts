/** Commands that want somebody at a terminal: known ones are refused at once, others recognised by what they say when they find none. */

interface Interactive {
  /** What to use in its place. */
  instead: string;
  /** Arguments with which it does run without a terminal. */
  batch: RegExp;
}

const INFORMS = /(?:^|\s)(?:--version|--help|-h|-V)(?:\s|$)/;

const INTERACTIVE = new Map<string, Interactive>([
  ...group(['vi', 'vim', 'nvim', 'ex'], 'edit files with edit_file or write_file, or with sed', /(?:^|\s)(?:-es|-Es|--headless|-c)(?:\s|$)/),
  ...group(['emacs'], 'edit files with edit_file or write_file, or with sed', /(?:^|\s)(?:--batch|--script|-batch)(?:\s|$)/),
  ...group(['nano', 'pico', 'ed', 'micro', 'joe'], 'edit files with edit_file or write_file, or with sed'),
  ...group(['less', 'more', 'most'], 'use cat, head, tail or read_file'),
  ...group(['top'], 'use ps aux, or top -b -n 1', /(?:^|\s)-\w*b/),
  ...group(['htop', 'btop', 'atop', 'nvtop'], 'use ps aux, or top -b -n 1'),
  ...group(['tmux'], 'use background: true', /(?:^|\s)(?:-d|ls|list-\w+|kill-\w+|send-keys|capture-pane|has-session)(?:\s|$)/),
  ...group(['screen'], 'use background: true', /(?:^|\s)(?:-\w*d\w*|-ls|-list|-X)(?:\s|$)/),
  ...group(['watch'], 'run the command itself, or a loop with sleep'),
  ...group(['visudo', 'vipw', 'passwd', 'telnet', 'mc', 'ranger', 'tig', 'lazygit'], 'it needs a terminal; use a program that takes its input as arguments'),
]);

function group(names: readonly string[], instead: string, batch: RegExp = INFORMS): [string, Interactive][] {
  return names.map((name) => [name, { instead, batch }]);
}

const COMPLAINTS = [
  /(?:not|isn't) a (?:terminal|tty)\b/i, /\b(?:a )?terminal is required/i, /must be run from a terminal/i, /TERM environment variable not set/i, /failed to (?:get|open) (?:a )?tty/i,
  /could not read (?:Username|Password)/i, /\bno tty present\b/i, /Inappropriate ioctl for device/i, /\/dev\/tty: No such device/i, /EOF when reading a line/i, /there is no terminal for an editor here/i,
  /terminal prompts disabled/i, /Host key verification failed/i,
];

/** Why this command cannot work without a terminal, with what to use instead; undefined where nothing speaks against it. */
export function refuseInteractive(command: string): string | undefined {
  // One program and its arguments, in words without quotes: everything else is left to run and to fail by itself.
  const simple = /^\s*(?:sudo\s+)?(?:[\w./-]*\/)?([a-z]+)((?:\s+[^\s;&|<>()`$'"\\]+)*)\s*$/.exec(command);
  const [, program = '', rest = ''] = simple ?? [];
  const known = INTERACTIVE.get(program);
  if (known === undefined || known.batch.test(rest) || INFORMS.test(rest)) return undefined;
  return `${program} wants a terminal, and commands here have none: ${known.instead}.`;
}

/** A sentence for the model when the output says that a terminal or an answer was missing. */
export function interactiveHint(output: string): string | undefined {
  if (!COMPLAINTS.some((complaint) => complaint.test(output))) return undefined;
  return 'commands have no terminal and no input here; use the non-interactive form (an option such as -y, -m TEXT, --no-edit, or input by a pipe).';
}

const NO_NETWORK = /Could not resolve host|Temporary failure in name resolution|Network is unreachable|\bEAI_AGAIN\b|\bENOTFOUND\b|\bENETUNREACH\b|not in the network allow-list/i;

/** A sentence for the model when the output says that a host was not reached, and the sandbox is why. `hosts` are the allowed ones. */
export function networkHint(output: string, hosts: readonly string[]): string | undefined {
  if (!NO_NETWORK.test(output)) return undefined;
  const reach = hosts.length === 0 ? 'commands have no network here' : `commands reach only ${hosts.join(', ')} here`;
  return `${reach}; more is for the user to allow, by shell({ network: [...] }) in agent.config.ts.`;
}
