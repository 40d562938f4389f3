/** The method form: `@Tool` on a method, `@Param` on its parameters, a trailing ToolContext. */
import { SetupError } from '../errors.js';
import { describeClass } from '../schema/describe-class.js';
import { inferType } from '../schema/infer-type.js';
import { refuseUnknownDefault, refuseUnresolvable } from '../schema/resources.js';
import { snakeCase } from '../schema/type-of-spec.js';
import type { ClassDescription, FieldDescription } from '../schema/type-node.js';
import { jsonOf } from '../schema/to-json.js';
import { argumentsOf, definitionOf } from './definition.js';
import { injectedValue } from './injected.js';
import { parametersOf, type ParameterText } from './parameter-names.js';
import { designArgumentsOf, prototypeOf, readArguments, type ArgumentMark, type MethodMark } from './tool-metadata.js';
import type { Class, InjectedValues, ParamOptions, ToolContext, ToolDefinition } from './tool.js';

type Method = (...values: unknown[]) => unknown;

/** Where each value of the call comes from, by position. */
type Source = { from: 'model'; property: string } | { from: 'context'; name: string } | { from: 'call' };

export function methodTool(target: Class, { method, options }: MethodMark): ToolDefinition {
  const where = `${target.name}.${method}`;
  const sources = sourcesOf(target, method, where);
  const description = describeArguments(target, method, sources, where);
  return definitionOf(where, snakeCase(method), options, {
    ...argumentsOf(description, options),
    target,
    instantiate: (value, services, injected) => {
      const instance = services.create(target) as Record<string, Method>;
      return { execute: (context) => instance[method]?.(...sources.map((source) => valueFor(source, value, injected, context, where))) };
    },
  });
}

function valueFor(source: Source, value: Record<string, unknown>, injected: InjectedValues, context: ToolContext, where: string): unknown {
  if (source.from === 'call') return context;
  return source.from === 'model' ? value[source.property] : injectedValue(source.name, injected, where);
}

function sourcesOf(target: Class, method: string, where: string): Source[] {
  const declared = parametersOf((prototypeOf(target) as Record<string, Method>)[method] as Method);
  if (declared === undefined) throw new SetupError(`@Tool on ${where}: the text of the method cannot be read. Decorate the method itself, not a bound or native function.`);
  const marks = new Map(readArguments(target, method).map((mark) => [mark.index, mark]));
  return declared.map((parameter, index) => sourceOf(parameter, marks.get(index), index === declared.length - 1, `${where} (parameter ${index})`));
}

function sourceOf(parameter: ParameterText, mark: ArgumentMark | undefined, isLast: boolean, where: string): Source {
  if (parameter.isRest) throw new SetupError(`${where}: a rest parameter cannot be a tool's parameter. Use an array: @Param({ type: () => String }) names: string[].`);
  if (mark === undefined) {
    if (isLast) return { from: 'call' };
    throw new SetupError(`${where}: it has no @Param. Only the last parameter, the ToolContext, goes without.`);
  }
  if (mark.mark.from === 'context') return { from: 'context', name: mark.mark.name };
  const property = parameter.name ?? mark.mark.options.name;
  if (property === undefined) throw new SetupError(`${where}: a destructured parameter has no name. Write @Param({ name: 'options' }), or a plain parameter.`);
  return { from: 'model', property };
}

function describeArguments(target: Class, method: string, sources: readonly Source[], where: string): ClassDescription {
  const declared = parametersOf((prototypeOf(target) as Record<string, Method>)[method] as Method) ?? [];
  const designs = designArgumentsOf(target, method);
  const marks = new Map(readArguments(target, method).map((mark) => [mark.index, mark.mark]));
  const fields = sources.flatMap((source, index) => {
    const mark = marks.get(index);
    if (source.from !== 'model' || mark?.from !== 'model') return [];
    return [describeArgument(source.property, mark.options, designs?.[index], declared[index]?.hasDefault === true, where)];
  });
  const twice = fields.find((field, index) => fields.findIndex(({ name }) => name === field.name) !== index);
  if (twice !== undefined) throw new SetupError(`${where}: two parameters are called "${twice.name}". Give one another name.`);
  return { target: Object as unknown as Class, name: where, fields, injected: [], recursive: false };
}

/** A default written in the method's text is applied by the method itself: its value cannot be known before. */
function describeArgument(property: string, options: ParamOptions, design: unknown, hasDefault: boolean, where: string): FieldDescription {
  const node = inferType({ where: `${where}.${property}`, options, design, rules: [], initial: options.default }, describeClass);
  refuseUnresolvable(node, options, `${where}.${property}`);
  if (hasDefault && options.default === undefined) refuseUnknownDefault(options, `${where}.${property}`);
  return {
    property,
    name: options.name ?? property,
    node,
    optional: options.optional ?? (hasDefault || options.default !== undefined),
    ...(options.default !== undefined && { default: jsonOf(node, options.default) }),
    options,
    rules: [],
    conditions: [],
    transforms: [],
  };
}
