/** Refuses a wrong decorator argument where it stands, naming class, field and remedy. */
import { SetupError } from '../errors.js';
import { nearName } from './near-name.js';
import type { ParamOptions, Scope, ToolOptions } from './tool.js';

export const toolNamePattern = /^[a-z][a-z0-9_]{0,63}$/;
const scopes: readonly Scope[] = ['read', 'write', 'network', 'dangerous'];
const dangerousNames: readonly string[] = ['__proto__', 'constructor', 'prototype'];

type Check = (value: unknown) => string | undefined;

const text: Check = (value) => (typeof value === 'string' ? undefined : 'must be a string');
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');
const positive: Check = (value) => (isPositive(value) ? undefined : 'must be a number above 0');
const notNegative: Check = (value) => (typeof value === 'number' && value >= 0 ? undefined : 'must be a number of 0 or more');
const thunk: Check = (value) => (typeof value === 'function' ? undefined : 'must be a function, e.g. () => Edit');
const list: Check = (value) => (Array.isArray(value) ? undefined : 'must be an array');
const anything: Check = () => undefined;
const oneOf = (...values: readonly string[]): Check => (value) => (values.includes(value as string) ? undefined : `must be one of ${values.join(', ')}`);

const toolChecks: Record<keyof ToolOptions, Check> = {
  name: (value) => (typeof value === 'string' && toolNamePattern.test(value) ? undefined : `must match ${toolNamePattern.source} (lower case, digits, _, at most 64)`),
  description: text,
  title: text,
  tags: (value) => (Array.isArray(value) && value.every((tag) => typeof tag === 'string') ? undefined : 'must be an array of strings'),
  scopes: (value) => (Array.isArray(value) && value.every((scope) => scopes.includes(scope as Scope)) ? undefined : `must be an array of ${scopes.join(', ')}`),
  timeoutMs: positive,
  maxOutputChars: positive,
  retry: (value) => (isPositive((value as { attempts?: unknown } | null)?.attempts) ? undefined : 'must be an object with attempts above 0'),
  idempotent: flag,
  destructive: flag,
  callsTools: flag,
  concurrency: (value) => (value === 'exclusive' || (Number.isInteger(value) && isPositive(value)) ? undefined : "must be a whole number above 0, or 'exclusive'"),
  rateLimit: (value) => (isRateLimit(value) ? undefined : 'must be { max, perMs } with numbers above 0'),
  cost: notNegative,
  confirm: flag,
  defer: flag,
  capability: text,
  degradeTo: text,
  examples: list,
  deprecated: text,
  strict: flag,
};

const paramChecks: Record<keyof ParamOptions, Check> = {
  description: text,
  name: (value) => (typeof value === 'string' && value !== '' && !dangerousNames.includes(value) ? undefined : 'must be a non-empty string that is no dangerous key'),
  optional: flag,
  default: anything,
  examples: list,
  deprecated: flag,
  type: thunk,
  enum: (value) => (typeof value === 'object' && value !== null && Object.keys(value).length > 0 ? undefined : 'must be an enum, or a non-empty array of its values'),
  oneOf: thunk,
  discriminator: text,
  kind: oneOf('path', 'command', 'url', 'glob', 'secret'),
  access: oneOf('read', 'write'),
  sensitive: flag,
};

/** Throws a SetupError for an unknown option, or one of the wrong shape. `where` names class and method. */
export function checkToolOptions(options: ToolOptions, where: string): void {
  check(options, toolChecks, `@Tool on ${where}`);
}

/** As `checkToolOptions`; `where` names class and field. */
export function checkParamOptions(options: ParamOptions, where: string): void {
  check(options, paramChecks, `@Param on ${where}`);
  if (options.oneOf !== undefined && options.type !== undefined) {
    throw new SetupError(`@Param on ${where}: give either "type" or "oneOf", not both.`);
  }
}

export function refuseDangerousProperty(property: string, where: string): void {
  if (dangerousNames.includes(property)) throw new SetupError(`${where}: a parameter cannot be called "${property}". Rename the field.`);
}

function check(options: object, checks: Record<string, Check>, where: string): void {
  for (const key of Object.keys(options)) {
    const value = (options as Record<string, unknown>)[key];
    if (!Object.hasOwn(checks, key)) {
      const near = nearName(key, Object.keys(checks));
      throw new SetupError(`${where}: there is no option "${key}"${near === undefined ? `. Options: ${Object.keys(checks).join(', ')}` : `, did you mean "${near}"`}.`);
    }
    if (value === undefined) continue;
    const problem = checks[key]?.(value);
    if (problem !== undefined) throw new SetupError(`${where}: the option "${key}" ${problem}.`);
  }
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && Number.isFinite(value);
}

function isRateLimit(value: unknown): boolean {
  const limit = value as { max?: unknown; perMs?: unknown } | null;
  return typeof limit === 'object' && limit !== null && isPositive(limit.max) && isPositive(limit.perMs);
}
