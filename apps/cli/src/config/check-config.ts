// Checks a configuration value by value. A wrong key is reported with the nearest right one; everything wrong is reported at once.
import { didYouMean } from '../text/did-you-mean.js';
import { type Check, configShape } from './config-shape.js';

export interface ConfigProblem {
  /** Dotted, e.g. `permissions.alow`; empty for the whole. */
  key: string;
  message: string;
}

export interface ReadConfig {
  /** A copy of what could be read: getters and proxies ran once, and later nothing can throw or change. Plugins are handed on as they are. */
  values: unknown;
  problems: ConfigProblem[];
}

/** What is wrong with `value` as a configuration; empty when nothing is. */
export function checkConfig(value: unknown): ConfigProblem[] {
  return readConfig(value).problems;
}

/** Reads every setting once. What throws while it is read is a problem of its key. */
export function readConfig(value: unknown): ReadConfig {
  const problems: ConfigProblem[] = [];
  return { values: visit(() => value, configShape, '', problems), problems };
}

/** The copy of what `read` gives; undefined where it is refused. */
function visit(read: () => unknown, check: Check, key: string, problems: ConfigProblem[], optional = false): unknown {
  const refuse = (message: string): void => void problems.push({ key, message });
  try {
    const value = read();
    return value === undefined && optional ? undefined : copyOf(value, check, key, problems, refuse);
  } catch (error) {
    refuse(`cannot be read: ${messageOf(error)}`);
    return undefined;
  }
}

function copyOf(value: unknown, check: Check, key: string, problems: ConfigProblem[], refuse: (message: string) => void): unknown {
  switch (check.kind) {
    case 'object':
    case 'record':
      if (!isPlainObject(value)) return refuse(`must be an object, not ${describe(value)}`);
      return Object.fromEntries(Object.keys(value).map((name) => [name, visitKey(value, name, check, key === '' ? name : `${key}.${name}`, problems)]));
    case 'array':
      if (!Array.isArray(value)) return refuse(`must be an array, not ${describe(value)}`);
      return Array.from({ length: value.length }, (_, index) => visit(() => value[index] as unknown, check.items, `${key}[${index}]`, problems));
    case 'choice':
      if (typeof value === 'string' && check.values.includes(value)) return value;
      return refuse(`must be one of ${check.values.join(', ')}, not ${describe(value)}.${typeof value === 'string' ? didYouMean(value, check.values) : ''}`);
    case 'value': {
      const problem = check.refuse(value);
      return problem === undefined ? value : refuse(`${problem}, not ${describe(value)}`);
    }
  }
}

/** A setting that is there but undefined is as good as absent. */
function visitKey(parent: object, name: string, check: Check & { kind: 'object' | 'record' }, key: string, problems: ConfigProblem[]): unknown {
  const read = (): unknown => (parent as Record<string, unknown>)[name];
  if (check.kind === 'record') return visit(read, check.items, key, problems);
  const known = Object.hasOwn(check.keys, name) ? check.keys[name] : undefined;
  if (known !== undefined) return visit(read, known, key, problems, true);
  problems.push({ key, message: `is not a setting.${didYouMean(name, Object.keys(check.keys)) || ` Settings here: ${Object.keys(check.keys).join(', ')}`}` });
  return undefined;
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A short form of a received value for a message. */
export function describe(value: unknown): string {
  if (value === undefined) return 'undefined';
  if (typeof value === 'function') return `a function${value.name ? ` (${value.name})` : ''}`;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return JSON.stringify(value).slice(0, 80);
  if (Array.isArray(value)) return 'an array';
  return value === null ? 'null' : 'an object';
}
