/** One resource that a call touches: what policy, locks, approval text, audit and redaction work on. */
import type { ExplicitWord } from './command/explicit-words.js';

export type ResourceKind = 'path' | 'command' | 'url' | 'glob' | 'secret';
export type AccessMode = 'read' | 'write';

/** As a tool states it, before canonicalisation. */
export interface Access {
  kind: ResourceKind;
  mode: AccessMode;
  /** A path, a shell command line, a URL, a glob, or a secret's name. */
  value: string;
}

/** As policy sees it. JSON. */
export interface CanonicalAccess extends Access {
  /**
   * The canonical form that rules match: for `path` the real path relative to the workspace with `/`
   * (absolute when outside), for `url` `scheme://host:port`, for `command` the argv as a JSON array,
   * else the value.
   */
  resource: string;
  /** `path`: whether it lies inside the workspace (or a granted extra root). */
  inside?: boolean;
  /** `path`: what was asked by text alone, in the same form, where links make it differ from `resource`; deny and ask rules match it too. */
  asked?: string;
  /** `path`: other names (hard links) of the same file under which it usually holds secrets; deny and ask rules match them too. */
  otherNames?: readonly string[];
  /** `command`: the proven argument vector of this part; absent when the command is opaque. */
  argv?: string[];
  /** `command`: the literal words of an unproven part (`env X=1 rm`): deny and ask rules match them, allow rules never do. */
  words?: string[];
  /** `command`: why it is not proven. */
  unproven?: string;
  /** `command`: the words that an allow rule must spell out, no wildcard stands for them; all words of an unproven part. */
  explicit?: ExplicitWord[];
}
