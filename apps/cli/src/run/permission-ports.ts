// The permission side of the composition root: rules of all sources, grants, audit, limits, redaction.
import {
  createAuditLog,
  createGrantStore,
  createPolicy,
  createRateLimiter,
  createRedactor,
  type FileAuditLog,
  type ListedPolicy,
  type PermissionMode,
  type RateLimiter,
  type RateLimits,
  type RevocableGrantStore,
  type RuleSet,
  type RuleSourceKind,
  type ValueRedactor,
  type Verdict,
} from '@haft/core';
import { ensureFolder, stateFolder } from '../config/paths.js';
import type { ResolvedSettings } from '../config/resolve-settings.js';
import type { Layer, OriginKind } from '../config/settings.js';

/** A policy whose mode can be changed while a conversation goes on. */
export interface SwitchablePolicy extends ListedPolicy {
  setMode(mode: PermissionMode): void;
}

export interface PermissionPorts {
  policy: SwitchablePolicy;
  audit: FileAuditLog;
  rateLimiter: RateLimiter;
  redactor: ValueRedactor;
  grants: RevocableGrantStore;
}

const sourceKinds: Readonly<Record<OriginKind, RuleSourceKind>> = {
  flag: 'flag',
  environment: 'user',
  'env file': 'project',
  project: 'project',
  user: 'user',
  default: 'default',
};

/** Throws a SetupError that names the source of a rule that cannot be parsed. */
export function permissionPorts(resolved: ResolvedSettings): PermissionPorts {
  const { settings, root, envFile } = resolved;
  const redactor = createRedactor(secretValues(process.env, envFile));
  const folder = ensureFolder(stateFolder());
  const audit = createAuditLog(folder, { redactor });
  const grants = createGrantStore(folder, { root, audit });
  return {
    policy: switchable((mode) => createPolicy({ rules: ruleSetsOf(resolved), mode, grants }), settings.permissionMode?.value ?? 'ask'),
    audit,
    rateLimiter: createRateLimiter(settings.rates?.value as RateLimits | undefined),
    redactor,
    grants,
  };
}

function switchable(make: (mode: PermissionMode) => ListedPolicy, mode: PermissionMode): SwitchablePolicy {
  let current = make(mode);
  return {
    get mode() {
      return current.mode;
    },
    get rules() {
      return current.rules;
    },
    decide: (query) => current.decide(query),
    setMode: (next) => void (current = make(next)),
  };
}

/** The rules of every source, as policy takes them. */
export function ruleSetsOf({ layers }: Pick<ResolvedSettings, 'layers'>): RuleSet[] {
  return layers.flatMap(ruleSetOf);
}

/** A project's config is only loaded when it is trusted, so its rules count in full. */
function ruleSetOf({ kind, where, rules }: Layer): RuleSet[] {
  if (rules === undefined) return [];
  return [{ ...rules, source: { kind: sourceKinds[kind], where: kind === 'flag' ? 'flag' : where }, ...(kind === 'project' ? { trusted: true } : {}) }];
}

/** The path patterns of deny rules on reading: searches and lists leave such files out as well. */
export function deniedReadPatterns(policy: ListedPolicy): string[] {
  return readPatterns(policy, 'deny', /^(read_file|\*)\(/);
}

/** The path patterns of allow rules on reading: searches look into such files even where they usually hold secrets. */
export function openedReadPatterns(policy: ListedPolicy): string[] {
  return readPatterns(policy, 'allow', /^(read_file|grep|\*)\(/);
}

function readPatterns({ rules }: ListedPolicy, wanted: Verdict, tools: RegExp): string[] {
  return rules.flatMap(({ verdict, rule: { text, target, pattern }, ignored }) => {
    if (verdict !== wanted || ignored !== undefined || pattern?.path === undefined) return [];
    return ('scope' in target ? target.scope === 'read' : tools.test(text)) ? [pattern.text] : [];
  });
}

/** Values of variables whose names say that they are secret. */
function secretValues(...environments: Readonly<Record<string, string | undefined>>[]): string[] {
  const secret = /(^|_)(API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;
  return environments.flatMap((env) => Object.entries(env).flatMap(([name, value]) => (value !== undefined && secret.test(name) ? [value] : [])));
}
