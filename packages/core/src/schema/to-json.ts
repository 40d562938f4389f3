/** Built value → JSON form: what plans, approvals and hashes hold. The parser takes it back unchanged. */
import type { Json, JsonObject } from './json.js';
import type { ClassDescription, FieldDescription, TaggedNode, TypeNode } from './type-node.js';

/** What came in for fields with `@Transform`, by the object that was built: their JSON form is what the transform takes. */
const rawInputs = new WeakMap<object, Map<string, Json>>();

export function keepRawInput(owner: object, property: string, raw: Json): void {
  const kept = rawInputs.get(owner) ?? new Map<string, Json>();
  rawInputs.set(owner, kept.set(property, raw));
}

/** @throws TypeError for a value that is not of the node's type (only defaults can be). */
export function jsonOf(node: TypeNode, value: unknown): Json {
  switch (node.kind) {
    case 'string': case 'number': case 'integer': case 'boolean': case 'null': case 'enum': return value as Json;
    case 'bigint': return (value as bigint).toString();
    case 'date': return (value as Date).toISOString();
    case 'url': return (value as URL).href;
    case 'json': case 'free-object': return value as Json;
    case 'nullable': return value === null ? null : jsonOf(node.of, value);
    case 'array': return Array.from(value as Iterable<unknown>, (item) => jsonOf(node.items, item));
    case 'tuple': return node.items.map((item, index) => jsonOf(item, (value as unknown[])[index]));
    case 'record': return Object.fromEntries(entriesOf(value).map(([key, item]) => [key, jsonOf(node.values, item)]));
    case 'object': return objectJson(node.description, value as Record<string, unknown>);
    case 'tagged': return taggedJson(node, value as Record<string, unknown>);
    case 'union': return jsonOf(variantOf(node.variants, value), value);
  }
}

/** By the names that the model uses; absent fields stay absent. */
export function objectJson(description: ClassDescription, value: Record<string, unknown>): JsonObject {
  description.isFlat ??= isFlat(description);
  if (description.isFlat && isFull(description.fields, value)) return { ...value } as JsonObject;
  const result: JsonObject = {};
  const raw = description.fields.some(({ transforms }) => transforms.length > 0) ? rawInputs.get(value) : undefined;
  for (const field of description.fields) {
    const json = fieldJson(field, ownValue(value, field.property), raw);
    if (json !== undefined) result[field.name] = json;
  }
  return result;
}

/** Whether each built value is its own JSON form, under the same name. */
function isFlat({ fields }: ClassDescription): boolean {
  return fields.every(({ node, name, property, transforms }) => name === property && transforms.length === 0 && ['string', 'number', 'integer', 'boolean', 'enum'].includes(node.kind));
}

/** Whether the value has every field, and nothing else. */
function isFull(fields: readonly FieldDescription[], value: Record<string, unknown>): boolean {
  let keys = 0;
  for (const _ in value) keys += 1;
  if (keys !== fields.length) return false;
  for (let index = 0; index < fields.length; index += 1) if (value[fields[index]?.property ?? ''] === undefined) return false;
  return true;
}

/** Undefined for what is only inherited: a field may be called `toString`. */
export function ownValue(object: object, property: string): unknown {
  return Object.hasOwn(object, property) ? (object as Record<string, unknown>)[property] : undefined;
}

function fieldJson(field: FieldDescription, value: unknown, raw: Map<string, Json> | undefined): Json | undefined {
  if (raw?.has(field.property) === true) return raw.get(field.property);
  return value === undefined ? undefined : jsonOf(field.node, value);
}

function taggedJson(node: TaggedNode, value: Record<string, unknown>): Json {
  const variant = node.variants.find(({ description }) => value instanceof description.target) ?? node.variants.find(({ tag }) => value[node.discriminator] === tag);
  if (variant === undefined) throw new TypeError(`not one of ${node.variants.map(({ tag }) => tag).join(', ')}`);
  return { [node.discriminator]: variant.tag, ...objectJson(variant.description, value) };
}

function entriesOf(value: unknown): [string, unknown][] {
  return value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value as object);
}

/** The first variant of a union that a built value is of. */
function variantOf(variants: readonly TypeNode[], value: unknown): TypeNode {
  const variant = variants.find((candidate) => isBuilt(candidate, value));
  if (variant === undefined) throw new TypeError('not of any type of the union');
  return variant;
}

/** Whether a value already is what the parser would build for the node, as far as its outside shows. */
export function isBuilt(node: TypeNode, value: unknown): boolean {
  switch (node.kind) {
    case 'string': return typeof value === 'string';
    case 'number': return typeof value === 'number';
    case 'integer': return Number.isInteger(value);
    case 'boolean': return typeof value === 'boolean';
    case 'bigint': return typeof value === 'bigint';
    case 'date': return value instanceof Date && !Number.isNaN(value.getTime());
    case 'url': return value instanceof URL;
    case 'null': return value === null;
    case 'json': return true;
    case 'enum': return node.values.includes(value as string);
    case 'nullable': return value === null || isBuilt(node.of, value);
    case 'array': return node.as === 'set' ? value instanceof Set : Array.isArray(value) && value.every((item) => isBuilt(node.items, item));
    case 'tuple': return Array.isArray(value) && value.length === node.items.length;
    case 'record': return node.as === 'map' ? value instanceof Map : isObject(value);
    case 'free-object': return isObject(value);
    case 'object': return value instanceof node.description.target;
    case 'tagged': return node.variants.some(({ description }) => value instanceof description.target);
    case 'union': return node.variants.some((variant) => isBuilt(variant, value));
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
