/** Type description → canonical JSON Schema 2020-12. Every object is closed; a class that contains itself is shown by `$ref`. */
import { deepFreeze } from './deep-freeze.js';
import type { Json, JsonSchema, JsonSchemaType } from './json.js';
import type { ClassDescription, EnumNode, FieldDescription, Keywords, LeafKind, TypeNode } from './type-node.js';

export const bigintPattern = '^(0|-?[1-9][0-9]*)$';

/** Definitions of recursive classes, by name, as they are met. */
interface Definitions {
  names: Map<ClassDescription, string>;
  schemas: Record<string, JsonSchema>;
}

/** The schema of a tool's arguments, frozen. Its root is always a plain object, as every provider demands. */
export function jsonSchemaOf(description: ClassDescription): JsonSchema {
  const definitions: Definitions = { names: new Map(), schemas: {} };
  const root = objectSchema(description, definitions);
  const schema = Object.keys(definitions.schemas).length === 0 ? root : { ...root, $defs: definitions.schemas };
  return deepFreeze(schema);
}

function objectSchema(description: ClassDescription, definitions: Definitions, tag?: { property: string; value: string }): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  if (tag !== undefined) {
    properties[tag.property] = { type: 'string', const: tag.value };
    required.push(tag.property);
  }
  for (const field of description.fields) {
    if (field.name === tag?.property) continue;
    properties[field.name] = fieldSchema(field, definitions);
    if (!field.optional) required.push(field.name);
  }
  return required.length > 0 ? { type: 'object', properties, required, additionalProperties: false } : { type: 'object', properties, additionalProperties: false };
}

function fieldSchema(field: FieldDescription, definitions: Definitions): JsonSchema {
  const schema = nodeSchema(field.node, definitions);
  const description = fieldText(field);
  if (description !== '') schema.description = description;
  if (field.default !== undefined) schema.default = field.default;
  if (field.options.examples !== undefined) schema.examples = structuredClone(field.options.examples) as Json[];
  if (field.options.deprecated === true) schema.deprecated = true;
  return schema;
}

/** What the author says, and what the rules say that the schema cannot. */
function fieldText({ options, rules }: FieldDescription): string {
  const said = options.description ?? '';
  const hints = rules.length === 0 ? [] : rules.flatMap((rule) => rule.hint ?? []);
  if (hints.length === 0) return said;
  return [said === '' || /[.!?]$/.test(said) ? said : `${said}.`, ...hints].join(' ').trim();
}

/** A fresh object each time. */
function nodeSchema(node: TypeNode, definitions: Definitions): JsonSchema {
  switch (node.kind) {
    case 'enum': return addKeywords(enumSchema(node), node.keywords);
    case 'array': return addKeywords({ type: 'array', items: nodeSchema(node.items, definitions) }, node.keywords);
    case 'tuple': return { type: 'array', prefixItems: node.items.map((item) => nodeSchema(item, definitions)), minItems: node.items.length, maxItems: node.items.length };
    case 'record': return addKeywords({
      type: 'object',
      ...(node.keyPattern !== undefined && { propertyNames: { pattern: node.keyPattern } }),
      additionalProperties: nodeSchema(node.values, definitions),
    }, node.keywords);
    case 'object': return classSchema(node.description, definitions);
    case 'tagged': return { oneOf: node.variants.map(({ tag, description }) => objectSchema(description, definitions, { property: node.discriminator, value: tag })) };
    case 'union': return { anyOf: node.variants.map((variant) => nodeSchema(variant, definitions)) };
    case 'nullable': return nullableSchema(nodeSchema(node.of, definitions));
    default: return addKeywords(leafSchema(node.kind), node.keywords);
  }
}

function leafSchema(kind: LeafKind): JsonSchema {
  switch (kind) {
    case 'bigint': return { type: 'string', pattern: bigintPattern };
    case 'date': return { type: 'string', format: 'date-time' };
    case 'url': return { type: 'string', format: 'uri' };
    case 'json': return {};
    case 'free-object': return { type: 'object', additionalProperties: true };
    default: return { type: kind };
  }
}

function classSchema(description: ClassDescription, definitions: Definitions): JsonSchema {
  if (!description.recursive) return objectSchema(description, definitions);
  let name = definitions.names.get(description);
  if (name === undefined) {
    name = freeName(description.name, definitions.schemas);
    definitions.names.set(description, name);
    // The place is taken first: the class's own fields refer to it.
    definitions.schemas[name] = {};
    definitions.schemas[name] = objectSchema(description, definitions);
  }
  return { $ref: `#/$defs/${name}` };
}

function freeName(name: string, taken: Record<string, JsonSchema>): string {
  let free = name;
  for (let count = 2; Object.hasOwn(taken, free); count += 1) free = `${name}${count}`;
  return free;
}

function enumSchema(node: EnumNode): JsonSchema {
  if (node.values.every((value) => typeof value === 'string')) return { type: 'string', enum: [...node.values] };
  const types = [...new Set(node.values.map(jsonTypeOf))];
  const merged = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  return { type: merged.length === 1 && merged[0] !== undefined ? merged[0] : merged, enum: [...node.values] };
}

function jsonTypeOf(value: string | number | boolean | null): JsonSchemaType {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'string' | 'boolean';
}

function nullableSchema(schema: JsonSchema): JsonSchema {
  if (schema.type === undefined) return { anyOf: [...(schema.anyOf ?? [schema]), { type: 'null' }] };
  const types = [schema.type].flat();
  return { ...schema, type: types.includes('null') ? types : [...types, 'null'], ...(schema.enum && { enum: [...schema.enum, null] }) };
}

const plain: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems', 'uniqueItems', 'minProperties']);

/** Keywords that JSON Schema allows once go to the top, further ones under `allOf`. */
function addKeywords(schema: JsonSchema, keywords: Keywords): JsonSchema {
  let isPlain = true;
  for (const name in keywords) {
    if (plain.has(name)) (schema as Record<string, unknown>)[name] = keywords[name as keyof Keywords];
    else isPlain = false;
  }
  return isPlain ? schema : addParts(schema, keywords);
}

function addParts(schema: JsonSchema, keywords: Keywords): JsonSchema {
  const parts: JsonSchema[] = [
    ...(keywords.patterns ?? []).map((pattern) => ({ pattern })),
    ...(keywords.formats ?? []).map((format) => ({ format })),
    ...(keywords.multiples ?? []).map((multipleOf) => ({ multipleOf })),
    ...(keywords.contains ?? []).map((value) => ({ contains: { const: value } })),
    ...(keywords.notPatterns ?? []).map((pattern) => ({ not: { pattern } })),
    ...(keywords.noneOf ? [{ not: { enum: keywords.noneOf } }] : []),
    ...(keywords.notContains ? [{ not: { contains: { enum: keywords.notContains } } }] : []),
  ];
  const further: JsonSchema[] = [];
  for (const part of parts) {
    if (Object.keys(part).some((key) => Object.hasOwn(schema, key))) further.push(part);
    else Object.assign(schema, part);
  }
  return further.length === 0 ? schema : { ...schema, allOf: further };
}
