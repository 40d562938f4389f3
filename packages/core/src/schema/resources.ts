/** Where in the arguments resources and secrets are: what containment, locks, approvals and redaction work on. */
import type { ParamResource, Scope } from '../tool/tool.js';
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
  // A class inside itself would go on for ever; its first level is listed.
  const paths: Found[] = [];
  if (within.includes(description)) return paths;
  for (const field of description.fields) {
    if (wanted(field)) paths.push(...leafPaths(field.node).map((suffix) => ({ path: `${nameOf(field)}${suffix}`, field })));
    for (const { suffix, description: inner } of classesAt(field.node)) {
      for (const found of pathsOf(inner, nameOf, wanted, [...within, description])) paths.push({ ...found, path: `${nameOf(field)}${suffix}.${found.path}` });
    }
  }
  return paths;
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
