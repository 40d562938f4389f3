/** The tool of Anthropic's Messages: the canonical schema as it is, but for names of fields that its alphabet lacks. */
import type { JsonSchema } from '../json.js';
import { safeName } from '../safe-name.js';
import { descriptionOf, oncePerDefinition } from './dialect.js';

export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: JsonSchema;
}

export const toAnthropic = oncePerDefinition<AnthropicTool>((definition) => ({
  name: definition.name,
  description: descriptionOf(definition),
  input_schema: hasSafeNames(definition.parameters) ? definition.parameters : renamed(definition.parameters),
}));

function hasSafeNames(schema: JsonSchema): boolean {
  for (const name in schema.properties) if (safeName(name) !== name) return false;
  return partsOf(schema).every(hasSafeNames);
}

function renamed(schema: JsonSchema): JsonSchema {
  const each = (parts: readonly JsonSchema[]): JsonSchema[] => parts.map(renamed);
  const named = (parts: Record<string, JsonSchema>, nameOf: (name: string) => string): Record<string, JsonSchema> => Object.fromEntries(Object.entries(parts).map(([name, part]) => [nameOf(name), renamed(part)]));
  return {
    ...schema,
    ...(schema.properties && { properties: named(schema.properties, safeName) }),
    ...(schema.required && { required: schema.required.map(safeName) }),
    ...(schema.$defs && { $defs: named(schema.$defs, (name) => name) }),
    ...(schema.items && { items: renamed(schema.items) }),
    ...(typeof schema.additionalProperties === 'object' && { additionalProperties: renamed(schema.additionalProperties) }),
    ...(schema.prefixItems && { prefixItems: each(schema.prefixItems) }),
    ...(schema.anyOf && { anyOf: each(schema.anyOf) }),
    ...(schema.oneOf && { oneOf: each(schema.oneOf) }),
  };
}

/** The schemas inside, leaves left out: they name nothing. */
function partsOf(schema: JsonSchema): JsonSchema[] {
  const parts: JsonSchema[] = [];
  for (const name in schema.properties) keepInner(schema.properties[name], parts);
  for (const name in schema.$defs) keepInner(schema.$defs[name], parts);
  for (const list of [schema.prefixItems, schema.anyOf, schema.oneOf]) for (const part of list ?? []) keepInner(part, parts);
  keepInner(schema.items, parts);
  if (typeof schema.additionalProperties === 'object') keepInner(schema.additionalProperties, parts);
  return parts;
}

function keepInner(schema: JsonSchema | undefined, parts: JsonSchema[]): void {
  if (schema === undefined) return;
  const { type } = schema;
  if (type === 'string' || type === 'number' || type === 'integer' || type === 'boolean') return;
  parts.push(schema);
}
