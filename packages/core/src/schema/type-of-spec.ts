/** What the options `type`, `enum` and `oneOf` (and class-transformer's `@Type`) say, as type nodes. */
import { SetupError } from '../errors.js';
import { readFields } from '../tool/tool-metadata.js';
import type { Class } from '../tool/tool.js';
import { rulesOf } from './class-validator-metadata.js';
import { enumValues } from './enum-values.js';
import { isTestable } from './pattern/pattern-test.js';
import { unicodePattern } from './pattern/unicode-pattern.js';
import { probe } from './probe.js';
import { isTypeForm, type TypeForm } from './type-forms.js';
import { ownValue } from './to-json.js';
import { leaf, type ClassDescription, type EnumNode, type LeafKind, type TaggedNode, type TypeNode } from './type-node.js';

export type Describe = (target: Class) => ClassDescription;

const leafTypes = new Map<unknown, LeafKind>([
  [String, 'string'], [Number, 'number'], [Boolean, 'boolean'], [BigInt, 'bigint'], [Date, 'date'], [URL, 'url'], [Object, 'free-object'],
]);

/** The node of a constructor, `[T]`, form or enum object; undefined for what is none of these. */
export function nodeOfSpec(spec: unknown, where: string, describe: Describe): TypeNode | undefined {
  const kind = leafTypes.get(spec);
  if (kind !== undefined) return leaf(kind);
  if (Array.isArray(spec)) {
    if (spec.length !== 1) throw new SetupError(`${where}: "type" returns an array of ${spec.length} types. Write [T] for an array of T, tuple(A, B) or union(A, B).`);
    return { kind: 'array', items: required(spec[0], where, describe), as: 'array', keywords: {} };
  }
  if (isTypeForm(spec)) return nodeOfForm(spec, where, describe);
  if (typeof spec === 'object' && spec !== null) return enumNode(spec, where);
  if (isDescribable(spec)) return { kind: 'object', description: describe(spec), keywords: {} };
  return undefined;
}

function nodeOfForm(form: TypeForm, where: string, describe: Describe): TypeNode {
  const node = (spec: unknown): TypeNode => required(spec, where, describe);
  switch (form.form) {
    case 'integer': return leaf('integer');
    case 'json': return leaf('json');
    case 'array': return { kind: 'array', items: node(form.of), as: 'array', keywords: {} };
    case 'tuple': return { kind: 'tuple', items: form.of.map(node), keywords: {} };
    case 'record': return { kind: 'record', values: node(form.of), as: 'object', ...keyPatternOf(form.keyPattern, where), keywords: {} };
    case 'nullable': return nullableOf(node(form.of));
    case 'union': return { kind: 'union', variants: form.of.map(node), keywords: {} };
    case 'literal': return { kind: 'enum', values: [...form.values], keywords: {} };
  }
}

function keyPatternOf(written: string | undefined, where: string): { keyPattern?: string } {
  if (written === undefined) return {};
  const keyPattern = unicodePattern(written);
  if (keyPattern !== undefined && isTestable(keyPattern)) return { keyPattern };
  throw new SetupError(`${where}: the key pattern ${written} cannot be run safely on a model's text. Write it without lookaround, back references and syntax that Unicode mode refuses.`);
}

function required(spec: unknown, where: string, describe: Describe): TypeNode {
  const node = nodeOfSpec(spec, where, describe);
  if (node === undefined) throw unknownSpec(spec, where);
  return node;
}

export function unknownSpec(spec: unknown, where: string): SetupError {
  const seen = typeof spec === 'function' ? `${spec.name}, which is not a class with @Param fields` : String(spec);
  return new SetupError(
    `${where}: the option "type" returned ${seen}. Return String, Number, Boolean, BigInt, Date, URL, Object (any JSON object), a class with @Param fields, [T], or a form such as record(T). `
    + '(undefined often means a circular import.)',
  );
}

export function nullableOf(node: TypeNode): TypeNode {
  return node.kind === 'nullable' ? node : { kind: 'nullable', of: node, keywords: {} };
}

/** @throws SetupError for members that are neither strings nor finite numbers. */
export function enumNode(source: object, where: string): EnumNode {
  const values = enumValues(source);
  const wrong = values.find((value) => typeof value !== 'string' && !(typeof value === 'number' && Number.isFinite(value)));
  if (values.length === 0 || wrong !== undefined) {
    throw new SetupError(`${where}: an enum needs strings or finite numbers as values, and has ${values.length === 0 ? 'none' : String(wrong)}.`);
  }
  return { kind: 'enum', values, keywords: {} };
}

/** A class of which a model can write an instance: one with marked or ruled fields, or an empty one of the author's own. */
export function isDescribable(value: unknown): value is Class {
  if (typeof value !== 'function' || typeof value.prototype !== 'object' || value === Function) return false;
  const target = value as unknown as Class;
  if (readFields(target).length > 0 || rulesOf(target).size > 0) return true;
  const text = Function.prototype.toString.call(value);
  return text.startsWith('class') && !text.includes('[native code]');
}

/**
 * A union of classes told apart by a property. Each class's tag is the initial value of that property, or the snake_case name
 * of the class where it has none.
 */
export function taggedNode(variants: readonly Class[], discriminator: string | undefined, where: string, describe: Describe): TaggedNode {
  if (!Array.isArray(variants) || variants.length === 0 || !variants.every(isDescribable)) {
    throw new SetupError(`${where}: "oneOf" must return classes with @Param fields, e.g. oneOf: () => [Circle, Square].`);
  }
  const samples = variants.map((variant) => ({ variant, initial: probe(variant) }));
  const property = discriminator ?? commonTag(samples.map((sample) => sample.initial));
  if (property === undefined) {
    throw new SetupError(`${where}: nothing tells ${variants.map((variant) => variant.name).join(' and ')} apart. Give "discriminator", or a field with a different initial text in each, e.g. kind = 'circle'.`);
  }
  const tagged = samples.map(({ variant, initial }) => ({
    tag: tagIn(initial, property) ?? snakeCase(variant.name),
    target: variant,
  }));
  return taggedNodeOf(property, tagged, where, describe);
}

export function taggedNodeOf(discriminator: string, variants: { tag: string; target: Class }[], where: string, describe: Describe): TaggedNode {
  const tags = variants.map((variant) => variant.tag);
  const twice = tags.find((tag, index) => tags.indexOf(tag) !== index);
  if (twice !== undefined) throw new SetupError(`${where}: two classes of the union have ${discriminator} "${twice}". Give each its own.`);
  return { kind: 'tagged', discriminator, variants: variants.map(({ tag, target }) => ({ tag, description: describe(target) })), keywords: {} };
}

function commonTag(samples: Record<string, unknown>[]): string | undefined {
  return Object.keys(samples[0] ?? {}).find((property) => {
    const tags = samples.map((sample) => tagIn(sample, property));
    return !tags.includes(undefined) && new Set(tags).size === samples.length;
  });
}

function tagIn(sample: Record<string, unknown>, property: string): string | undefined {
  const value = ownValue(sample, property);
  return typeof value === 'string' ? value : undefined;
}

/** `ReadFile` → `read_file`, `HTTPGet` → `http_get`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2').toLowerCase();
}
