/**
 * Reads what class-validator's decorators recorded. They keep it on the global object, so core need not import the library: a
 * process in which no decorator of it was applied never pays for it.
 */
import type { Class } from '../tool/tool.js';
import { prototypeOf } from '../tool/tool-metadata.js';

/** One recorded decorator, in the part of class-validator's shape that is read here. */
export interface RecordedRule {
  /** `customValidation` for all but a few. */
  type: string;
  /** `isInt`, `minLength`, …; undefined for `@Validate(Class)`, `@ValidateIf` and `@ValidateNested`. */
  name?: string;
  propertyName: string;
  target: unknown;
  constraints?: unknown[];
  constraintCls?: unknown;
  each: boolean;
  message?: string | ((values: RuleArguments) => string);
  validateIf?: (object: unknown, value: unknown) => boolean;
}

/** What class-validator hands to a validator. */
export interface RuleArguments {
  targetName: string;
  property: string;
  object: object;
  value: unknown;
  constraints: unknown[];
}

export interface RuleImplementation {
  validate(value: unknown, values: RuleArguments): unknown;
  defaultMessage?(values: RuleArguments): string;
}

interface Storage {
  validationMetadatas: Map<unknown, RecordedRule[]>;
  getTargetValidatorConstraints(target: unknown): { name: string; instance: RuleImplementation }[];
}

/**
 * The rules of a class by property, in the order of the text, ancestors' first. A class that states a rule again replaces its ancestor's rule of
 * that name on that property; all other rules of the ancestor stay.
 */
export function rulesOf(target: Class): ReadonlyMap<string, RecordedRule[]> {
  const recorded = storage()?.validationMetadatas;
  let byProperty: ReadonlyMap<string, RecordedRule[]> | undefined;
  if (recorded !== undefined && recorded.size > 0) {
    for (const ancestor of lineage(target)) {
      const own = recorded.get(ancestor);
      if (own !== undefined) byProperty = byProperty === undefined ? ownRules(own) : merged(byProperty, ownRules(own));
    }
  }
  return byProperty ?? none;
}

const none: ReadonlyMap<string, RecordedRule[]> = new Map();

function ownRules(recorded: readonly RecordedRule[]): Map<string, RecordedRule[]> {
  const own = new Map<string, RecordedRule[]>();
  // Decorators record from the bottom up; the order of the text is the other way round.
  recorded.forEach((rule) => {
    const rules = own.get(rule.propertyName);
    if (rules === undefined) own.set(rule.propertyName, [rule]);
    else rules.unshift(rule);
  });
  return own;
}

function merged(inherited: ReadonlyMap<string, RecordedRule[]>, own: ReadonlyMap<string, RecordedRule[]>): Map<string, RecordedRule[]> {
  const all = new Map(inherited);
  for (const [property, rules] of own) all.set(property, restated(inherited.get(property) ?? [], rules));
  return all;
}

function restated(inherited: readonly RecordedRule[], own: readonly RecordedRule[]): RecordedRule[] {
  const names = new Set(own.map(nameKey));
  return [...inherited.filter((rule) => !names.has(nameKey(rule))), ...own];
}

/** The code behind a rule and the name it goes by; undefined when the library lost it. */
export function implementationOf(rule: RecordedRule): { name: string; instance: RuleImplementation } | undefined {
  return storage()?.getTargetValidatorConstraints(rule.constraintCls)[0];
}

function nameKey(rule: RecordedRule): string {
  return `${rule.each ? 'each ' : ''}${rule.name ?? rule.type}${rule.name === undefined ? className(rule.constraintCls) : ''}`;
}

function className(value: unknown): string {
  return typeof value === 'function' ? ` ${value.name}` : '';
}

function storage(): Storage | undefined {
  return (globalThis as { classValidatorMetadataStorage?: Storage }).classValidatorMetadataStorage;
}

function lineage(target: Class): unknown[] {
  const classes: unknown[] = [];
  for (let holder: object | null = prototypeOf(target); holder !== null && holder !== Object.prototype; holder = Object.getPrototypeOf(holder) as object | null) {
    classes.unshift(holder.constructor);
  }
  return classes;
}
