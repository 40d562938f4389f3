/** Closures for classes: known fields checked and built, defaults filled, unknown and dangerous keys refused. */
import { nearName } from '../tool/near-name.js';
import { FAILED, fail, under, type Check, type RawIssue, didYouMean } from './issue.js';
import type { Json } from './json.js';
import { isDangerousKey, mostDepth, objectIn, refuseDangerousKey } from './parse-json.js';
import { isSensitive } from './resources.js';
import { safeName } from './safe-name.js';
import { isBuilt, keepRawInput } from './to-json.js';
import type { ClassDescription, FieldDescription, TaggedNode, TypeNode } from './type-node.js';

export type Compile = (node: TypeNode) => Check;
type Built = Record<string, unknown>;

/** All have the same members in the same order, which keeps the reading of them fast. */
interface CompiledField {
  /** Nothing but its name stands between the source and the check. */
  isPlain: boolean;
  name: string;
  /** By which a provider with a smaller alphabet was shown the field; absent where it is the name. */
  alias: string | undefined;
  property: string;
  /** The name is one that every object inherits, so only an own key counts. */
  ownOnly: boolean;
  /** `null` stands for "not given". */
  nullIsAbsent: boolean;
  optional: boolean;
  check: Check;
  makeDefault: (() => unknown) | undefined;
  hidden: boolean;
  transforms: FieldDescription['transforms'];
  node: TypeNode;
}

/** Checks an object against a class; `make` gives the object that is filled. */
export function objectCheck(description: ClassDescription, make: () => Built, compile: Compile, tag?: { property: string; value: string }): Check {
  const fields = description.fields.filter((field) => field.name !== tag?.property).map((field) => compileField(field, compile));
  const names = new Set([...fields.map((field) => field.name), ...(tag ? [tag.property] : [])]);
  const aliases = new Map(fields.flatMap((field) => (field.alias === undefined ? [] : [[field.alias, field.name]])));
  return (value, issues, depth) => {
    const source = objectIn(value);
    if (source === undefined) return fail(issues, 'type', 'must be an object', value);
    if (depth > mostDepth) return fail(issues, 'depth', `must not be nested deeper than ${mostDepth}`, {});
    const before = issues.length;
    const built = make();
    let present = tag === undefined ? 0 : 1;
    for (let index = 0; index < fields.length; index += 1) if (readField(fields[index] as CompiledField, source, built, issues, depth)) present += 1;
    let keys = 0;
    for (const _ in source) keys += 1;
    if (keys !== present) refuseUnknown(source, names, aliases, issues);
    if (tag !== undefined) Reflect.set(built, tag.property, tag.value);
    return issues.length === before ? built : FAILED;
  };
}

/** A plain object that grows field by field: for the many shapes of many tools that costs less than to copy one that has them all. */
export function makeRecord(): Built {
  return {};
}

/** An instance of the class; one whose constructor wants parameters is made without running it. */
export function instanceMaker({ target }: ClassDescription): () => Built {
  const constructor = target as unknown as new () => Built;
  return target.length === 0 ? () => new constructor() : () => Object.create(target.prototype as object) as Built;
}

export function taggedCheck({ discriminator, variants }: TaggedNode, compile: Compile): Check {
  const checks = new Map(variants.map(({ tag, description }) => [tag, objectCheck(description, instanceMaker(description), compile, { property: discriminator, value: tag })]));
  const text = `must be one of ${variants.map(({ tag }) => JSON.stringify(tag)).join(', ')}`;
  return (value, issues, depth) => {
    const source = objectIn(value);
    if (source === undefined) return fail(issues, 'type', 'must be an object', value);
    const tag = Object.hasOwn(source, discriminator) ? source[discriminator] : undefined;
    const check = typeof tag === 'string' ? checks.get(tag) : undefined;
    if (check !== undefined) return check(source, issues, depth);
    issues.push({ keys: [discriminator], rule: 'discriminator', text: `${text}${didYouMean(tag, [...checks.keys()])}`, received: { value: tag } });
    return FAILED;
  };
}

/** Whether the key was there with a value. */
function readField(field: CompiledField, source: Record<string, unknown>, built: Built, issues: RawIssue[], depth: number): boolean {
  const given = field.isPlain ? source[field.name] : givenFor(field, source);
  if (given === undefined || (given === null && field.nullIsAbsent)) {
    if (field.makeDefault !== undefined) built[field.property] = field.makeDefault();
    else if (!field.optional) issues.push({ keys: [field.name], rule: 'required', text: 'is required' });
    return given === null;
  }
  const before = issues.length;
  const value = field.isPlain || field.transforms.length === 0 ? field.check(given, issues, depth + 1) : transformed(field, given, { source, built }, issues, depth + 1);
  if (value !== FAILED) built[field.property] = value;
  else explain(field, issues, before);
  return true;
}

function givenFor(field: CompiledField, source: Record<string, unknown>): unknown {
  if (field.alias !== undefined && !Object.hasOwn(source, field.name)) return source[field.alias];
  return field.ownOnly && !Object.hasOwn(source, field.name) ? undefined : source[field.name];
}

function explain(field: CompiledField, issues: RawIssue[], from: number): void {
  under(field.name, issues, from);
  if (!field.hidden) return;
  for (const issue of issues.slice(from)) issue.hidden = true;
}

function refuseUnknown(source: Record<string, unknown>, names: ReadonlySet<string>, aliases: ReadonlyMap<string, string>, issues: RawIssue[]): void {
  for (const key of Object.keys(source)) {
    const named = aliases.get(key);
    // A field given under both its names is one too many.
    if (names.has(key) || (named !== undefined && !Object.hasOwn(source, named))) continue;
    if (isDangerousKey(key)) {
      refuseDangerousKey(key, issues);
      continue;
    }
    const near = nearName(key, names);
    const known = names.size === 0 ? 'there are none' : `known: ${[...names].join(', ')}`;
    issues.push({ keys: [key.slice(0, 60)], rule: 'unknown', text: `is not a parameter (${near === undefined ? known : `did you mean "${near}"?`})`, received: { value: source[key] } });
  }
}

function compileField(field: FieldDescription, compile: Compile): CompiledField {
  const check = compile(field.node);
  const isNullable = acceptsNull(field.node);
  const alias = safeName(field.name);
  return {
    isPlain: alias === field.name && !(field.name in Object.prototype) && field.transforms.length === 0,
    name: field.name,
    alias: alias === field.name ? undefined : alias,
    property: field.property,
    ownOnly: field.name in Object.prototype,
    nullIsAbsent: field.optional && !isNullable,
    optional: field.optional,
    check,
    makeDefault: field.default === undefined ? undefined : defaultMaker(field.default, check),
    hidden: isSensitive(field),
    transforms: field.transforms,
    node: field.node,
  };
}

/** `@Transform` sees what came in; what it returns is checked, unless it is already what the field holds (a Date, a Map, an instance). */
function transformed(field: CompiledField, given: unknown, { source, built }: { source: object; built: Built }, issues: RawIssue[], depth: number): unknown {
  let value = given;
  try {
    for (const transform of field.transforms) value = transform(value, source);
  } catch (error) {
    return fail(issues, 'transform', `cannot be read (${error instanceof Error ? error.message : String(error)})`, given);
  }
  keepRawInput(built, field.property, given as Json);
  if (value === undefined && field.optional) return field.makeDefault?.();
  return typeof value === 'object' && value !== null && isBuilt(field.node, value) && !isPlainData(field.node) ? value : field.check(value, issues, depth);
}

function isPlainData(node: TypeNode): boolean {
  if (node.kind === 'array') return node.as === 'array' && isPlainData(node.items);
  if (node.kind === 'nullable') return isPlainData(node.of);
  return !['date', 'url', 'bigint', 'object', 'tagged'].includes(node.kind) && !(node.kind === 'record' && node.as === 'map');
}

function acceptsNull(node: TypeNode): boolean {
  return node.kind === 'nullable' || node.kind === 'null' || node.kind === 'json' || (node.kind === 'union' && node.variants.some(acceptsNull));
}

/** A fresh value for each call, so that no tool can change the next call's default. */
function defaultMaker(json: Json, check: Check): () => unknown {
  if (typeof json !== 'object') {
    const value = check(json, [], 0);
    if (typeof value !== 'object') return () => value;
  }
  return () => check(json, [], 0);
}
