/** Classes and functions → tool records: `definitionsOf` for plugins, `defineTool` for one class, `tool` for a plain function. */
import { SetupError } from '../errors.js';
import type { Access } from '../permission/access.js';
import type { ToolSource } from '../plugin/plugin.js';
import { describeClass } from '../schema/describe-class.js';
import { foreignArguments } from '../schema/foreign-schema.js';
import type { JsonSchema } from '../schema/json.js';
import { instanceMaker } from '../schema/parse-object.js';
import { ownValue } from '../schema/to-json.js';
import { snakeCase } from '../schema/type-of-spec.js';
import type { ClassDescription } from '../schema/type-node.js';
import { checkToolOptions } from './check-options.js';
import { argumentsOf, definitionOf, refuseUnionRoot, type ArgumentsPart, type HandlerPart } from './definition.js';
import { injectedValue } from './injected.js';
import { methodTool } from './method-tool.js';
import { readMethods, readTool } from './tool-metadata.js';
import type { Class, Preview, ToolContext, ToolDefinition, ToolHandler, ToolOptions } from './tool.js';

const definitions = new WeakMap<Class, readonly ToolDefinition[]>();

/**
 * The tools of a decorated class (one), of a class with decorated methods (one each), or of a ready definition (itself). Made
 * once per class, and frozen.
 * @throws SetupError naming class, field and remedy for a class that is no tool or cannot be described.
 */
export function definitionsOf(source: ToolSource): readonly ToolDefinition[] {
  if (typeof source !== 'function') return [checkedDefinition(source)];
  let made = definitions.get(source);
  if (made === undefined) {
    made = Object.freeze(makeDefinitions(source));
    definitions.set(source, made);
  }
  return made;
}

/** The record of a class with `@Tool` on it. */
export function defineTool(target: Class<ToolHandler>): ToolDefinition {
  const [definition] = definitionsOf(target);
  if (definition === undefined || readTool(target) === undefined) throw notATool(target);
  return definition;
}

export interface FunctionToolOptions<Input extends object> extends ToolOptions {
  name: string;
  description: string;
  /** A class with `@Param` fields, or a JSON Schema whose root is an object (checked by Ajv). Default: no parameters. */
  parameters?: Class<Input> | JsonSchema;
  /** The resources that a call touches, beyond typed parameters. */
  access?(input: Input): Access[];
  /** A business rule, before approval: the reason for refusing, or undefined. */
  check?(input: Input, context: ToolContext): string | undefined | Promise<string | undefined>;
  /** What approval shows. Must have no side effect. */
  preview?(input: Input, context: ToolContext): string | Preview | Promise<string | Preview>;
}

/** Makes a tool from a plain function: for proxies of tools that live elsewhere, and for tests. */
export function tool<Input extends object = Record<string, unknown>>(
  options: FunctionToolOptions<Input>,
  handler: (input: Input, context: ToolContext) => unknown,
): ToolDefinition {
  const { parameters, access, check, preview, ...toolOptions } = options;
  const where = `tool(${JSON.stringify(options.name)})`;
  checkToolOptions(toolOptions, where);
  const inputOf = typeof parameters === 'function' ? instanceOf(describeClass(parameters)) : undefined;
  const instantiate: ToolDefinition['instantiate'] = (value) => {
    const input = inputOf ? inputOf(value) : value;
    return {
      execute: (context) => handler(input as Input, context),
      ...(access && { access: () => access(input as Input) }),
      ...(check && { check: (context) => check(input as Input, context) }),
      ...(preview && { preview: (context) => preview(input as Input, context) }),
    };
  };
  return definitionOf(where, options.name, toolOptions, { ...functionArguments(parameters, toolOptions, options.name), instantiate });
}

function functionArguments(parameters: Class | JsonSchema | undefined, options: ToolOptions, name: string): ArgumentsPart {
  if (typeof parameters === 'function') return argumentsOf(describeClass(parameters), options);
  if (parameters === undefined) return argumentsOf({ target: Object as unknown as Class, name, fields: [], injected: [], recursive: false }, options);
  return foreignArguments(parameters);
}

function makeDefinitions(target: Class): ToolDefinition[] {
  const options = readTool(target);
  const methods = readMethods(target);
  if (options === undefined && methods.length === 0) throw notATool(target);
  return [...(options === undefined ? [] : [classTool(target, options)]), ...methods.map((mark) => methodTool(target, mark))];
}

function classTool(target: Class, options: ToolOptions): ToolDefinition {
  if (typeof (target.prototype as Partial<ToolHandler>).execute !== 'function') {
    throw new SetupError(`The tool class ${target.name} has no execute() method. Write: async execute(context: ToolContext) { … }.`);
  }
  const description = describeClass(target);
  const assign = assigner(description);
  return definitionOf(target.name, snakeCase(target.name), options, Object.assign(argumentsOf(description, options), {
    target,
    instantiate: (value, services, injected) => {
      const instance = services.create(target) as ToolHandler & Record<string, unknown>;
      assign(instance, value);
      for (const { property, name } of description.injected) instance[property] = injectedValue(name, injected, target.name);
      return instance;
    },
  } satisfies HandlerPart));
}

function instanceOf(description: ClassDescription): (value: Record<string, unknown>) => object {
  const make = instanceMaker(description);
  const assign = assigner(description);
  return (value) => {
    const instance = make();
    assign(instance, value);
    return instance;
  };
}

/** Assigns declared parameters only, so that nothing else of the value can reach the instance. */
function assigner({ fields }: ClassDescription): (instance: Record<string, unknown>, value: Record<string, unknown>) => void {
  const properties = fields.map(({ property }) => property);
  // Asked once for all: few fields are called like something that every object inherits.
  const read = properties.some((property) => property in Object.prototype) ? ownValue : memberOf;
  return (instance, value) => {
    for (let index = 0; index < properties.length; index += 1) {
      const property = properties[index] as string;
      const member = read(value, property);
      if (member !== undefined) instance[property] = member;
    }
  };
}

function memberOf(value: Record<string, unknown>, property: string): unknown {
  return value[property];
}

function notATool(target: Class): SetupError {
  const parent = Object.getPrototypeOf(target) as Class | null;
  const isChild = typeof parent === 'function' && parent.name !== '' && readTool(parent) !== undefined;
  return new SetupError(isChild
    ? `${target.name} is not a tool: @Tool stands on its parent ${parent.name}, and is not inherited. Put @Tool on ${target.name} too.`
    : `${target.name} is not a tool: neither the class nor a method has @Tool. (If it has, the file was compiled without experimentalDecorators.)`);
}

function checkedDefinition(source: ToolDefinition): ToolDefinition {
  if (typeof source === 'object' && source !== null && typeof source.name === 'string' && typeof source.parse === 'function' && typeof source.instantiate === 'function') {
    refuseUnionRoot(source.name, source.parameters);
    return source;
  }
  throw new SetupError(`A plugin lists ${JSON.stringify(source) ?? typeof source} as a tool. Give a class with @Tool, or what tool() or defineTool() returns.`);
}
