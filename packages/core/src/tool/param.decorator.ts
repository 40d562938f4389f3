/** `@Param` and `@FromContext`: what the model fills, and what the host fills. They only record. */
import { SetupError } from '../errors.js';
import { checkParamOptions, refuseDangerousProperty } from './check-options.js';
import { markArgument, markField, type Mark } from './tool-metadata.js';
import type { ParamOptions } from './tool.js';

type Widened<T> = T extends string ? string : T extends readonly (infer Item)[] ? readonly Widened<Item>[] : T;

/** What the compiler shows when a default does not fit the field's type. */
interface DefaultDoesNotFit<Field> {
  readonly 'the default does not fit the type of the field': Field;
}
/** What the compiler shows for `limit?: number`: the question mark does not exist at run time. */
interface SayOptional {
  readonly 'a field that may be undefined needs { optional: true }, a default, or an initialiser in place of the question mark': never;
}
type Fitting<Default, Optional, Owner, Key> = Key extends keyof Owner
  ? unknown extends Owner[Key] ? unknown
    : [Default] extends [never] ? (undefined extends Owner[Key] ? (Optional extends true ? unknown : SayOptional) : unknown)
      : [Default] extends [Owner[Key]] ? unknown
        : Owner[Key] extends readonly unknown[] ? ([Default] extends [Widened<Owner[Key]>] ? unknown : DefaultDoesNotFit<Owner[Key]>)
          : DefaultDoesNotFit<Owner[Key]>
  : unknown;

/** On a field, or on a parameter of a method that is a tool. `Default` must fit the field's type. */
export interface ParamDecorator<Default = never, Optional extends boolean = true> {
  <Owner extends object, Key extends string>(target: Owner, property: Key & Fitting<Default, Optional, Owner, Key>): void;
  (target: object, method: string | symbol | undefined, index: number): void;
}

type DefaultValue = string | number | boolean | bigint | object | null | undefined;
type Options<Default, Optional> = Omit<ParamOptions<Default>, 'optional'> & { optional?: Optional };

/**
 * Marks a field (or a method's parameter) that the model fills. An initialiser is its default and makes it optional; without one, say
 * `optional: true`, since the question mark of `limit?: number` does not exist at run time.
 * @throws SetupError on the spot for an unknown or wrong option.
 */
export function Param<Default extends DefaultValue = never, Optional extends boolean = false>(
  description: string,
  options?: Omit<Options<Default, Optional>, 'description'>,
): ParamDecorator<Default, Optional>;
export function Param<Default extends DefaultValue = never, Optional extends boolean = false>(options?: Options<Default, Optional>): ParamDecorator<Default, Optional>;
export function Param(first: string | ParamOptions = {}, second: ParamOptions = {}): ParamDecorator<never, false> {
  const options: ParamOptions = typeof first === 'string' ? Object.assign({}, second, { description: first }) : Object.assign({}, first);
  return decorator('@Param', { from: 'model', options }, (where) => checkParamOptions(options, where)) as unknown as ParamDecorator<never, false>;
}

/** Marks a field or method parameter that the host fills by this name (`CallContext.injected`); no schema ever shows it. */
export function FromContext(name: string): ParamDecorator {
  return decorator('@FromContext', { from: 'context', name }, (where) => {
    if (typeof name !== 'string' || name === '') throw new SetupError(`@FromContext on ${where}: give the name of the value, e.g. @FromContext('user').`);
  }) as ParamDecorator;
}

function decorator(label: string, mark: Mark, checkOptions: (where: string) => void) {
  return (target: object, key: string | symbol | undefined, index?: number | PropertyDescriptor): void => {
    const owner = typeof target === 'function' ? target.name : target.constructor.name;
    const where = `${owner}.${String(key ?? 'constructor')}`;
    if (key === undefined) throw new SetupError(`${label} on a constructor parameter of ${owner}: constructor parameters are services. Put it on a field.`);
    if (typeof key === 'symbol') throw new SetupError(`${label} on ${where}: a parameter needs a name, not a symbol.`);
    if (typeof target === 'function') throw new SetupError(`${label} on ${where}: static members cannot be parameters. Make it an instance field.`);
    checkOptions(typeof index === 'number' ? `${where} (parameter ${index})` : where);
    if (typeof index === 'number') return markArgument(target, key, { index, mark });
    if (index !== undefined) throw new SetupError(`${label} on ${where}: it is a method or accessor. Put it on a field.`);
    refuseDangerousProperty(key, where);
    if (!markField(target, { property: key, mark })) throw new SetupError(`${label} on ${where}: the field is marked twice. Keep one.`);
  };
}
