/**
 * The words of a proven command for which no wildcard of a rule stands: they write or delete where the program otherwise reads, or name a
 * place outside the workspace. A rule must spell them out.
 */
import { explicitGitWords } from './git-command.js';
import { names } from './never-proven.js';
import { namesGitFolder, namesOutside } from './outside-place.js';
import { knownName } from './program-name.js';
import { programRules } from './program-rules.js';

export interface ExplicitWord {
  /** Index into the argument vector; its length where the missing argument is what matters (`cd` alone). */
  at: number;
  /** A clause for "a wildcard does not stand for it: …". */
  why: string;
  /** It is explicit for the place that it names, nothing else. */
  place?: true;
}

/** Programs that only read and print, so that a place outside the workspace is no more than the program's own name says. */
const readers = names(`echo printf true false : pwd exit type command test [ set sleep ls cat head tail wc grep egrep fgrep zgrep zcat rg cut tr nl
  fold fmt paste join comm column expand unexpand rev tac od hexdump strings cmp diff stat file du df which whereis basename dirname
  realpath readlink date uname arch nproc whoami hostname id groups who uptime free ps pgrep top lsof netstat ss printenv locale tty seq expr
  factor md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum base32 base64 jq sort tree find fd fdfind bat batcat getent`);

export function explicitWords(words: readonly string[], root?: string): ExplicitWord[] {
  const [name = '', ...args] = words;
  const base = knownName(name);
  if (name === 'cd' && args.length === 0) return [{ at: words.length, why: 'cd alone goes to the home folder' }];
  const { writes, unclustered, installs } = programRules.get(base) ?? {};
  const written = writes === undefined ? [] : pick(words, (word) => writes.test(word), `it makes ${base} write or delete`);
  const own = base === 'git' ? explicitGitWords(words) : base === 'curl' ? pick(words, isGlobbed, 'curl may take it for several addresses, of any kind') : [];
  if (installs?.test(args[0] ?? '')) written.push(...pick(words, isLocalPackage, 'a package in a folder brings scripts of its own, and one for all users is installed outside'));
  if (readsOnly(base, args) && written.length === 0) return own;
  const script = base === 'sed' ? words.findIndex((word, at) => at > 0 && !word.startsWith('-')) : -1;
  const outside = pick(words, (word, at) => at !== script && namesOutside(word, root, unclustered !== true), 'it names a place outside the workspace');
  const hooks = base === 'git' ? [] : pick(words, (word, at) => at !== script && namesGitFolder(word), "it names git's own folder, whose hooks and settings git runs");
  return [...written, ...own, ...hooks, ...outside.map((word) => ({ ...word, place: true as const }))];
}

function isLocalPackage(word: string): boolean {
  return /^(?:\.{1,2}(?:\/|$|\[)|-g$|--g|--lo|--user$|--tar|--roo|--pre|-e$|--ed)|\.(?:tgz|tar\.\w+|whl|zip)$/.test(word);
}

/** curl's own globs could make up the name of a scheme. What JSON is, is data; `%{name}` is a format. */
function isGlobbed(word: string): boolean {
  if (!/[[{]/.test(word.replaceAll(/%\{\w+\}/g, ''))) return false;
  try {
    JSON.parse(word);
    return false;
  } catch {
    return true;
  }
}

/** sed has been found to be plain before: then only `-i` writes. */
function readsOnly(base: string, args: readonly string[]): boolean {
  return base === 'sed' ? !args.some((arg) => /^-[a-zA-Z]*i/.test(arg)) : readers.has(base);
}

function pick(words: readonly string[], which: (word: string, at: number) => boolean, why: string): ExplicitWord[] {
  return words.flatMap((word, at) => (at > 0 && which(word, at) ? [{ at, why }] : []));
}
