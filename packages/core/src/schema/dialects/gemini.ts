/**
 * Gemini's function declaration: the subset of OpenAPI 3.0 that it and its look-alikes take. What has no place goes into the description; the parser still
 * checks everything. Names of properties are never touched.
 */
import type { Json, JsonSchema, JsonSchemaType } from '../json.js';
import { descriptionOf, noteOf, oncePerDefinition, withNotes } from './dialect.js';

export interface GeminiSchema {
  type?: JsonSchemaType;
  description?: string;
  nullable?: boolean;
  enum?: string[];
  format?: string;
  properties?: Record<string, GeminiSchema>;
  required?: string[];
  propertyOrdering?: string[];
  items?: GeminiSchema;
  anyOf?: GeminiSchema[];
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

export interface GeminiTool {
  name: string;
  description: string;
  /** Absent for a tool without parameters: an object without properties is refused. */
  parameters?: GeminiSchema;
}

const kept = ['minItems', 'maxItems', 'minLength', 'maxLength', 'pattern'] as const;
const worded = ['uniqueItems', 'multipleOf', 'contains', 'not', 'allOf', 'propertyNames', 'minProperties', 'default', 'examples', 'deprecated'] as const;
/** How often a class may stand inside itself before it is asked for as JSON text, which the parser reads. */
const mostExpansions = 2;

interface Walk {
  definitions: Record<string, JsonSchema>;
  /** How often each `$ref` was expanded on the way here. */
  expanded: ReadonlyMap<string, number>;
}

export const toGemini = oncePerDefinition<GeminiTool>((definition) => {
  const { name, parameters } = definition;
  const isEmpty = Object.keys(parameters.properties ?? {}).length === 0;
  return {
    name,
    description: descriptionOf(definition),
    ...(!isEmpty && { parameters: converted(parameters, { definitions: parameters.$defs ?? {}, expanded: new Map() }) }),
  };
});

function converted(schema: JsonSchema, walk: Walk): GeminiSchema {
  if (schema.$ref !== undefined) return expanded(schema, schema.$ref, walk);
  const types = [schema.type ?? []].flat();
  const isNullable = types.includes('null');
  const named = types.filter((type) => type !== 'null');
  const notes: string[] = worded.flatMap((keyword) => noteOf(schema, keyword));
  const variants = schema.anyOf ?? schema.oneOf ?? (named.length > 1 ? named.map((type): JsonSchema => ({ type, ...(schema.enum && { enum: schema.enum.filter((value) => fitsType(value, type)) }) })) : undefined);
  if (variants !== undefined) return union(schema, variants, notes, walk);
  const [type] = schema.const === undefined ? named : [typeof schema.const as JsonSchemaType];
  const result: GeminiSchema = { ...body(schema, type, notes, walk), ...bounds(schema, type, notes) };
  const description = withNotes(schema.description, notes);
  return { ...result, ...(isNullable && { nullable: true }), ...(description !== undefined && description !== '' && { description }) };
}

function expanded(schema: JsonSchema, reference: string, walk: Walk): GeminiSchema {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  const target = walk.definitions[name];
  const times = walk.expanded.get(name) ?? 0;
  if (target === undefined || times >= mostExpansions) return { type: 'string', description: withNotes(schema.description, [`a ${name} as JSON text, of the shape above`]) ?? '' };
  const inner = converted(target, { ...walk, expanded: new Map([...walk.expanded, [name, times + 1]]) });
  return { ...inner, ...(schema.description !== undefined && { description: schema.description }) };
}

function union(schema: JsonSchema, variants: readonly JsonSchema[], notes: readonly string[], walk: Walk): GeminiSchema {
  const described = variants.filter((variant) => variant.type !== 'null');
  const nullable = [schema.type].flat().includes('null') || described.length < variants.length;
  const [only] = described;
  const text = withNotes(schema.description, notes);
  const said = text === undefined || text === '' ? {} : { description: text };
  const inner: GeminiSchema = described.length === 1 && only !== undefined ? converted({ ...only, ...said }, walk) : { anyOf: described.map((variant) => converted(variant, walk)), ...said };
  return { ...inner, ...(nullable && { nullable: true }) };
}

function fitsType(value: Json, type: JsonSchemaType): boolean {
  return type === 'integer' || type === 'number' ? typeof value === 'number' : typeof value === type;
}

/** An object needs properties and an array needs items; free ones are asked for as JSON text. */
function body(schema: JsonSchema, type: JsonSchemaType | undefined, notes: string[], walk: Walk): GeminiSchema {
  if (type === 'object') {
    const properties = Object.entries(schema.properties ?? {}).map(([name, part]): [string, GeminiSchema] => [name, converted(part, walk)]);
    if (properties.length > 0) {
      return { type, properties: Object.fromEntries(properties), ...(schema.required && { required: [...schema.required] }), propertyOrdering: properties.map(([name]) => name) };
    }
    const values = typeof schema.additionalProperties === 'object' && schema.additionalProperties.type !== undefined ? ` of ${[schema.additionalProperties.type].flat().join(' or ')} values` : '';
    notes.unshift(`a JSON object${values}, as JSON text`);
    return { type: 'string' };
  }
  if (type === 'array') {
    if (schema.prefixItems === undefined) return { type, items: converted(schema.items ?? {}, walk) };
    const items = schema.prefixItems.map((item) => converted(item, walk));
    notes.push(`in order: ${schema.prefixItems.map((item) => [item.type ?? 'value'].flat().join(' or ')).join(', ')}`);
    const same = items.every((item) => JSON.stringify(item) === JSON.stringify(items[0]));
    return { type, items: same && items[0] !== undefined ? items[0] : { anyOf: items } };
  }
  if (type === undefined) {
    notes.unshift('any JSON value');
    return { type: 'string' };
  }
  return { type };
}

function bounds(schema: JsonSchema, type: JsonSchemaType | undefined, notes: string[]): GeminiSchema {
  const result: GeminiSchema = {};
  for (const key of kept) if (schema[key] !== undefined) Object.assign(result, { [key]: schema[key] });
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (type === 'string' && values !== undefined) result.enum = values.filter((value) => typeof value === 'string');
  else if (values !== undefined) notes.unshift(...noteOf({ enum: values.filter((value) => value !== null) }, 'enum'));
  if (schema.format === 'date-time') result.format = 'date-time';
  else notes.push(...noteOf(schema, 'format'));
  const step = type === 'integer' ? 1 : 0;
  const lower = [schema.minimum, step === 1 && schema.exclusiveMinimum !== undefined ? Math.floor(schema.exclusiveMinimum) + 1 : undefined].filter((limit) => limit !== undefined);
  const upper = [schema.maximum, step === 1 && schema.exclusiveMaximum !== undefined ? Math.ceil(schema.exclusiveMaximum) - 1 : undefined].filter((limit) => limit !== undefined);
  if (lower.length > 0) result.minimum = Math.max(...lower);
  if (upper.length > 0) result.maximum = Math.min(...upper);
  if (step === 0) notes.push(...noteOf(schema, 'exclusiveMinimum'), ...noteOf(schema, 'exclusiveMaximum'));
  return result;
}
