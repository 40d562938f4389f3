/** Class → type description, once per class: its marked fields, their types, defaults, rules and transforms. */
import { SetupError } from '../errors.js';
import { designTypeOf, readFields } from '../tool/tool-metadata.js';
import type { Class, ParamOptions } from '../tool/tool.js';
import { applyRules } from './apply-rules.js';
import { transformsOf } from './class-transformer-metadata.js';
import { rulesOf, type RecordedRule } from './class-validator-metadata.js';
import { inferType } from './infer-type.js';
import type { Json } from './json.js';
import { probe } from './probe.js';
import { refuseUnknownDefault, refuseUnresolvable } from './resources.js';
import { ruleOf } from './rule.js';
import { jsonOf, ownValue } from './to-json.js';
import type { ClassDescription, FieldDescription, TypeNode } from './type-node.js';

const descriptions = new WeakMap<Class, ClassDescription>();

/**
 * @throws SetupError naming class, field and remedy, for a class that cannot be described. Nothing half-described is kept.
 */
export function describeClass(target: Class): ClassDescription {
  const known = descriptions.get(target);
  if (known !== undefined) return known;
  const open = new Map<Class, ClassDescription>();
  const description = describeInto(target, open, new Set());
  for (const [described, value] of open) descriptions.set(described, value);
  return description;
}

function describeInto(target: Class, open: Map<Class, ClassDescription>, path: Set<Class>): ClassDescription {
  const started = open.get(target) ?? descriptions.get(target);
  if (started !== undefined) {
    if (path.has(target)) started.recursive = true;
    return started;
  }
  const description: ClassDescription = { target, name: target.name, fields: [], injected: [], recursive: false };
  open.set(target, description);
  path.add(target);
  const samples = new Samples(target);
  const rules = rulesOf(target);
  const describe = (nested: Class): ClassDescription => describeInto(nested, open, path);
  for (const { property, options } of markedFields(target, description, rules)) {
    description.fields.push(describeField({ target, property, options, samples, recorded: rules.get(property) ?? noRules }, describe));
  }
  path.delete(target);
  refuseSharedNames(description);
  return description;
}

const noRules: readonly RecordedRule[] = [];

/** The fields for the model; those for the host go to `injected`. A class without marks is described by its class-validator decorators. */
function markedFields(target: Class, description: ClassDescription, rules: ReadonlyMap<string, unknown>): { property: string; options: ParamOptions }[] {
  const marks = readFields(target);
  if (marks.length === 0) return Array.from(rules.keys(), (property) => ({ property, options: {} }));
  const fields: { property: string; options: ParamOptions }[] = [];
  for (const { property, mark } of marks) {
    if (mark.from === 'model') fields.push({ property, options: mark.options });
    else description.injected.push({ property, name: mark.name });
  }
  return fields;
}

/** Two instances of a class, to see its initial values, and whether they are the same each time; the second is made only if something is to be compared. */
class Samples {
  readonly #first: Record<string, unknown>;
  #second: Record<string, unknown> | undefined;

  constructor(private readonly target: Class) {
    this.#first = probe(target);
  }

  initial(property: string): unknown {
    return ownValue(this.#first, property);
  }

  again(property: string): unknown {
    this.#second ??= probe(this.target);
    return ownValue(this.#second, property);
  }
}

interface FieldSource {
  target: Class;
  property: string;
  options: ParamOptions;
  samples: Samples;
  recorded: readonly RecordedRule[];
}

function describeField({ target, property, options, samples, recorded }: FieldSource, describe: (nested: Class) => ClassDescription): FieldDescription {
  const where = `${target.name}.${property}`;
  const checks = recorded.every(isCheck) ? recorded : recorded.filter(isCheck);
  const initial = options.default === undefined ? samples.initial(property) : options.default;
  const design = designTypeOf(target, property);
  const node = inferType({ where, options, owner: { target, property }, design, rules: checks, initial }, describe);
  const rules = applyRules(node, checks, where).flatMap((rule) => ruleOf(rule, target, node));
  refuseUnresolvable(node, options, where);
  const fallback = initial === undefined ? undefined : defaultOf(node, initial, options.default === undefined ? samples.again(property) : initial, where);
  if (initial !== undefined && fallback === undefined) refuseUnknownDefault(options, where);
  const field: FieldDescription = {
    property,
    name: options.name ?? property,
    node,
    optional: options.optional ?? (initial !== undefined || recorded.some(isConditional)),
    options,
    rules,
    conditions: recorded.some(isConditional) ? recorded.flatMap(conditionOf) : [],
    transforms: transformsOf(target, property),
  };
  if (fallback !== undefined) field.default = fallback;
  return field;
}

function isConditional({ type }: RecordedRule): boolean {
  return type === 'conditionalValidation';
}

function isCheck({ type }: RecordedRule): boolean {
  return type !== 'conditionalValidation' && type !== 'nestedValidation' && type !== 'whitelistValidation';
}

/** `@ValidateIf`. `@IsOptional` is recorded the same way, but says nothing beyond "not required". */
function conditionOf(rule: RecordedRule): ((owner: object, value: unknown) => boolean)[] {
  if (!isConditional(rule) || rule.name === 'isOptional') return [];
  return (rule.constraints ?? []).map((condition) => (owner, value) => Boolean((condition as (owner: object, value: unknown) => unknown)(owner, value)));
}

/** In JSON form; undefined where two instances differ (a date, a random id). */
function defaultOf(node: TypeNode, first: unknown, second: unknown, where: string): Json | undefined {
  if (isScalar(first)) return first === second ? jsonOf(node, first) : undefined;
  try {
    const [value, again] = [jsonOf(node, first), jsonOf(node, second)];
    const text = JSON.stringify(value);
    // A copy: the value may be an object that the author's module keeps.
    return text === JSON.stringify(again) ? (JSON.parse(text) as Json) : undefined;
  } catch (error) {
    throw new SetupError(`${where}: its default does not fit its type (${node.kind}). Correct the initialiser or the type.`, { cause: error });
  }
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null;
}

function refuseSharedNames(description: ClassDescription): void {
  const seen = new Map<string, string>();
  for (const { name, property } of description.fields) {
    const other = seen.get(name);
    if (other !== undefined) throw new SetupError(`${description.name}: the fields ${other} and ${property} are both called "${name}" for the model. Give one another name.`);
    seen.set(name, property);
  }
}
