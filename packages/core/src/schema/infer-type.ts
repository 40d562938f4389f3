/**
 * Finds the type of a field: the options → class-transformer's `@Type` → `design:type` unless it says nothing → a class-validator
 * decorator → the initialiser → a SetupError that says what was seen and what to write. Never a schema that allows everything.
 */
import { SetupError } from '../errors.js';
import type { Class, ParamOptions } from '../tool/tool.js';
import type { RecordedRule } from './class-validator-metadata.js';
import { transformerTypeOf } from './class-transformer-metadata.js';
import { constraintTable } from './constraint-keywords.js';
import { enumNode, isDescribable, nodeOfSpec, nullableOf, taggedNode, taggedNodeOf, unknownSpec, type Describe } from './type-of-spec.js';
import { leaf, type LeafKind, type TypeNode } from './type-node.js';

export interface TypeSources {
  /** For messages: class and field. */
  where: string;
  options: ParamOptions;
  /** The class that holds the field, for class-transformer; undefined for a method's parameter. */
  owner?: { target: Class; property: string };
  design: unknown;
  rules: readonly RecordedRule[];
  initial: unknown;
}

/** @throws SetupError where no source says the type. */
export function inferType(sources: TypeSources, describe: Describe): TypeNode {
  const node = fromOptions(sources, describe)
    ?? fromTransformer(sources, describe)
    ?? fromDesign(sources, describe)
    ?? fromRules(sources, describe)
    ?? fromInitial(sources.initial, sources.where, describe);
  if (node === undefined) throw unknownType(sources);
  return sources.initial === null ? nullableOf(node) : node;
}

function fromOptions({ options, where, design, initial }: TypeSources, describe: Describe): TypeNode | undefined {
  const shape = shapeOf(design, initial);
  if (options.oneOf !== undefined) return shaped(taggedNode(options.oneOf(), options.discriminator, where, describe), shape);
  if (options.enum !== undefined) return shaped(enumNode(options.enum, where), shape);
  if (options.type === undefined) return undefined;
  const spec = options.type();
  const node = nodeOfSpec(spec, where, describe);
  if (node === undefined) throw unknownSpec(spec, where);
  return shaped(node, shape);
}

function fromTransformer({ owner, where, design, initial }: TypeSources, describe: Describe): TypeNode | undefined {
  const recorded = owner && transformerTypeOf(owner.target, owner.property);
  if (recorded === undefined) return undefined;
  const union = recorded.options?.discriminator;
  if (union !== undefined) {
    const variants = union.subTypes.map(({ value, name }) => ({ tag: name, target: value }));
    return shaped(taggedNodeOf(union.property, variants, where, describe), shapeOf(design, initial));
  }
  const spec = recorded.typeFunction?.();
  const node = spec === Object || spec === Array ? undefined : nodeOfSpec(spec, where, describe);
  return node && shaped(node, shapeOf(design, initial));
}

function fromDesign({ design, rules, initial, where }: TypeSources, describe: Describe): TypeNode | undefined {
  if (saysNothing(design)) return undefined;
  if (design !== Array && design !== Set && design !== Map) return nodeOfSpec(design, where, describe);
  const items = impliedBy(rules.filter((rule) => rule.each), where, describe) ?? itemOf(initial, where, describe);
  if (items !== undefined) return shaped(items, design);
  const kind = design === Array ? 'an array' : `a ${(design as unknown as Class).name}`;
  throw new SetupError(`${where}: it is ${kind}, but the compiler keeps no type of its elements. Write @Param({ type: () => String }) (or another type, or a class), or a class-validator decorator with { each: true }.`);
}

function fromRules({ rules, where }: TypeSources, describe: Describe): TypeNode | undefined {
  const items = rules.some(isOfItems) ? impliedBy(rules.filter(isOfItems), where, describe) : undefined;
  if (items !== undefined) return shaped(items, Array);
  return impliedBy(rules.some(isOfItems) ? rules.filter((rule) => !rule.each) : rules, where, describe);
}

function isOfItems({ each }: RecordedRule): boolean {
  return each;
}

/** The narrowest type that the decorators imply: an enum, a class, else the first type named (integer before number). */
function impliedBy(rules: readonly RecordedRule[], where: string, describe: Describe): TypeNode | undefined {
  let kind: LeafKind | undefined;
  for (const { name, constraints } of rules) {
    const first = constraints?.[0];
    if ((name === 'isEnum' || name === 'isIn') && typeof first === 'object' && first !== null) return enumNode(first, where);
    if (name === 'isInstance' && isDescribable(first)) return nodeOfSpec(first, where, describe);
    const implied = name === undefined ? undefined : constraintTable[name]?.implies;
    if (kind === undefined || implied === 'integer') kind = implied ?? kind;
  }
  return kind && leaf(kind);
}

function fromInitial(initial: unknown, where: string, describe: Describe): TypeNode | undefined {
  if (initial === undefined || initial === null) return undefined;
  const constructor = constructorOf(initial);
  if (Array.isArray(initial) || initial instanceof Set || initial instanceof Map) {
    const items = itemOf(initial, where, describe);
    return items && shaped(items, constructor);
  }
  return constructor === Object ? undefined : nodeOfSpec(constructor, where, describe);
}

/** The common type of the elements of an initial value; undefined when it is empty or mixed. */
function itemOf(initial: unknown, where: string, describe: Describe): TypeNode | undefined {
  const elements: unknown[] = Array.isArray(initial) || initial instanceof Set ? [...(initial as Iterable<unknown>)] : initial instanceof Map ? [...(initial as Map<unknown, unknown>).values()] : [];
  const nodes = elements.map((element) => (Array.isArray(element) ? undefined : fromInitial(element, where, describe)));
  const [first] = nodes;
  return first !== undefined && nodes.every((node) => node?.kind === first.kind) ? first : undefined;
}

/** `type: () => Edit` on a field that is an array, Set or Map speaks of its elements, unless it says a collection itself. */
function shaped(node: TypeNode, shape: unknown): TypeNode {
  if (shape === Array) return isCollection(node) ? node : { kind: 'array', items: node, as: 'array', keywords: {} };
  if (shape === Set) return { kind: 'array', items: node.kind === 'array' ? node.items : node, as: 'set', keywords: { uniqueItems: true } };
  if (shape === Map) return node.kind === 'record' ? { ...node, as: 'map' } : { kind: 'record', values: node, as: 'map', keywords: {} };
  return node;
}

function isCollection(node: TypeNode): boolean {
  return node.kind === 'array' || node.kind === 'tuple' || (node.kind === 'nullable' && isCollection(node.of));
}

/** The collection that the field is, by its annotation or its initial value. */
function shapeOf(design: unknown, initial: unknown): unknown {
  return saysNothing(design) ? constructorOf(initial) : design;
}

function saysNothing(design: unknown): boolean {
  return design === undefined || design === Object || design === Function;
}

function constructorOf(value: unknown): unknown {
  return value === undefined || value === null ? undefined : (new Object(value)).constructor;
}

function unknownType({ where, design }: TypeSources): SetupError {
  if (design === undefined) {
    return new SetupError(
      `${where}: its type is not known at run time. Either the field has no annotation, or the compiler writes no decorator metadata: set "experimentalDecorators" and "emitDecoratorMetadata" in `
      + 'tsconfig.json (esbuild and tsx never write it; tsc, SWC and the loader of haft do). Or write the type: @Param({ type: () => String }).',
    );
  }
  const seen = typeof design === 'function' ? design.name : typeof design;
  return new SetupError(
    `${where}: the compiler left only "${seen}" of its type (it does so for unions, interfaces, Record and null). Write it: @Param({ type: () => String }), @Param({ enum: ['a', 'b'] }), `
    + '@Param({ type: () => record(Number) }), @Param({ type: () => nullable(String) }), or { type: () => Object } for any JSON object.',
  );
}
