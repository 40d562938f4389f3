// The table knows every decorator of class-validator, and where it says that the schema is enough, our verdict is class-validator's own.
import { describe, expect, test } from '@jest/globals';
import * as classValidator from 'class-validator';
import { Param, tool, type Class, type ToolDefinition } from '../index.js';
import { constraintTable } from './constraint-keywords.js';

const { validateSync } = classValidator;

test('every decorator of class-validator stands in the table', () => {
  const names = Object.entries(classValidator).filter(([key, value]) => /^[A-Z][A-Z0-9_]+$/.test(key) && typeof value === 'string').map(([, value]) => value as unknown as string);
  expect(names.length).toBeGreaterThan(90);
  expect(names.filter((name) => name !== 'isOptional' && !(name in constraintTable))).toEqual([]);
});

type Decorator = ReturnType<typeof classValidator.IsInt>;
const texts = [
  '', 'a', 'ab', 'abc', 'abcdef', 'ABC', 'a1', '1', '12', '0', '-1', '+1.5', '.5', '1.', '0x1f', '0h1F', '#fff', '#ffff', 'ffggff', '0o17', '08', '12:30', '2400', '0930', '507f1f77bcf86cd799439011', 'true', 'false', 'yes', '😀😀', 'é', 'a.b', 'aXb', ' ', 'red',
];
const numbers = [0, 1, -1, 2, 3, 7, 14, 49, 50, 51, 89.9, 90, 90.1, -90, -91, 180, 181, -180.5, 1.5, 2.25, 1e10];
const lists = [[], ['a'], ['a', 'b'], ['a', 'b', 'c'], ['b', 'b'], ['d', 'e', 'f', 'g']];

function verdicts(type: unknown, decorator: Decorator, values: readonly unknown[]): { value: unknown; ours: boolean; theirs: boolean }[] {
  class Sample {
    value: unknown;
  }
  decorator(Sample.prototype, 'value');
  Param({ type: () => type })(Sample.prototype, 'value' as never);
  const sample: ToolDefinition = tool({ name: 'sample', description: 'A sample.', scopes: [], parameters: Sample as Class<object> }, () => 'done');
  expect(sample.rules).toBeUndefined();
  return values.map((value) => ({ value, ours: sample.parse({ value }).ok, theirs: validateSync(Object.assign(new Sample(), { value })).length === 0 }));
}

describe('the schema is as strict as class-validator, no more and no less', () => {
  const {
    Min, Max, IsPositive, IsNegative, IsDivisibleBy, IsLatitude, IsLongitude, IsInt, IsNumber, Equals, NotEquals, IsIn, IsNotIn, MinLength, MaxLength, Length, Matches, Contains, NotContains, IsAlpha, IsAlphanumeric, IsAscii, IsHexadecimal, IsHexColor, IsOctal,
    IsMongoId, IsMilitaryTime, IsBooleanString, IsNumberString, IsNotEmpty, IsString, ArrayNotEmpty, ArrayMinSize, ArrayMaxSize, ArrayContains, ArrayNotContains, IsEnum,
  } = classValidator;
  test.each<[string, unknown, Decorator, readonly unknown[]]>([
    ['Min', Number, Min(2), numbers], ['Max', Number, Max(49), numbers], ['IsPositive', Number, IsPositive(), numbers], ['IsNegative', Number, IsNegative(), numbers], ['IsDivisibleBy', Number, IsDivisibleBy(7), numbers],
    ['IsLatitude', Number, IsLatitude(), numbers], ['IsLongitude', Number, IsLongitude(), numbers], ['IsInt', Number, IsInt(), numbers], ['IsNumber', Number, IsNumber(), numbers], ['Equals', Number, Equals(2), numbers],
    ['NotEquals', Number, NotEquals(2), numbers], ['IsIn', Number, IsIn([1, 2]), numbers], ['IsNotIn', Number, IsNotIn([1, 2]), numbers], ['IsEnum', String, IsEnum({ Red: 'red', A: 'a' }), texts],
    ['MinLength', String, MinLength(2), texts], ['MaxLength', String, MaxLength(2), texts], ['Length', String, Length(1, 3), texts], ['Matches', String, Matches(/^[a-c]+\d?$/), texts], ['Matches (text)', String, Matches('b'), texts],
    ['Contains', String, Contains('a.b'), texts], ['NotContains', String, NotContains('.'), texts], ['IsAlpha', String, IsAlpha(), texts], ['IsAlphanumeric', String, IsAlphanumeric('en-US'), texts], ['IsAscii', String, IsAscii(), texts],
    ['IsHexadecimal', String, IsHexadecimal(), texts], ['IsHexColor', String, IsHexColor(), texts], ['IsOctal', String, IsOctal(), texts], ['IsMongoId', String, IsMongoId(), texts], ['IsMilitaryTime', String, IsMilitaryTime(), texts],
    ['IsBooleanString', String, IsBooleanString(), texts], ['IsNumberString', String, IsNumberString(), texts], ['IsNotEmpty', String, IsNotEmpty(), texts], ['IsString', String, IsString(), texts],
    ['ArrayNotEmpty', [String], ArrayNotEmpty(), lists], ['ArrayMinSize', [String], ArrayMinSize(2), lists], ['ArrayMaxSize', [String], ArrayMaxSize(2), lists], ['ArrayContains', [String], ArrayContains(['a', 'b']), lists],
    ['ArrayNotContains', [String], ArrayNotContains(['c', 'd']), lists], ['MinLength each', [String], MinLength(1, { each: true }), [[], ['a'], ['a', '']]],
  ])('%s', (_, type, decorator, values) => {
    const found = verdicts(type, decorator, values);
    expect(found.filter(({ ours, theirs }) => ours !== theirs)).toEqual([]);
    expect(new Set(found.map(({ ours }) => ours)).size).toBeGreaterThanOrEqual(['IsString', 'IsNumber'].includes(String(_)) ? 1 : 2);
  });
});

test('what the schema cannot say runs as a rule: the verdict of both layers is class-validator\'s', async () => {
  const { IsEmail, IsUUID, IsFQDN, IsIP, IsUrl, IsISO8601, IsPort, IsJSON, IsLowercase, IsUppercase, IsByteLength, IsSemVer, IsBase64, IsCreditCard, IsTimeZone, IsHash, IsMACAddress } = classValidator;
  const values = [
    'a@example.org', 'a@b', '3f2504e0-4f89-41d3-9a0c-0305e82c3301', 'example.org', 'localhost', '127.0.0.1', '::1', 'https://example.org/a', 'example.org/a', '2026-01-31', '2026-13-01', '8080', '99999', '{"a":1}', '{a}', 'abc', 'ABC', '1.2.3', 'YWJj', '4111111111111111',
    'Europe/Paris', 'd41d8cd98f00b204e9800998ecf8427e', '00:1b:44:11:3a:b7', '',
  ];
  for (const decorator of [IsEmail(), IsUUID(), IsFQDN(), IsIP(), IsIP('6'), IsUrl(), IsISO8601(), IsPort(), IsJSON(), IsLowercase(), IsUppercase(), IsByteLength(2, 4), IsSemVer(), IsBase64(), IsCreditCard(), IsTimeZone(), IsHash('md5'), IsMACAddress()]) {
    class Sample {
      @Param() value!: string;
    }
    decorator(Sample.prototype, 'value');
    const sample = tool({ name: 'sample', description: 'A sample.', scopes: [], parameters: Sample }, () => 'done');
    for (const value of values) {
      const outcome = sample.parse({ value });
      const ours = outcome.ok && (await sample.rules?.(outcome.value))?.length === 0;
      expect({ value, said: sample.parameters.properties?.value, ours }).toEqual({ value, said: expect.any(Object), ours: validateSync(Object.assign(new Sample(), { value })).length === 0 });
    }
  }
});
