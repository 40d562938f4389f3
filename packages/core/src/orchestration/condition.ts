/** What a router asks of earlier results. Conditions are data, so that they can stand in a script. */
import { isDeepStrictEqual } from 'node:util';
import { ToolFailure } from '../errors.js';
import { type TemplateScope, resolveTemplates } from './template.js';

/** All that are given must hold. Without `value` they speak of `$prev`. */
export interface Condition {
  /** A template or a constant. */
  value?: unknown;
  equals?: unknown;
  notEquals?: unknown;
  /** One of these. */
  in?: readonly unknown[];
  /** A part of a text, or an item of a list. */
  contains?: unknown;
  greaterThan?: number;
  lessThan?: number;
  /** Whether the template has a value at all. */
  exists?: boolean;
}

const tests: { [Key in keyof Omit<Condition, 'value' | 'exists'>]-?: (value: unknown, wanted: unknown) => boolean } = {
  equals: (value, wanted) => isDeepStrictEqual(value, wanted),
  notEquals: (value, wanted) => !isDeepStrictEqual(value, wanted),
  in: (value, wanted) => Array.isArray(wanted) && wanted.some((item) => isDeepStrictEqual(value, item)),
  contains: (value, wanted) => (typeof value === 'string' ? value.includes(String(wanted)) : Array.isArray(value) && value.some((item) => isDeepStrictEqual(item, wanted))),
  greaterThan: (value, wanted) => typeof value === 'number' && value > Number(wanted),
  lessThan: (value, wanted) => typeof value === 'number' && value < Number(wanted),
};

/** The names that a condition may have, for messages. */
export const conditionKeys: readonly string[] = ['value', 'exists', ...Object.keys(tests)];

/** @throws ToolFailure `template_error` when the value is missing and `exists` does not ask for that. */
export function holds(condition: Condition, scope: TemplateScope): boolean {
  const found = lookUp(condition.value ?? '$prev', scope, condition.exists !== undefined);
  if (condition.exists !== undefined && found.exists !== condition.exists) return false;
  return Object.entries(tests).every(([name, test]) => {
    const wanted = (condition as Record<string, unknown>)[name];
    return wanted === undefined || (found.exists && test(found.value, resolveTemplates(wanted, scope)));
  });
}

function lookUp(template: unknown, scope: TemplateScope, mayBeMissing: boolean): { exists: boolean; value?: unknown } {
  try {
    return { exists: true, value: resolveTemplates(template, scope) };
  } catch (error) {
    if (mayBeMissing && error instanceof ToolFailure && error.code === 'template_error') return { exists: false };
    throw error;
  }
}
