/**
 * Which paths of the workspace nothing may touch, which may only be read, and which usually hold secrets. A path that any rule's glob names,
 * or that lies below one, is caught.
 */
import { ToolFailure } from '../errors.js';
import { quotePath } from './file-failure.js';
import { type Glob, compileGlob } from './glob-pattern.js';
import { isSecretPath } from './secret-files.js';

export interface PathRuleOptions {
  deny?: readonly string[];
  readOnly?: readonly string[];
  openSecrets?: readonly string[];
}

export class PathRules {
  private readonly deny: readonly Glob[];
  private readonly readOnly: readonly Glob[];
  private readonly openSecrets: readonly Glob[];

  constructor(options: PathRuleOptions) {
    const compile = (patterns: readonly string[] = []) => patterns.map((pattern) => compileGlob(pattern, { dot: true }));
    this.deny = compile(options.deny);
    this.readOnly = compile(options.readOnly);
    this.openSecrets = compile(options.openSecrets);
  }

  /** Whether `relative` (with `/`, from the root) is denied. */
  denies(relative: string): boolean {
    return catches(this.deny, relative);
  }

  /** As `denies`, for a path whose folders were tested before. */
  deniesEntry(relative: string): boolean {
    return this.deny.some((glob) => glob.matches(relative));
  }

  /** Whether anything in a folder may be denied. */
  mayDenyBelow(relative: string): boolean {
    return this.deny.some((glob) => glob.couldMatchBelow(relative) || glob.matches(relative));
  }

  get deniesAnything(): boolean {
    return this.deny.length > 0;
  }

  /** Whether a path usually holds secrets, and no rule of the user's opens it. */
  isSecret(relative: string): boolean {
    return isSecretPath(relative) && !catches(this.openSecrets, relative);
  }

  allows(relative: string, mode: 'read' | 'write'): boolean {
    return !this.denies(relative) && !(mode === 'write' && catches(this.readOnly, relative));
  }

  /** Throws `path_denied` if any of the names of one file (asked, real, links on the way) is caught. `asked` is for the message. */
  check(names: Iterable<string>, mode: 'read' | 'write', asked: string): void {
    for (const name of names) {
      const denied = catching(this.deny, name);
      if (denied) throw new ToolFailure('path_denied', `${quotePath(asked)} is protected: the deny pattern ${JSON.stringify(denied.pattern)} covers it.`);
      const readOnly = mode === 'write' ? catching(this.readOnly, name) : undefined;
      if (readOnly) throw new ToolFailure('path_denied', `${quotePath(asked)} may be read but not changed: the pattern ${JSON.stringify(readOnly.pattern)} covers it.`);
    }
  }
}

function catches(globs: readonly Glob[], relative: string): boolean {
  return catching(globs, relative) !== undefined;
}

/** The first pattern that names the path or a folder above it. */
function catching(globs: readonly Glob[], relative: string): Glob | undefined {
  if (globs.length === 0) return undefined;
  for (let end = relative.length; end > 0; end = relative.lastIndexOf('/', end - 1)) {
    const part = relative.slice(0, end);
    const found = globs.find((glob) => glob.matches(part));
    if (found) return found;
  }
  return undefined;
}
