/** Parameter classes made at random, out of everything that decorators can say. For property tests. */
import * as rules from 'class-validator';
import fc from 'fast-check';
import { Param } from '../../tool/param.decorator.js';
import type { Class, ParamOptions } from '../../tool/tool.js';
import { integer, json, literal, nullable, record, tuple, union, type TypeSpec } from '../type-forms.js';

type Decorator = (target: object, property: string) => void;
interface FieldModel {
  options: ParamOptions;
  decorators: Decorator[];
}

/** A class with up to five fields, classes inside it included. */
export function randomClasses(depth = 0): fc.Arbitrary<Class<object>> {
  return fc.array(fields(depth), { minLength: depth === 0 ? 1 : 0, maxLength: 5 }).map((models) => classOf(models));
}

function classOf(models: readonly FieldModel[]): Class<object> {
  class Generated {}
  for (const [index, { options, decorators }] of models.entries()) {
    // Names that objects inherit must work too.
    const property = ['a', 'toString', 'b', 'valueOf', 'c'][index] ?? `f${index}`;
    (Param(options as object) as Decorator)(Generated.prototype, property);
    for (const decorate of decorators) decorate(Generated.prototype, property);
  }
  return Generated;
}

function fields(depth: number): fc.Arbitrary<FieldModel> {
  return fc.oneof(strings, numbers, enums, arrays, forms(depth)).chain((model) => fc.constantFrom(false, true).map((optional) => ({ ...model, options: { ...model.options, optional } })));
}

const some = (...decorators: fc.Arbitrary<Decorator>[]): fc.Arbitrary<Decorator[]> => fc.tuple(...decorators.map((decorator) => fc.option(decorator))).map((picked) => picked.filter((one) => one !== null));
const small = fc.nat({ max: 4 });

const strings: fc.Arbitrary<FieldModel> = fc.oneof(
  some(small.map((least) => rules.MinLength(least)), small.map((most) => rules.MaxLength(most + 4)), fc.constant(rules.NotEquals('x')), fc.constant(rules.IsNotIn(['', 'ab']))),
  some(fc.constantFrom(rules.IsEmail(), rules.IsUUID(), rules.IsFQDN(), rules.IsIP('4'), rules.IsUrl({ require_protocol: true }))),
  some(fc.constantFrom(rules.Matches(/^[a-z]{1,4}$/), rules.IsHexadecimal(), rules.IsAlpha(), rules.IsMilitaryTime(), rules.Contains('a.b'), rules.NotContains('x'), rules.IsNumberString(), rules.IsMongoId(), rules.IsBooleanString()), fc.constant(rules.Matches(/[^b]/))),
).map((decorators) => ({ options: { type: () => String }, decorators }));

const numbers: fc.Arbitrary<FieldModel> = fc.tuple(
  fc.constantFrom<TypeSpec>(Number, integer),
  some(
    fc.integer({ min: -9, max: 9 }).map((limit) => rules.Min(limit)), fc.integer({ min: 10, max: 99 }).map((limit) => rules.Max(limit)), fc.constantFrom(rules.IsPositive(), rules.IsNegative(), rules.IsInt()),
    fc.constantFrom(rules.IsDivisibleBy(2), rules.IsDivisibleBy(7)), fc.constant(rules.NotEquals(0)), fc.constantFrom(rules.IsLatitude(), rules.IsLongitude()),
  ),
).map(([type, decorators]) => ({ options: { type: () => type }, decorators }));

const enums: fc.Arbitrary<FieldModel> = fc.oneof(
  fc.constantFrom<ParamOptions>({ enum: ['a', 'b'] }, { enum: [1, 2.5] }, { enum: ['a', 1] }, { type: () => literal(true, 'x', 3) }).map((options) => ({ options, decorators: [] })),
  fc.constantFrom<FieldModel>({ options: { type: () => String }, decorators: [rules.IsIn(['x', 'yy'])] }, { options: { type: () => Number }, decorators: [rules.Equals(5)] }),
);

const arrays: fc.Arbitrary<FieldModel> = fc.tuple(
  fc.constantFrom<TypeSpec>([String], [integer], [[Number]], [Boolean]),
  some(small.map((least) => rules.ArrayMinSize(least)), small.map((most) => rules.ArrayMaxSize(most + 4)), fc.constant(rules.ArrayUnique())),
).map(([type, decorators]) => ({ options: { type: () => type }, decorators }));

function forms(depth: number): fc.Arbitrary<FieldModel> {
  const leafForms = fc.constantFrom<TypeSpec>(
    Boolean, Date, URL, BigInt, Object, json, record(Number), record(String, /^[a-z]{1,3}$/), record(nullable(Boolean)), tuple(String, Number), nullable(String), nullable(integer), nullable(BigInt), union(Number, String), union(integer, [String]),
    union(Boolean, record(Number)), union(nullable(Number), Date), [nullable(Number)], [tuple(Boolean)],
  );
  if (depth >= 2) return leafForms.map((type) => ({ options: { type: () => type }, decorators: [] }));
  const nested = randomClasses(depth + 1);
  return fc.oneof(
    { weight: 3, arbitrary: leafForms.map((type): ParamOptions => ({ type: () => type })) },
    { weight: 1, arbitrary: nested.chain((inner) => fc.constantFrom<TypeSpec>(inner, [inner], record(inner), nullable(inner), tuple(inner, Number))).map((type): ParamOptions => ({ type: () => type })) },
    { weight: 1, arbitrary: fc.tuple(nested, nested).map(([one, other]) => [tagged(one, 'one'), tagged(other, 'other')]).map((variants): ParamOptions => ({ oneOf: () => variants, discriminator: 'kind' })) },
    { weight: 1, arbitrary: fc.constant<ParamOptions>({ type: () => Recursive }) },
  ).map((options) => ({ options, decorators: [] }));
}

class Recursive {
  @Param({ type: () => String }) label!: string;
  @Param({ type: () => [Recursive], optional: true }) children?: Recursive[];
  @Param({ type: () => nullable(Recursive), optional: true }) next?: Recursive | null;
}

function tagged(parent: Class<object>, kind: string): Class {
  return class extends (parent as new () => object) {
    kind = kind;
  };
}
