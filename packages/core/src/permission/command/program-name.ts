/** The name by which the tables know a program: `/usr/bin/gcc-12`, `x86_64-linux-gnu-gcc`, `vim.tiny`, `gxargs` and `BASH` are old friends. */
import { names, neverProven } from './never-proven.js';
import { programRules } from './program-rules.js';

/** What package managers of other systems install with a `g` before it. */
const gnu = names('awk chroot date env find install nice nohup parallel sed sort split stdbuf tar timeout xargs');

/** The base name where nothing alike is known. */
export function knownName(program: string): string {
  const base = program.slice(program.lastIndexOf('/') + 1);
  return isKnown(base) ? base : (spellings(base).find(isKnown) ?? base);
}

function isKnown(name: string): boolean {
  return name === 'git' || name === 'sed' || neverProven.has(name) || programRules.has(name);
}

/** Some file systems take any case. */
function spellings(base: string): string[] {
  const lower = base.toLowerCase();
  const plain = lower.replace(/\.[a-z][\w-]*$/, '');
  const unversioned = [lower, plain, lower.replace(/-?\d+(?:\.\d+)*$/, '')];
  const compiler = /-((?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld|ar|nm|strip|objdump|objcopy)(?:-[\d.]+)?)$/.exec(lower)?.[1]?.replace(/-[\d.]+$/, '');
  return [...unversioned, ...(compiler === undefined ? [] : [compiler]), ...unversioned.filter((name) => name.startsWith('g') && gnu.has(name.slice(1))).map((name) => name.slice(1))];
}
