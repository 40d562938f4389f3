/** Types that a constructor alone cannot say, for `@Param({ type: () => … })`: `record(Number)`, `nullable(String)`, … */
import type { Class } from '../tool/tool.js';

const FORM = Symbol.for('haft:type-form');

type FormShape =
  | { form: 'integer' | 'json' }
  | { form: 'array'; of: TypeSpec }
  | { form: 'tuple'; of: readonly TypeSpec[] }
  | { form: 'record'; of: TypeSpec; keyPattern?: string }
  | { form: 'nullable'; of: TypeSpec }
  | { form: 'union'; of: readonly TypeSpec[] }
  | { form: 'literal'; values: readonly (string | number | boolean)[] };

/** A type made by one of the functions of this file. */
export type TypeForm = FormShape & { readonly [FORM]: true };

/**
 * What the option `type` returns: a constructor (`String`, `Number`, `Boolean`, `BigInt`, `Date`, `URL`, `Object` for any JSON object, or a class
 * with `@Param` fields), `[T]` for an array of T, or a form.
 */
export type TypeSpec = Class | typeof BigInt | TypeForm | readonly [TypeSpec];

const form = (shape: FormShape): TypeForm => Object.freeze({ ...shape, [FORM]: true as const });

export const integer: TypeForm = form({ form: 'integer' });
/** Any JSON value. */
export const json: TypeForm = form({ form: 'json' });
export const arrayOf = (of: TypeSpec): TypeForm => form({ form: 'array', of });
/** An array of fixed length, one type per place. */
export const tuple = (...of: readonly TypeSpec[]): TypeForm => form({ form: 'tuple', of });
/** An object with any keys (those that match `keyPattern`, if given) and values of one type; a `Map` where the field is one. */
export const record = (of: TypeSpec, keyPattern?: RegExp): TypeForm => form({ form: 'record', of, ...(keyPattern && { keyPattern: keyPattern.source }) });
export const nullable = (of: TypeSpec): TypeForm => form({ form: 'nullable', of });
/** Any of these types; a value is never coerced where one of them takes it as it is. */
export const union = (...of: readonly TypeSpec[]): TypeForm => form({ form: 'union', of });
export const literal = (...values: readonly (string | number | boolean)[]): TypeForm => form({ form: 'literal', values });

export function isTypeForm(value: unknown): value is TypeForm {
  return typeof value === 'object' && value !== null && (value as { [FORM]?: unknown })[FORM] === true;
}
