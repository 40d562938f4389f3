/** What the dialects share: one record per definition, the text of a description, and keywords turned into words. */
import type { ToolDefinition } from '../../tool/tool.js';
import { deepFreeze } from '../deep-freeze.js';
import type { JsonSchema } from '../json.js';

/** Makes the record of a definition once, and freezes it: a warm request costs a look-up. */
export function oncePerDefinition<T extends object>(make: (definition: ToolDefinition) => T): (definition: ToolDefinition) => T {
  const made = new WeakMap<ToolDefinition, T>();
  return (definition) => {
    let record = made.get(definition);
    if (record === undefined) {
      record = deepFreeze(make(definition));
      made.set(definition, record);
    }
    return record;
  };
}

export function descriptionOf({ description, deprecated }: ToolDefinition): string {
  return deprecated === undefined ? description : `${description}\nDeprecated: ${deprecated}`;
}

/** Appends what a dialect has no keyword for: `Most matches (default 50, at least 1 item)`. */
export function withNotes(description: string | undefined, notes: readonly string[]): string | undefined {
  if (notes.length === 0) return description;
  const text = notes.join(', ');
  return description === undefined || description === '' ? `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}` : `${description} (${text})`;
}

const wording: { readonly [Key in keyof JsonSchema]?: (value: never) => string } = {
  minLength: (count: number) => `at least ${count} character${count === 1 ? '' : 's'}`,
  maxLength: (count: number) => `at most ${count} characters`,
  minItems: (count: number) => `at least ${count} item${count === 1 ? '' : 's'}`,
  maxItems: (count: number) => `at most ${count} items`,
  minProperties: (count: number) => `at least ${count} ${count === 1 ? 'entry' : 'entries'}`,
  uniqueItems: () => 'no item twice',
  multipleOf: (divisor: number) => `a multiple of ${divisor}`,
  exclusiveMinimum: (limit: number) => `above ${limit}`,
  exclusiveMaximum: (limit: number) => `below ${limit}`,
  pattern: (source: string) => `matches ${source}`,
  format: (name: string) => `format ${name}`,
  default: (value: unknown) => `default ${JSON.stringify(value)}`,
  examples: (values: unknown[]) => `e.g. ${values.map((value) => JSON.stringify(value)).join(', ')}`,
  deprecated: () => 'deprecated',
  enum: (values: unknown[]) => `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
  contains: (schema: JsonSchema) => `holds ${schema.const === undefined ? notesOf(schema).join(' and ') : JSON.stringify(schema.const)}`,
  not: (schema: JsonSchema) => `not ${notesOf(schema).join(' and ')}`,
  allOf: (schemas: JsonSchema[]) => schemas.flatMap(notesOf).join(', '),
  propertyNames: (schema: JsonSchema) => `each key ${notesOf(schema).join(' and ')}`,
};

/** All keywords of a schema in words. */
function notesOf(schema: JsonSchema): string[] {
  return Object.keys(schema).flatMap((key) => noteOf(schema, key as keyof JsonSchema));
}

/** One keyword in words; empty where there is nothing to say. */
export function noteOf(schema: JsonSchema, keyword: keyof JsonSchema): string[] {
  const say = wording[keyword] as ((value: unknown) => string) | undefined;
  return say === undefined || schema[keyword] === undefined || schema[keyword] === false ? [] : [say(schema[keyword])];
}
