/**
 * The one reader and writer of Reflect metadata. Decorators only record here; everything else reads through these functions.
 * Keys are `Symbol.for`, and values are plain data, so that two copies of core in one dependency tree agree.
 */
import 'reflect-metadata';
import type { Class, ParamOptions, ToolOptions } from './tool.js';

const TOOL = Symbol.for('haft:tool');
const METHODS = Symbol.for('haft:methods');
const FIELDS = Symbol.for('haft:fields');
const ARGUMENTS = Symbol.for('haft:arguments');

/** What a decorator said about one field or method parameter. */
export type Mark = { from: 'model'; options: ParamOptions } | { from: 'context'; name: string };
export interface FieldMark {
  property: string;
  mark: Mark;
}
export interface ArgumentMark {
  index: number;
  mark: Mark;
}
export interface MethodMark {
  method: string;
  options: ToolOptions;
}

export function markTool(target: Class, options: ToolOptions): void {
  Reflect.defineMetadata(TOOL, options, target);
}

/** Only what stands on this very class: a subclass of a tool is not a tool by itself. */
export function readTool(target: Class): ToolOptions | undefined {
  return Reflect.getOwnMetadata(TOOL, target) as ToolOptions | undefined;
}

export function markMethod(prototype: object, mark: MethodMark): void {
  Reflect.defineMetadata(METHODS, [...ownList<MethodMark>(METHODS, prototype), mark], prototype);
}

/** The methods marked on this class and its ancestors, ancestors first; a child's mark replaces its ancestor's. */
export function readMethods(target: Class): MethodMark[] {
  return inherited<MethodMark>(METHODS, target, (mark) => mark.method);
}

export function isOwnMethodMarked(prototype: object, method: string): boolean {
  return ownList<MethodMark>(METHODS, prototype).some((mark) => mark.method === method);
}

/** Returns false, and marks nothing, where the field of this very class is marked already. */
export function markField(prototype: object, mark: FieldMark): boolean {
  const marks = Reflect.getOwnMetadata(FIELDS, prototype) as FieldMark[] | undefined;
  if (marks === undefined) Reflect.defineMetadata(FIELDS, [mark], prototype);
  else if (marks.some(({ property }) => property === mark.property)) return false;
  else marks.push(mark);
  return true;
}

/** The fields marked on this class and its ancestors, in the order of the text, ancestors first. */
export function readFields(target: Class): FieldMark[] {
  return inherited<FieldMark>(FIELDS, target, (mark) => mark.property);
}

export function markArgument(prototype: object, method: string, mark: ArgumentMark): void {
  const marks = Reflect.getOwnMetadata(ARGUMENTS, prototype, method) as ArgumentMark[] | undefined;
  Reflect.defineMetadata(ARGUMENTS, [...(marks ?? []), mark], prototype, method);
}

/** By position. An overriding method without marks of its own keeps its ancestor's. */
export function readArguments(target: Class, method: string): ArgumentMark[] {
  const marks = Reflect.getMetadata(ARGUMENTS, prototypeOf(target), method) as ArgumentMark[] | undefined;
  return (marks ?? []).toSorted((a, b) => a.index - b.index);
}

/** The type that the compiler wrote for a field; undefined when it wrote none. */
export function designTypeOf(target: Class, property: string): unknown {
  for (let holder: object | null = prototypeOf(target); holder !== null && holder !== Object.prototype; holder = Object.getPrototypeOf(holder) as object | null) {
    const type: unknown = Reflect.getOwnMetadata('design:type', holder, property);
    if (type !== undefined) return type;
  }
  return undefined;
}

/** The types that the compiler wrote for a method's parameters; undefined when it wrote none. */
export function designArgumentsOf(target: Class, method: string): unknown[] | undefined {
  return Reflect.getMetadata('design:paramtypes', prototypeOf(target), method) as unknown[] | undefined;
}

/** The types that the compiler wrote for the parameters of this very class's constructor; undefined when it wrote none. */
export function ownConstructorTypes(target: Class): readonly unknown[] | undefined {
  return Reflect.getOwnMetadata('design:paramtypes', target) as unknown[] | undefined;
}

export function prototypeOf(target: Class): object {
  return target.prototype as object;
}

function ownList<T>(key: symbol, holder: object): T[] {
  return (Reflect.getOwnMetadata(key, holder) as T[] | undefined) ?? [];
}

function inherited<T>(key: symbol, target: Class, idOf: (mark: T) => string): T[] {
  const lists: T[][] = [];
  for (let holder: object | null = prototypeOf(target); holder !== null && holder !== Object.prototype; holder = Object.getPrototypeOf(holder) as object | null) {
    const own = ownList<T>(key, holder);
    if (own.length > 0) lists.unshift(own);
  }
  if (lists.length <= 1) return lists[0] ?? [];
  const byId = new Map<string, T>();
  for (const own of lists) for (const mark of own) byId.set(idOf(mark), mark);
  return [...byId.values()];
}
