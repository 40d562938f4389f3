/** The description of a type that schema, parser and rules are all made from: one tree, so that they cannot disagree. */
import type { Class, ParamOptions } from '../tool/tool.js';
import type { Json } from './json.js';

/** Constraints in the words of JSON Schema; several patterns (or formats, or multiples) must all hold. */
export interface Keywords {
  minLength?: number;
  maxLength?: number;
  patterns?: string[];
  /** Patterns that must not match. */
  notPatterns?: string[];
  formats?: string[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multiples?: number[];
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  /** Values that the array must hold. */
  contains?: Json[];
  notContains?: Json[];
  minProperties?: number;
  /** The value is one of these. */
  oneOf?: Json[];
  /** The value is none of these. */
  noneOf?: Json[];
}

export type LeafKind = 'string' | 'number' | 'integer' | 'boolean' | 'bigint' | 'date' | 'url' | 'null' | 'json' | 'free-object';

export interface LeafNode {
  kind: LeafKind;
  keywords: Keywords;
}
export interface EnumNode {
  kind: 'enum';
  values: (string | number | boolean | null)[];
  keywords: Keywords;
}
export interface ArrayNode {
  kind: 'array';
  items: TypeNode;
  /** What the built value is. */
  as: 'array' | 'set';
  keywords: Keywords;
}
export interface TupleNode {
  kind: 'tuple';
  items: TypeNode[];
  keywords: Keywords;
}
export interface RecordNode {
  kind: 'record';
  values: TypeNode;
  keyPattern?: string;
  as: 'object' | 'map';
  keywords: Keywords;
}
export interface ObjectNode {
  kind: 'object';
  description: ClassDescription;
  keywords: Keywords;
}
/** A tagged union of classes: `discriminator` says which. */
export interface TaggedNode {
  kind: 'tagged';
  discriminator: string;
  variants: { tag: string; description: ClassDescription }[];
  keywords: Keywords;
}
export interface UnionNode {
  kind: 'union';
  variants: TypeNode[];
  keywords: Keywords;
}
export interface NullableNode {
  kind: 'nullable';
  of: TypeNode;
  keywords: Keywords;
}

export type TypeNode = LeafNode | EnumNode | ArrayNode | TupleNode | RecordNode | ObjectNode | TaggedNode | UnionNode | NullableNode;

/** A class-validator rule that JSON Schema cannot say, as it runs on the built value. */
export interface Rule {
  name: string;
  each: boolean;
  /** A sentence for the field's description. */
  hint?: string;
  validate(value: unknown, owner: object): unknown;
  message(value: unknown, owner: object): string;
  appliesTo?(owner: object, value: unknown): boolean;
}

export interface FieldDescription {
  property: string;
  /** The name that the model sees. */
  name: string;
  node: TypeNode;
  optional: boolean;
  /** JSON form; absent when there is none, or when it differs from instance to instance. */
  default?: Json;
  options: ParamOptions;
  rules: Rule[];
  /** All must be true for the rules to apply (`@ValidateIf`). */
  conditions: ((owner: object, value: unknown) => boolean)[];
  /** class-transformer's `@Transform`, applied to what came in, before it is checked. */
  transforms: ((value: unknown, source: object) => unknown)[];
}

export interface ClassDescription {
  target: Class;
  name: string;
  fields: FieldDescription[];
  /** Filled by the host, by property. */
  injected: { property: string; name: string }[];
  /** A class that contains itself, directly or not, is shown by `$ref`. */
  recursive: boolean;
  /** Whether an instance is its own JSON form; found out when it is first asked for. */
  isFlat?: boolean;
}

export function leaf(kind: LeafKind, keywords: Keywords = {}): LeafNode {
  return { kind, keywords };
}
