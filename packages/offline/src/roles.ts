/** What kind of value each parameter of a tool wants, read from its typed resources, else from its name and description. */
import type { JsonSchema, ToolDefinition } from '@haft/core';

export type ParameterRole =
  | 'path'
  | 'glob'
  | 'command'
  | 'url'
  | 'search'
  | 'old'
  | 'new'
  | 'content'
  | 'start'
  | 'limit'
  | 'enum'
  | 'flag'
  | 'number'
  | 'list'
  | 'text'
  | 'object';

export interface Parameter {
  name: string;
  schema: JsonSchema;
  required: boolean;
  role: ParameterRole;
}

const byName: readonly (readonly [RegExp, ParameterRole])[] = [
  [/^(old|from|before|find)(_|$)/, 'old'],
  [/^(new|replacement|after)(_|$)/, 'new'],
  [/glob/, 'glob'],
  [/^(url|link|uri|address)$/, 'url'],
  [/^(command|cmd|script)$/, 'command'],
  [/(^|_)(path|file|dir|directory|folder|filename)$/, 'path'],
  [/^(pattern|query|regex|search|keyword|term)s?$/, 'search'],
  [/^(content|contents|text|body|message|value|input)$/, 'content'],
];

export function parametersOf(tool: ToolDefinition): Parameter[] {
  const required = new Set(tool.parameters.required ?? []);
  return Object.entries(tool.parameters.properties ?? {}).map(([name, schema]) => ({
    name,
    schema,
    required: required.has(name),
    role: roleOf(tool, name, schema),
  }));
}

function roleOf(tool: ToolDefinition, name: string, schema: JsonSchema): ParameterRole {
  const kind = tool.resources.find((resource) => resource.path === name)?.kind;
  if (kind === 'path' || kind === 'glob' || kind === 'command' || kind === 'url') return kind;
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  if (schema.enum) return 'enum';
  if (type === 'boolean') return 'flag';
  if (type === 'integer' || type === 'number') return numberRole(name);
  if (type === 'array') return 'list';
  if (type !== 'string') return 'object';
  if (/\bglob\b/i.test(schema.description ?? '') && !/regular expression/i.test(schema.description ?? '')) return 'glob';
  return byName.find(([pattern]) => pattern.test(name))?.[1] ?? 'text';
}

function numberRole(name: string): ParameterRole {
  if (/^(offset|start|from|line|first)(_|$)|_line$/.test(name)) return 'start';
  if (/^(limit|max|count|lines|k|top)(_|$)/.test(name)) return 'limit';
  return 'number';
}
