/** The environment of every child: an allow-list of ours, never what Haft itself was started with. */

/** Names passed on from our own environment. No name that can hold a credential belongs here. Read one by one: listing the whole costs more. */
const PASSED_ON = [
  'PATH', 'HOME', 'USER', 'LOGNAME', 'TZ', 'TMPDIR', 'SYSTEMROOT', 'COMSPEC', 'LANG', 'LANGUAGE',
  ...['ALL', 'CTYPE', 'COLLATE', 'MESSAGES', 'MONETARY', 'NUMERIC', 'TIME', 'PAPER', 'NAME', 'ADDRESS', 'TELEPHONE', 'MEASUREMENT', 'IDENTIFICATION'].map((category) => `LC_${category}`),
];

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const NO_EDITOR = "echo 'haft: there is no terminal for an editor here; give the text by an option (e.g. git commit -m, git rebase --autosquash with GIT_SEQUENCE_EDITOR set by you)' >&2; false";

/** Programs that would ask fail instead: an editor, a pager, a password prompt have nobody in front of them. */
const NOT_INTERACTIVE: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  EDITOR: 'false',
  VISUAL: 'false',
  // A default of `true` would silently accept the editor's proposal, e.g. carry out an interactive rebase.
  GIT_EDITOR: NO_EDITOR,
  GIT_SEQUENCE_EDITOR: NO_EDITOR,
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
  DEBIAN_FRONTEND: 'noninteractive',
};

/** Marks every child of one runner, so that what escaped its process group can still be found. Holds nothing secret. */
export const MARKER_NAME = 'HAFT_RUN';

/**
 * The base environment plus `extra`. `source` is what Haft was started with.
 * Values of `extra` win; a value that holds NUL is refused by the operating system at spawn.
 */
export function childEnvironment(extra: Readonly<Record<string, string>> = {}, source: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const environment: Record<string, string> = { PATH: DEFAULT_PATH, HOME: '/', SHELL: '/bin/bash' };
  for (const name of PASSED_ON) {
    const value = source[name];
    if (value !== undefined) environment[name] = value;
  }
  // Without SHLVL, bash takes a socket as stdin for a remote shell and reads ~/.bashrc.
  return { ...environment, ...NOT_INTERACTIVE, SHLVL: '0', ...extra };
}
