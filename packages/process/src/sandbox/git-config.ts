/** The one git setting file of "the user" inside a sandbox, in place of the real one, which may hold credentials and commands. */
import type { BubblewrapOptions } from './bubblewrap-options.js';

export const GIT_CONFIG_PATH = '/etc/haft/gitconfig';

/** The workspace counts as safe, also where it belongs to another user than the one who runs Haft. */
export function gitConfig(root: string, identity: BubblewrapOptions['gitIdentity']): string {
  const user = identity === undefined ? [] : ['[user]', `\tname = ${quoted(identity.name)}`, `\temail = ${quoted(identity.email)}`];
  return ['[safe]', `\tdirectory = ${quoted(root)}`, `\tdirectory = ${quoted(`${root}/*`)}`, ...user, ''].join('\n');
}

/** As git-config(1) reads a value. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\0', '')}"`;
}
