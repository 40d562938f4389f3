// Checks a configuration value by value. A wrong key is reported with the nearest right one; everything wrong is reported at once.
import { didYouMean } from '../text/did-you-mean.js';
import { type Check, configShape } from './config-shape.js';

export interface ConfigProblem {
  /** Dotted, e.g. `permissions.alow`; empty for the whole. */
  key: string;
  message: string;
}

/** What is wrong with `value` as a configuration; empty when nothing is. */
export function checkConfig(value: unknown): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  visit(value, configShape, '', problems);
  return problems;
}

function visit(value: unknown, check: Check, key: string, problems: ConfigProblem[]): void {
  const refuse = (message: string): void => void problems.push({ key, message });
  switch (check.kind) {
    case 'object':
      return isPlainObject(value) ? visitKeys(value, check.keys, key, problems) : refuse(`must be an object, not ${describe(value)}`);
    case 'record':
      if (!isPlainObject(value)) return refuse(`must be an object, not ${describe(value)}`);
      return Object.entries(value).forEach(([name, item]) => visit(item, check.items, `${key}.${name}`, problems));
    case 'array':
      if (!Array.isArray(value)) return refuse(`must be an array, not ${describe(value)}`);
      return value.forEach((item, index) => visit(item, check.items, `${key}[${index}]`, problems));
    case 'choice':
      if (typeof value === 'string' && check.values.includes(value)) return;
      return refuse(`must be one of ${check.values.join(', ')}, not ${describe(value)}.${typeof value === 'string' ? didYouMean(value, check.values) : ''}`);
    case 'value': {
      const problem = check.refuse(value);
      if (problem !== undefined) refuse(`${problem}, not ${describe(value)}`);
    }
  }
}

function visitKeys(value: object, keys: Readonly<Record<string, Check>>, parent: string, problems: ConfigProblem[]): void {
  for (const [name, item] of Object.entries(value)) {
    const key = parent === '' ? name : `${parent}.${name}`;
    const check = Object.hasOwn(keys, name) ? keys[name] : undefined;
    if (check === undefined) {
      problems.push({ key, message: `is not a setting.${didYouMean(name, Object.keys(keys)) || ` Settings here: ${Object.keys(keys).join(', ')}`}` });
    } else if (item !== undefined) {
      visit(item, check, key, problems);
    }
  }
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A short form of a received value for a message. */
export function describe(value: unknown): string {
  if (value === undefined) return 'undefined';
  if (typeof value === 'function') return `a function${value.name ? ` (${value.name})` : ''}`;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return JSON.stringify(value).slice(0, 80);
  if (Array.isArray(value)) return 'an array';
  return value === null ? 'null' : 'an object';
}
