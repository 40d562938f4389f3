/** Options and a type description → the frozen record of a tool. Both forms of `@Tool`, and `tool()`, end here. */
import { SetupError } from '../errors.js';
import { deepFreeze } from '../schema/deep-freeze.js';
import type { JsonObject, JsonSchema } from '../schema/json.js';
import { resourcesOf, sensitivePathsOf } from '../schema/resources.js';
import { jsonSchemaOf } from '../schema/json-schema.js';
import { checkSamples, compileParser } from '../schema/parser.js';
import { compileRules } from '../schema/rules.js';
import type { ClassDescription } from '../schema/type-node.js';
import { toolNamePattern } from './check-options.js';
import type { ParseOutcome, ToolDefinition, ToolOptions } from './tool.js';

/** How the arguments are shown and read. */
export type ArgumentsPart = Pick<ToolDefinition, 'parameters' | 'resources' | 'sensitive' | 'parse'> & Partial<Pick<ToolDefinition, 'rules'>>;
/** How a handler is made. */
export type HandlerPart = Pick<ToolDefinition, 'instantiate'> & Partial<Pick<ToolDefinition, 'target'>>;

export function argumentsOf(description: ClassDescription, options: ToolOptions): ArgumentsPart {
  const rules = compileRules(description);
  checkSamples(description);
  // Compiled by the first call: a process that only lists its tools does not pay for it.
  let parse: ToolDefinition['parse'] | undefined;
  const part: ArgumentsPart = {
    parameters: jsonSchemaOf(description),
    resources: resourcesOf(description, options.scopes ?? []),
    sensitive: sensitivePathsOf(description),
    parse: (input) => (parse ??= compileParser(description))(input),
  };
  return rules ? Object.assign(part, { rules }) : part;
}

/** @throws SetupError where name, description, scopes or an example are missing or wrong. `where` names class and method. */
export function definitionOf(where: string, defaultName: string, options: ToolOptions, parts: ArgumentsPart & HandlerPart): ToolDefinition {
  const name = options.name ?? defaultName;
  if (!toolNamePattern.test(name)) throw new SetupError(`The tool ${where} would be called "${name}", which is no tool name (${toolNamePattern.source}). Give the option "name".`);
  const description = (options.description ?? '').trim();
  if (description === '') throw new SetupError(`The tool ${name} (${where}) has no description. Write @Tool('What it does, and when to use it.'): the model chooses by it.`);
  if (options.scopes === undefined) {
    throw new SetupError(`The tool ${name} (${where}) states no scopes. Write scopes: ['read'], ['write'], ['network'] or ['dangerous'] (or several), or [] if it touches nothing outside itself.`);
  }
  const onlyReads = options.callsTools !== true && options.scopes.every((scope) => scope === 'read');
  return sealed(optionalParts(options), {
    name,
    description,
    tags: Object.freeze([...(options.tags ?? [])]),
    scopes: Object.freeze([...new Set(options.scopes)]),
    idempotent: options.idempotent ?? onlyReads,
    destructive: options.destructive ?? !onlyReads,
    cost: options.cost ?? 0,
    confirm: options.confirm ?? false,
    defer: options.defer ?? false,
    examples: deepFreeze(checkedExamples(name, options.examples ?? [], parts.parse)),
  }, parts);
}

type OptionalParts = Pick<ToolDefinition, { [Key in keyof ToolDefinition]-?: undefined extends ToolDefinition[Key] ? Key : never }[keyof ToolDefinition]>;

/**
 * One frozen record of several parts. `Object.assign` lets records with the same members share their hidden class, which spreading does not do in
 * code that runs a few times; every reader of definitions is faster for it.
 */
function sealed<Fixed extends object, Parts extends object>(optional: Partial<ToolDefinition>, fixed: Fixed, parts: Parts): Readonly<Fixed & Parts & OptionalParts> {
  return Object.freeze(Object.assign(optional, fixed, parts));
}

const optionalKeys = ['title', 'timeoutMs', 'maxOutputChars', 'retry', 'concurrency', 'rateLimit', 'capability', 'degradeTo', 'deprecated', 'strict', 'callsTools'] as const;

function optionalParts(options: ToolOptions): Partial<ToolDefinition> {
  const parts: Record<string, unknown> = {};
  for (const key of optionalKeys) {
    const value = options[key];
    if (value !== undefined) parts[key] = typeof value === 'object' ? deepFreeze(structuredClone(value)) : value;
  }
  return parts;
}

/** In JSON form, with defaults left out where the author left them out. */
function checkedExamples(name: string, examples: readonly object[], parse: (input: unknown) => ParseOutcome): JsonObject[] {
  return examples.map((example, index) => {
    const outcome = parse(example);
    if (outcome.ok) return Object.fromEntries(Object.entries(outcome.json).filter(([key]) => Object.hasOwn(example, key)));
    throw new SetupError(`Example ${index + 1} of the tool ${name} does not fit its parameters: ${outcome.issues.map((issue) => issue.message).join('; ')}.`);
  });
}

/** The root of every tool's schema is a plain object: one tool with a union there makes providers refuse every request. */
export function refuseUnionRoot(name: string, schema: JsonSchema): void {
  const union = (['oneOf', 'anyOf', 'allOf', '$ref', 'enum', 'not'] as const).find((keyword) => schema[keyword] !== undefined);
  if (schema.type === 'object' && union === undefined) return;
  throw new SetupError(`The parameters of the tool ${name} must be {"type": "object", "properties": …} at the root, and have ${union === undefined ? `type ${JSON.stringify(schema.type)}` : `"${union}"`}. Put it below a property.`);
}
