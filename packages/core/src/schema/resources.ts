/** Where in the arguments resources and secrets are: what containment, locks, approvals and redaction work on. */
import { SetupError } from '../errors.js';
import type { ParamOptions, ParamResource, Scope } from '../tool/tool.js';
import type { ClassDescription, FieldDescription, TypeNode } from './type-node.js';

/** By property path in the parsed value; `*` stands for every element. A `kind` without `access` is a write where the tool may write. */
export function resourcesOf(description: ClassDescription, scopes: readonly Scope[]): ParamResource[] {
  const fallback = scopes.includes('write') || scopes.includes('dangerous') ? 'write' : 'read';
  return pathsOf(description, (field) => field.property, isResource)
    .flatMap(({ path, field: { options } }) => (options.kind === undefined ? [] : [Object.freeze({ path, kind: options.kind, access: options.access ?? fallback })]));
}

/** By the names that the model uses. */
export function sensitivePathsOf(description: ClassDescription): string[] {
  return pathsOf(description, (field) => field.name, isSensitive).map(({ path }) => path);
}

function isResource({ options }: FieldDescription): boolean {
  return options.kind !== undefined;
}

export function isSensitive({ options }: FieldDescription): boolean {
  return options.sensitive === true || options.kind === 'secret';
}

interface Found {
  path: string;
  field: FieldDescription;
}

function pathsOf(description: ClassDescription, nameOf: (field: FieldDescription) => string, wanted: (field: FieldDescription) => boolean, within: readonly ClassDescription[] = []): Found[] {
  const paths: Found[] = [];
  if (within.includes(description)) {
    refuseEndless(description, wanted);
    return paths;
  }
  for (const field of description.fields) {
    if (isScalar(field.node) && !wanted(field)) continue;
    if (wanted(field)) paths.push(...leafPaths(field.node).map((suffix) => ({ path: `${nameOf(field)}${suffix}`, field })));
    for (const { suffix, description: inner } of classesAt(field.node)) {
      for (const found of pathsOf(inner, nameOf, wanted, [...within, description])) paths.push({ ...found, path: `${nameOf(field)}${suffix}.${found.path}` });
    }
  }
  return paths;
}

/** Holds no class, so that only the field itself can be marked. */
function isScalar({ kind }: TypeNode): boolean {
  return kind === 'string' || kind === 'number' || kind === 'integer' || kind === 'boolean' || kind === 'enum';
}

/** A class inside itself has no last place, and a place that is not listed would not be guarded. */
function refuseEndless(description: ClassDescription, wanted: (field: FieldDescription) => boolean): void {
  const marked = markedInside(description, wanted, new Set());
  if (marked === undefined) return;
  throw new SetupError(
    `${marked} is marked with "kind" or "sensitive" inside a class that contains itself, where its places cannot be listed. `
    + 'Take the mark away and state the resources in access(), or use a class that does not contain itself.',
  );
}

function markedInside(description: ClassDescription, wanted: (field: FieldDescription) => boolean, seen: Set<ClassDescription>): string | undefined {
  if (seen.has(description)) return undefined;
  seen.add(description);
  const own = description.fields.find(wanted);
  if (own !== undefined) return `${description.name}.${own.property}`;
  for (const field of description.fields) {
    for (const { description: inner } of classesAt(field.node)) {
      const found = markedInside(inner, wanted, seen);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** A resource is a text (or a URL, or a collection of them): anything else could not be judged. */
export function refuseUnresolvable(node: TypeNode, options: ParamOptions, where: string): void {
  if (options.kind === undefined || isTextual(node)) return;
  throw new SetupError(`${where}: the option "kind" needs a text, a URL, or a collection of them, and the field is of the type ${node.kind}. Mark the fields inside it, or state the resources in access().`);
}

function isTextual(node: TypeNode): boolean {
  switch (node.kind) {
    case 'string': case 'url': return true;
    case 'enum': return node.values.every((value) => typeof value === 'string');
    case 'array': return isTextual(node.items);
    case 'record': return isTextual(node.values);
    case 'nullable': return isTextual(node.of);
    case 'tuple': return node.items.every(isTextual);
    case 'union': return node.variants.every(isTextual);
    default: return false;
  }
}

/** What a tool would touch by default must be known before the call, or nobody could judge it. */
export function refuseUnknownDefault(options: ParamOptions, where: string): void {
  if (options.kind === undefined) return;
  throw new SetupError(`${where}: it has a "kind", and a default that is not known before the call. Give a fixed default: @Param({ default: … }).`);
}

/** A marked array of texts means each of its elements. */
function leafPaths(node: TypeNode): string[] {
  switch (node.kind) {
    case 'array': return leafPaths(node.items).map((suffix) => `.*${suffix}`);
    case 'record': return leafPaths(node.values).map((suffix) => `.*${suffix}`);
    case 'nullable': return leafPaths(node.of);
    default: return [''];
  }
}

const noClasses: { suffix: string; description: ClassDescription }[] = [];

function classesAt(node: TypeNode): { suffix: string; description: ClassDescription }[] {
  switch (node.kind) {
    case 'object': return [{ suffix: '', description: node.description }];
    case 'tagged': return node.variants.map(({ description }) => ({ suffix: '', description }));
    case 'array': return classesAt(node.items).map((found) => ({ ...found, suffix: `.*${found.suffix}` }));
    case 'record': return classesAt(node.values).map((found) => ({ ...found, suffix: `.*${found.suffix}` }));
    case 'tuple': return node.items.flatMap((item, index) => classesAt(item).map((found) => ({ ...found, suffix: `.${index}${found.suffix}` })));
    case 'nullable': return classesAt(node.of);
    case 'union': return node.variants.flatMap(classesAt);
    default: return noClasses;
  }
}
