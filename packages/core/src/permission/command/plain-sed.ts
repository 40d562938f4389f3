/** The uses of sed that only print, delete and replace lines: no script here can run a program or name another file. */

const address = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\[^\n])+/)`;
const lines = new RegExp(String.raw`^${address}(?:,${address})?!?[pdq]$`);
/**
 * `s/a/b/gp` with one delimiter, three of it, and no flag that executes (`e`) or writes (`w`). A delimiter that sed takes as part of a
 * bracket leaves it one short: an error, not another script.
 */
const substitution = new RegExp(String.raw`^(?:${address}(?:,${address})?)?s([/|#,:@])(?:(?!\1)[^\\\n]|\\[^\n])+\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpiI0-9]*$`);

/** `sed [-n] [-E] [-i] SCRIPT FILE…`, one script of one command. Options may stand anywhere in GNU sed, so nothing later may look like one. */
export function isPlainSed(args: readonly string[]): boolean {
  const first = args.findIndex((arg) => !/^-[nErsi]+$/.test(arg));
  if (first === -1) return false;
  const [script = '', ...files] = args.slice(first);
  return (lines.test(script) || substitution.test(script)) && files.every((file) => !file.startsWith('-'));
}
