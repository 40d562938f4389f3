/** Commands that want somebody at a terminal: known ones are refused at once, others recognised by what they say when they find none. */

/** What to use in place of a program that shows a full-screen or line editor. */
const FULL_SCREEN: Readonly<Record<string, string>> = Object.fromEntries([
  ...['vi', 'vim', 'nvim', 'nano', 'pico', 'emacs', 'ed', 'ex', 'micro', 'joe'].map((name) => [name, 'edit files with edit_file or write_file, or with sed']),
  ...['less', 'more', 'most'].map((name) => [name, 'use cat, head, tail or read_file']),
  ...['top', 'htop', 'btop', 'atop', 'nvtop'].map((name) => [name, 'use ps aux, or top -b -n 1']),
  ...['tmux', 'screen', 'watch'].map((name) => [name, 'use background: true']),
  ...['visudo', 'vipw', 'passwd', 'ftp', 'telnet', 'mc', 'ranger', 'tig', 'lazygit', 'fzf'].map((name) => [name, 'it needs a terminal; use a program that takes its input as arguments']),
]);

/** Options with which these programs do run without a terminal. */
const BATCH = /(?:^|\s)(?:-b\b|-e\b|-es\b|-Es\b|--batch|--version|-V\b|--help|-h\b|-c\b|-n\s*\d|--headless|new-session|new\s+-d|kill-|ls\b|list-|send-keys|capture-pane|-dm|-f\b|--filter)/;

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
  const instead = Object.hasOwn(FULL_SCREEN, program) ? FULL_SCREEN[program] : undefined;
  if (instead === undefined || BATCH.test(rest)) return undefined;
  return `${program} wants a terminal, and commands here have none: ${instead}.`;
}

/** A sentence for the model when the output says that a terminal or an answer was missing. */
export function interactiveHint(output: string): string | undefined {
  if (!COMPLAINTS.some((complaint) => complaint.test(output))) return undefined;
  return 'commands have no terminal and no input here; use the non-interactive form (an option such as -y, -m TEXT, --no-edit, or input by a pipe).';
}
