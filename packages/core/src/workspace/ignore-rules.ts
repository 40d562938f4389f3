/** One `.gitignore` as a test over paths: the last line that matches decides. Literal names and `*.ext` lines are looked up, the rest are tried. */
import { type Glob, compileGlob } from './glob-pattern.js';

interface IgnoreLine {
  index: number;
  ignores: boolean;
  folderOnly: boolean;
  matches: (path: string, name: string) => boolean;
}

export class IgnoreRules {
  private readonly byName = new Map<string, IgnoreLine[]>();
  private readonly byExtension = new Map<string, IgnoreLine[]>();
  private readonly others: IgnoreLine[] = [];

  constructor(text: string) {
    for (const [index, line] of text.split(/\r?\n/).entries()) this.add(line, index);
  }

  /** `path` from the folder of the `.gitignore`, `name` its last part. Undefined when no line speaks of it. */
  verdict(path: string, name: string, isFolder: boolean): boolean | undefined {
    let last: IgnoreLine | undefined;
    const consider = (lines: readonly IgnoreLine[] | undefined) => {
      for (const line of lines ?? []) {
        if ((last === undefined || line.index > last.index) && (isFolder || !line.folderOnly) && line.matches(path, name)) last = line;
      }
    };
    consider(this.byName.get(name));
    const dot = name.lastIndexOf('.');
    if (dot >= 0) consider(this.byExtension.get(name.slice(dot)));
    consider(this.others);
    return last?.ignores;
  }

  private add(raw: string, index: number): void {
    let pattern = raw.replace(/(?<!\\)[ \t]+$/, '');
    if (pattern === '' || pattern.startsWith('#')) return;
    const ignores = !pattern.startsWith('!');
    if (!ignores) pattern = pattern.slice(1);
    const folderOnly = pattern.endsWith('/');
    if (folderOnly) pattern = pattern.slice(0, -1);
    const line = { index, ignores, folderOnly };
    if (pattern.includes('/')) this.addAnchored(pattern, line);
    else this.addByName(pattern, line);
  }

  private addByName(pattern: string, line: Omit<IgnoreLine, 'matches'>): void {
    if (pattern === '') return;
    if (!/[*?[\\]/.test(pattern)) addTo(this.byName, pattern, { ...line, matches: () => true });
    else if (/^\*\.[^*?[\\.]+$/.test(pattern)) addTo(this.byExtension, pattern.slice(1), { ...line, matches: () => true });
    else {
      const glob = compileQuietly(pattern);
      if (glob) this.others.push({ ...line, matches: (_path, name) => glob.matches(name) });
    }
  }

  private addAnchored(pattern: string, line: Omit<IgnoreLine, 'matches'>): void {
    // `dir/**` speaks of what is in the folder, not of the folder itself.
    const glob = compileQuietly(pattern.replace(/^\//, '').replace(/(\/\*\*)+$/, '/**/*'));
    if (glob) this.others.push({ ...line, matches: (path) => glob.matches(path) });
  }
}

function addTo(map: Map<string, IgnoreLine[]>, key: string, line: IgnoreLine): void {
  const lines = map.get(key);
  if (lines) lines.push(line);
  else map.set(key, [line]);
}

/** A line that git itself would not understand ignores nothing. */
function compileQuietly(pattern: string): Glob | undefined {
  try {
    return compileGlob(pattern, { dot: true, braces: false });
  } catch {
    return undefined;
  }
}
