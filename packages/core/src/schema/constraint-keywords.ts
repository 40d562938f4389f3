/**
 * The table of class-validator's decorators: what each says in JSON Schema, and which run as rules on the built value. docs/constraints.md is
 * made from it. A decorator that is not here (a custom one) runs as a rule.
 */
import type { Json } from './json.js';
import { enumValues } from './enum-values.js';
import { isTestable } from './pattern/pattern-test.js';
import { unicodePattern } from './pattern/unicode-pattern.js';
import type { Keywords, LeafKind } from './type-node.js';

/** What a field must be for a decorator to be said in its schema; elsewhere the decorator runs as a rule. */
export type AppliesTo = 'string' | 'number' | 'array' | 'object' | 'value' | 'any';

export interface ConstraintMapping {
  on: AppliesTo;
  /** The type of a field that has this decorator and no other sign of its type. */
  implies?: LeafKind;
  /** Takes the decorator's first two constraints. Absent, or undefined for these: JSON Schema cannot say it. */
  keywords?: (first?: unknown, second?: unknown) => Keywords | undefined;
  /** The keywords are weaker than the decorator, which therefore runs as a rule too. */
  alsoRule?: true;
  /** What the field's description says of a rule, where class-validator's own message would not help. */
  hint?: (constraints: readonly unknown[]) => string;
  /** For the docs: how the schema says it. */
  says?: string;
}

const number = (value: unknown): number => value as number;
const type = (implies: LeafKind, says: string): ConstraintMapping => ({ on: 'any', implies, says, keywords: () => ({}) });
const text = (says: string, keywords: NonNullable<ConstraintMapping['keywords']>): ConstraintMapping => ({ on: 'string', implies: 'string', says, keywords });
const numeric = (says: string, keywords: NonNullable<ConstraintMapping['keywords']>): ConstraintMapping => ({ on: 'number', implies: 'number', says, keywords });
const array = (says: string, keywords: NonNullable<ConstraintMapping['keywords']>): ConstraintMapping => ({ on: 'array', says, keywords });
const pattern = (source: string): ConstraintMapping => text(`pattern ${source}`, () => ({ patterns: [source] }));
const englishPattern = (source: string): ConstraintMapping => text(`pattern ${source} (locale en-US; others run as rules)`, (locale) => (locale === undefined || locale === 'en-US' ? { patterns: [source] } : undefined));
const format = (name: string): ConstraintMapping => ({ on: 'string', implies: 'string', says: `format ${name}`, keywords: () => ({ formats: [name] }), alsoRule: true });
const rule = (implies?: LeafKind): ConstraintMapping => ({ on: 'any', ...(implies && { implies }) });

export const constraintTable: Readonly<Record<string, ConstraintMapping>> = {
  // Types
  isString: type('string', 'type string'),
  isNumber: {
    ...type('number', 'type number (maxDecimalPlaces runs as a rule)'),
    keywords: (options) => (decimalPlaces(options) === undefined ? {} : undefined),
    hint: ([options]) => `At most ${decimalPlaces(options)} decimal places.`,
  },
  isInt: type('integer', 'type integer'),
  isBoolean: type('boolean', 'type boolean'),
  isDate: type('date', 'type string, format date-time; built as a Date'),
  isArray: { on: 'array', says: 'type array', keywords: () => ({}) },
  isObject: type('free-object', 'type object'),
  isInstance: { on: 'any', says: 'the schema of the class', keywords: () => ({}) },
  isEnum: { on: 'value', says: 'enum (the values, never the key names)', keywords: (entity) => ({ oneOf: enumValues(entity as object) }) },
  // Values
  isDefined: { on: 'any', says: 'required', keywords: () => ({}) },
  equals: { on: 'value', says: 'enum of one value', keywords: (value) => (isScalar(value) ? { oneOf: [value] } : undefined) },
  notEquals: { on: 'value', says: 'not enum', keywords: (value) => (isScalar(value) ? { noneOf: [value] } : undefined) },
  isIn: { on: 'value', says: 'enum', keywords: (values) => (scalars(values) ? { oneOf: [...values] } : undefined) },
  isNotIn: { on: 'value', says: 'not enum', keywords: (values) => (scalars(values) ? { noneOf: [...values] } : undefined) },
  isNotEmpty: { on: 'any', says: 'minLength 1 on strings; always true elsewhere', keywords: () => ({ minLength: 1 }) },
  isEmpty: rule(),
  // Numbers
  min: numeric('minimum', (limit) => ({ minimum: number(limit) })),
  max: numeric('maximum', (limit) => ({ maximum: number(limit) })),
  isPositive: numeric('exclusiveMinimum 0', () => ({ exclusiveMinimum: 0 })),
  isNegative: numeric('exclusiveMaximum 0', () => ({ exclusiveMaximum: 0 })),
  isDivisibleBy: numeric('multipleOf (whole numbers above 0; others run as rules)', (divisor) => (Number.isInteger(divisor) && number(divisor) > 0 ? { multiples: [number(divisor)] } : undefined)),
  isLatitude: { on: 'number', says: 'minimum -90, maximum 90 on numbers; a rule on strings', keywords: () => ({ minimum: -90, maximum: 90 }) },
  isLongitude: { on: 'number', says: 'minimum -180, maximum 180 on numbers; a rule on strings', keywords: () => ({ minimum: -180, maximum: 180 }) },
  // Strings: length and patterns
  minLength: text('minLength', (limit) => ({ minLength: number(limit) })),
  maxLength: text('maxLength', (limit) => ({ maxLength: number(limit) })),
  isLength: text('minLength, maxLength', (least, most) => ({ ...(least !== undefined && { minLength: number(least) }), ...(most !== undefined && { maxLength: number(most) }) })),
  matches: text('pattern (without flags other than u; others run as rules)', (expression, modifiers) => patternOf(expression, modifiers)),
  contains: text('pattern', (seed) => ({ patterns: [escapePattern(String(seed))] })),
  notContains: text('not pattern', (seed) => ({ notPatterns: [escapePattern(String(seed))] })),
  isAlpha: englishPattern('^[A-Za-z]+$'),
  isAlphanumeric: englishPattern('^[0-9A-Za-z]+$'),
  isAscii: pattern('^[\\x00-\\x7F]+$'),
  isHexadecimal: pattern('^(0[xXhH])?[0-9A-Fa-f]+$'),
  isHexColor: pattern('^#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$'),
  isOctal: pattern('^(0[oO])?[0-7]+$'),
  isMongoId: pattern('^[0-9A-Fa-f]{24}$'),
  isMilitaryTime: pattern('^([01]\\d|2[0-3]):?([0-5]\\d)$'),
  isBooleanString: text('enum true, false, 1, 0', () => ({ oneOf: ['true', 'false', '1', '0'] })),
  isNumberString: text('pattern (without options; with some it runs as a rule)', (options) => (options === undefined ? { patterns: ['^[+\\-]?([0-9]*[.])?[0-9]+$'] } : undefined)),
  // Strings: formats
  isEmail: format('email'),
  isUuid: format('uuid'),
  isFqdn: format('hostname'),
  isIp: { on: 'string', implies: 'string', says: 'format ipv4 or ipv6 (no version: a rule only)', alsoRule: true, keywords: (version) => ipFormat(version) },
  isUrl: { on: 'string', implies: 'string', says: 'format uri with require_protocol; else a rule only', alsoRule: true, keywords: (options) => ((options as { require_protocol?: boolean } | undefined)?.require_protocol === true ? { formats: ['uri'] } : undefined) },
  // Arrays
  arrayNotEmpty: array('minItems 1', () => ({ minItems: 1 })),
  arrayMinSize: array('minItems', (limit) => ({ minItems: number(limit) })),
  arrayMaxSize: array('maxItems', (limit) => ({ maxItems: number(limit) })),
  // The recorded decorator does not show whether it has an identifier function, so it also runs.
  arrayUnique: { ...array('uniqueItems (of scalars; elsewhere a rule only)', () => ({ uniqueItems: true })), alsoRule: true },
  arrayContains: array('contains, one per value', (values) => (scalars(values) ? { contains: [...values] } : undefined)),
  arrayNotContains: array('not contains', (values) => (scalars(values) ? { notContains: [...values] } : undefined)),
  // Objects
  isNotEmptyObject: { on: 'object', says: 'minProperties 1', keywords: () => ({ minProperties: 1 }), alsoRule: true },
  // What JSON Schema cannot say
  minDate: rule('date'),
  maxDate: rule('date'),
  isLatLong: rule('string'),
  ...Object.fromEntries([
    'isBase32', 'isBase58', 'isBase64', 'isBIC', 'isBtcAddress', 'isByteLength', 'isCreditCard', 'isCurrency', 'isDataURI', 'isDateString', 'isDecimal', 'isEAN', 'isEthereumAddress',
    'IsFirebasePushId', 'isFullWidth', 'isHalfWidth', 'isHash', 'isHSL', 'isIBAN', 'isIdentityCard', 'isISO31661Alpha2', 'isISO31661Alpha3', 'isISO31661Numeric', 'isISO6391', 'isISO4217CurrencyCode', 'isIso8601', 'isIsbn', 'isIsin',
    'isISRC', 'isISSN', 'isJson', 'isJwt', 'isLocale', 'isLowercase', 'isMacAddress', 'isMagnetURI', 'isMimeType', 'isMobilePhone', 'isMultibyte', 'isPassportNumber', 'isPhoneNumber', 'isPort',
    'isPostalCode', 'isRFC3339', 'isRgbColor', 'isSemVer', 'isStrongPassword', 'isSurrogatePair', 'isTaxId', 'isTimeZone', 'isUppercase', 'isVariableWidth',
  ].map((name) => [name, rule('string')])),
};

/** A pattern as JSON Schema (and its Unicode mode) understands it, or undefined where flags or syntax say something else. */
function patternOf(expression: unknown, modifiers: unknown): Keywords | undefined {
  const source = unicodePattern(expression instanceof RegExp ? expression.source : String(expression));
  const flags = (typeof modifiers === 'string' ? modifiers : expression instanceof RegExp ? expression.flags : '').replaceAll(/[gu]/g, '');
  return flags === '' && source !== undefined && isTestable(source) ? { patterns: [source] } : undefined;
}

/** Escaped so that the pattern is also valid in Unicode mode. */
export function escapePattern(literal: string): string {
  return literal.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function decimalPlaces(options: unknown): number | undefined {
  return (options as { maxDecimalPlaces?: number } | undefined)?.maxDecimalPlaces;
}

function ipFormat(version: unknown): Keywords | undefined {
  if (version === '4' || version === 4) return { formats: ['ipv4'] };
  if (version === '6' || version === 6) return { formats: ['ipv6'] };
  return undefined;
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

function scalars(values: unknown): values is Exclude<Json, Json[] | object>[] {
  return Array.isArray(values) && values.length > 0 && values.every(isScalar);
}
