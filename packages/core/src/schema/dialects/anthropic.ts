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
  return Object.keys(schema.properties ?? {}).every((name) => safeName(name) === name) && partsOf(schema).every(hasSafeNames);
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

function partsOf(schema: JsonSchema): JsonSchema[] {
  return [
    ...Object.values(schema.properties ?? {}), ...Object.values(schema.$defs ?? {}), ...(schema.prefixItems ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []),
    ...(schema.items ? [schema.items] : []), ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ];
}
