/** JSON values for a JSON Schema: some that fit it, some that were broken on purpose. For property tests. */
import fc from 'fast-check';
import type { Json, JsonObject, JsonSchema } from '../json.js';

/** Values that the schema is meant to take (`not` and `contains` are left to chance). */
export function fittingValues(schema: JsonSchema, root: JsonSchema = schema, depth = 0): fc.Arbitrary<Json> {
  if (schema.$ref !== undefined) return fittingValues(root.$defs?.[schema.$ref.slice('#/$defs/'.length)] ?? {}, root, depth + 1);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return fc.oneof(...variants.map((variant) => fittingValues(variant, root, depth)));
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return junk;
  return fc.oneof(...types.map((type) => ofType({ ...schema, type }, root, depth)));
}

/** Values of the schema, of which about half had one part replaced, removed, added, or written as the text of itself. */
export function mixedValues(schema: JsonSchema): fc.Arbitrary<Json> {
  const fitting = fittingValues(schema);
  return fc.oneof(fitting, fc.tuple(fitting, fc.nat(), fc.oneof(junk, nearMisses), fc.constantFrom('replace', 'remove', 'add', 'restate', 'restate', 'nullify')).map(([value, at, part, how]) => broken(value, at, part, how)));
}

/** Without texts that read as numbers, booleans or JSON. */
const junk: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, -1, 1.5, 1e21, '', 'x', '名', '😀', [], {}, [1, 'a'], { a: 1 }),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value), withoutDangerousKeys) as Json),
);

/** The parser refuses these keys everywhere, which no schema says. */
function withoutDangerousKeys(key: string, value: unknown): unknown {
  return ['__proto__', 'constructor', 'prototype'].includes(key) ? undefined : value;
}

/** Texts that a careless reader would take for something else. */
const nearMisses: fc.Arbitrary<Json> = fc.constantFrom<Json>('20', '020', ' 1', '1e3', '0x10', 'true', 'TRUE', 'null', '[]', '[1]', '{}', '{"a":1}', '2026-01-31', '2026-13-31T00:00:00Z', 'https://', 'a@b', '-0');

function ofType(schema: JsonSchema, root: JsonSchema, depth: number): fc.Arbitrary<Json> {
  switch (schema.type) {
    case 'string': return textFor(schema);
    case 'integer': return fc.integer({ min: Math.ceil(schema.minimum ?? -1_000), max: Math.max(Math.ceil(schema.minimum ?? -1_000), Math.floor(schema.maximum ?? 1_000)) }).map((value) => value * (schema.multipleOf ?? 1));
    case 'number': return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true }).map((value) => value + 0);
    case 'boolean': return fc.boolean();
    case 'array': return arrayFor(schema, root, depth);
    case 'object': return objectFor(schema, root, depth);
    default: return fc.constant(null);
  }
}

function textFor({ format, pattern, minLength = 0, maxLength = minLength + 8 }: JsonSchema): fc.Arbitrary<Json> {
  switch (format) {
    case 'date-time': return fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map((date) => date.toISOString());
    case 'uri': return fc.webUrl().map((text) => new URL(text).href);
    case 'email': return fc.emailAddress();
    case 'uuid': return fc.uuid();
    case 'ipv4': return fc.ipV4();
    case 'hostname': return fc.domain();
    default: return pattern === undefined ? fc.string({ minLength, maxLength: Math.max(minLength, maxLength), unit: 'grapheme' }) : fc.stringMatching(new RegExp(pattern, 'u'));
  }
}

function arrayFor(schema: JsonSchema, root: JsonSchema, depth: number): fc.Arbitrary<Json> {
  if (schema.prefixItems !== undefined) return fc.tuple(...schema.prefixItems.map((item) => fittingValues(item, root, depth + 1)));
  const minLength = schema.minItems ?? 0;
  const maxLength = depth > 3 ? minLength : Math.max(minLength, schema.maxItems ?? minLength + 3);
  const item = fittingValues(schema.items ?? {}, root, depth + 1);
  // Of booleans there are never three different ones, so no least number is asked for.
  return schema.uniqueItems === true ? fc.uniqueArray(item, { maxLength, selector: (value) => JSON.stringify(value) }) : fc.array(item, { minLength, maxLength });
}

function objectFor(schema: JsonSchema, root: JsonSchema, depth: number): fc.Arbitrary<Json> {
  if (schema.properties === undefined) {
    const key = schema.propertyNames?.pattern === undefined ? fc.string({ maxLength: 5 }) : fc.stringMatching(new RegExp(schema.propertyNames.pattern, 'u'));
    const value = typeof schema.additionalProperties === 'object' ? fittingValues(schema.additionalProperties, root, depth + 1) : junk;
    return fc.dictionary(key, value, { maxKeys: 3, minKeys: schema.minProperties ?? 0, noNullPrototype: true });
  }
  const required = schema.required ?? [];
  // At the depth limit only what must be there, so that a class inside itself ends.
  const names = Object.keys(schema.properties).filter((name) => depth <= 3 || required.includes(name));
  const model = Object.fromEntries(names.map((name) => [name, fittingValues(schema.properties?.[name] ?? {}, root, depth + 1)]));
  return fc.record(model, { requiredKeys: names.filter((name) => required.includes(name)), noNullPrototype: true });
}

function broken(value: Json, at: number, part: Json, how: string): Json {
  if (Array.isArray(value) && value.length > 0 && at % 3 > 0) return value.map((item, index) => (index === at % value.length ? broken(item, Math.floor(at / 3), part, how) : item));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return how === 'restate' ? JSON.stringify(value) : how === 'nullify' ? null : part;
  const keys = Object.keys(value);
  const key = keys[at % Math.max(1, keys.length)];
  if (how === 'add' || key === undefined) return { ...value, [`extra${at % 3}`]: part };
  const { [key]: old = null, ...rest } = value as JsonObject;
  if (how === 'remove') return rest;
  if (how === 'restate' && at % 2 === 0) return { ...value, [key]: JSON.stringify(old) };
  if (how === 'nullify' && at % 2 === 0) return { ...value, [key]: null };
  return { ...value, [key]: at % 2 === 0 ? part : broken(old, Math.floor(at / 2), part, how) };
}
