/**
 * OpenAI's strict mode (structured outputs): every object closed, every key required, an optional field nullable (the parser reads null as absent), and what
 * its subset of JSON Schema lacks moved into the description. A schema that cannot be said so is sent with `strict: false`, and the reason is kept.
 */
import type { ToolDefinition } from '../../tool/tool.js';
import type { JsonSchema } from '../json.js';
import { descriptionOf, noteOf, oncePerDefinition, withNotes } from './dialect.js';
import type { OpenAITool } from './openai.js';

/** Limits and keywords as OpenAI documents them for structured outputs. */
const mostProperties = 5_000;
const mostDepth = 10;
const mostEnumValues = 1_000;
const formats: readonly string[] = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];
const kept: readonly (keyof JsonSchema)[] = ['type', 'enum', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems'];
const worded: readonly (keyof JsonSchema)[] = ['minLength', 'maxLength', 'uniqueItems', 'minProperties', 'contains', 'not', 'allOf', 'propertyNames', 'default', 'examples', 'deprecated'];

interface Walk {
  reasons: string[];
  properties: number;
  enumValues: number;
}

export const toOpenAIStrict = oncePerDefinition<OpenAITool>((definition) => {
  const { schema } = strictOf(definition);
  const named = { name: definition.name, description: descriptionOf(definition) };
  if (schema === undefined) return { type: 'function', function: { ...named, parameters: definition.parameters, strict: false } };
  return { type: 'function', function: { ...named, parameters: schema, strict: true } };
});

/** Why a tool cannot be strict, one sentence per field; empty when it can. For `haft doctor`. */
export function strictnessReasons(definition: ToolDefinition): readonly string[] {
  return strictOf(definition).reasons;
}

const strictOf = oncePerDefinition<{ schema?: JsonSchema; reasons: string[] }>((definition) => {
  const walk: Walk = { reasons: [], properties: 0, enumValues: 0 };
  if (definition.strict === false) walk.reasons.push('The tool says strict: false.');
  const { $defs, ...root } = definition.parameters;
  const schema: JsonSchema = {
    ...strict(root, '', 1, walk),
    ...($defs && { $defs: Object.fromEntries(Object.entries($defs).map(([name, part]) => [name, strict(part, name, 2, walk)])) }),
  };
  if (walk.properties > mostProperties) walk.reasons.push(`It has ${walk.properties} fields; strict mode takes ${mostProperties}.`);
  if (walk.enumValues > mostEnumValues) walk.reasons.push(`Its enums have ${walk.enumValues} values; strict mode takes ${mostEnumValues}.`);
  return walk.reasons.length > 0 ? { reasons: walk.reasons } : { schema, reasons: [] };
});

function strict(schema: JsonSchema, path: string, depth: number, walk: Walk): JsonSchema {
  if (depth > mostDepth) walk.reasons.push(`${path} is nested deeper than ${mostDepth} levels.`);
  const description = withNotes(schema.description, notes(schema));
  const described = description === undefined ? {} : { description };
  // `$ref` may have no neighbours.
  if (schema.$ref !== undefined) return description === undefined ? { $ref: schema.$ref } : { anyOf: [{ $ref: schema.$ref }], ...described };
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return { anyOf: variants.map((variant, index) => strict(variant, `${path}|${index}`, depth, walk)), ...described };
  if (schema.const !== undefined) return { type: typeof schema.const as 'string', enum: [schema.const], ...described };
  return { ...strictTyped(schema, path, depth, walk), ...described };
}

function strictTyped(schema: JsonSchema, path: string, depth: number, walk: Walk): JsonSchema {
  walk.enumValues += schema.enum?.length ?? 0;
  const types = [schema.type ?? []].flat();
  if (types.length === 0) walk.reasons.push(`${path} takes any JSON value, which strict mode cannot say.`);
  const result: JsonSchema = {};
  for (const key of kept) if (schema[key] !== undefined) Object.assign(result, { [key]: schema[key] });
  if (schema.format !== undefined && formats.includes(schema.format)) result.format = schema.format;
  if (types.includes('object')) Object.assign(result, strictObject(schema, path, depth, walk));
  if (types.includes('array')) Object.assign(result, strictArray(schema, path, depth, walk));
  return result;
}

function strictObject(schema: JsonSchema, path: string, depth: number, walk: Walk): JsonSchema {
  if (schema.additionalProperties !== false) {
    walk.reasons.push(`${path === '' ? 'the root' : path} is an object with free keys, which strict mode cannot say. Use a class, or an array of { key, value }.`);
  }
  const entries = Object.entries(schema.properties ?? {});
  walk.properties += entries.length;
  const properties = entries.map(([name, part]): [string, JsonSchema] => {
    const at = path === '' ? name : `${path}.${name}`;
    const made = strict(part, at, depth + 1, walk);
    return [name, schema.required?.includes(name) === true ? made : nullable(made)];
  });
  return { properties: Object.fromEntries(properties), required: properties.map(([name]) => name), additionalProperties: false };
}

function strictArray(schema: JsonSchema, path: string, depth: number, walk: Walk): JsonSchema {
  if (schema.items === undefined) {
    walk.reasons.push(`${path} is a tuple, which strict mode cannot say. Use a class.`);
    return {};
  }
  return { items: strict(schema.items, `${path}[]`, depth + 1, walk) };
}

function nullable(schema: JsonSchema): JsonSchema {
  if (schema.$ref !== undefined) return { anyOf: [schema, { type: 'null' }] };
  if (schema.anyOf?.some(({ type }) => [type].flat().includes('null')) === true) return schema;
  if (schema.anyOf !== undefined) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
  const types = [schema.type ?? []].flat();
  return { ...schema, type: types.includes('null') ? types : [...types, 'null'], ...(schema.enum && !schema.enum.includes(null) && { enum: [...schema.enum, null] }) };
}

function notes(schema: JsonSchema): string[] {
  const format = schema.format !== undefined && !formats.includes(schema.format) ? noteOf(schema, 'format') : [];
  return [...worded.flatMap((keyword) => noteOf(schema, keyword)), ...format];
}
