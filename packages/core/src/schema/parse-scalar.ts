/** Closures for strings, numbers, booleans, enums, dates, URLs and bigints. Coercion is lossless or refused. */
import { fail, type Check, type RawIssue, didYouMean } from './issue.js';
import { formatCheck } from './formats.js';
import { bigintPattern } from './json-schema.js';
import { patternTest } from './pattern/pattern-test.js';
import type { EnumNode, Keywords, LeafNode } from './type-node.js';

interface Constraint<T> {
  rule: string;
  text: string;
  holds: (value: T) => boolean;
}

export function stringCheck({ keywords }: LeafNode): Check {
  const constraints = stringConstraints(keywords);
  const [least, most] = roomFor(keywords, constraints.length);
  return (value, issues) => {
    if (typeof value !== 'string') return fail(issues, 'type', 'must be a string', value);
    return value.length >= least && value.length <= most ? value : judged(value, constraints, issues);
  };
}

export function numberCheck({ keywords, kind }: LeafNode): Check {
  const constraints = numberConstraints(keywords);
  const [least, most] = insideOf(keywords, constraints.length);
  const isInteger = kind === 'integer';
  const text = isInteger ? 'must be an integer' : 'must be a number';
  return (value, issues) => {
    const number = typeof value === 'string' ? numberIn(value) : value;
    if (isInteger ? !Number.isInteger(number) : !Number.isFinite(number)) return fail(issues, 'type', text, value);
    return (number as number) >= least && (number as number) <= most ? number : judged(number as number, constraints, issues);
  };
}

type Range = readonly [least: number, most: number];
const nothing: Range = [Infinity, -Infinity];

/** The lengths in UTF-16 units of a text that is right without a closer look, which most are. */
function roomFor({ minLength = 0, maxLength = Infinity }: Keywords, constraints: number): Range {
  if (constraints > Number(minLength > 0) + Number(maxLength < Infinity)) return nothing;
  // A character takes one or two units.
  return [minLength === 1 ? 1 : minLength * 2, maxLength];
}

/** The numbers that are right without a closer look. */
function insideOf({ minimum = -Infinity, maximum = Infinity }: Keywords, constraints: number): Range {
  return constraints > Number(minimum > -Infinity) + Number(maximum < Infinity) ? nothing : [minimum, maximum];
}

export function booleanCheck(): Check {
  return (value, issues) => {
    if (typeof value === 'boolean') return value;
    if (value === 'true') return true;
    if (value === 'false') return false;
    return fail(issues, 'type', 'must be true or false', value);
  };
}

export function enumCheck({ values, keywords }: EnumNode): Check {
  const allowed = new Set<unknown>(values.filter((value) => keywords.noneOf?.includes(value) !== true));
  const text = `must be one of ${[...allowed].map((value) => JSON.stringify(value)).join(', ')}`;
  return (value, issues) => {
    if (allowed.has(value)) return value;
    const number = typeof value === 'string' ? numberIn(value) : undefined;
    return number !== undefined && allowed.has(number) ? number : fail(issues, 'enum', `${text}${didYouMean(value, [...allowed])}`, value);
  };
}

/** An RFC 3339 date and time; a day alone is its midnight in UTC. */
export function dateCheck(): Check {
  const [isDateTime, isDay] = [formatCheck('date-time'), formatCheck('date')];
  return (value, issues) => {
    const date = value instanceof Date ? new Date(value) : typeof value === 'string' && (isDateTime(value) || isDay(value)) ? new Date(value) : undefined;
    if (date !== undefined && !Number.isNaN(date.getTime())) return date;
    return fail(issues, 'format', 'must be an ISO 8601 date and time with a zone, e.g. 2026-01-31T12:00:00Z', value);
  };
}

export function urlCheck(): Check {
  const isUri = formatCheck('uri');
  return (value, issues) => {
    if (value instanceof URL) return new URL(value);
    return typeof value === 'string' && isUri(value) && URL.canParse(value) ? new URL(value) : fail(issues, 'format', 'must be a URL with its scheme, e.g. https://example.org', value);
  };
}

/** Digits beyond this are refused: reading them takes quadratic time. */
const mostDigits = 10_000;

export function bigintCheck(): Check {
  const digits = new RegExp(bigintPattern, 'u');
  return (value, issues) => {
    if (typeof value === 'bigint') return value;
    if (typeof value === 'string' && value.length <= mostDigits && digits.test(value)) return BigInt(value);
    return Number.isSafeInteger(value) ? BigInt(value as number) : fail(issues, 'pattern', 'must be a whole number as a string of digits', value);
  };
}

/** The number that a text writes in its shortest form: `"20"` yes; `""`, `"020"`, `"1e400"`, `" 1"` no. */
export function numberIn(text: string): number | undefined {
  if (text.length === 0 || text.length > 24) return undefined;
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? number : undefined;
}

function judged<T>(value: T, constraints: readonly Constraint<T>[], issues: RawIssue[]): unknown {
  let result: unknown = value;
  for (const { rule, text, holds } of constraints) if (!holds(value)) result = fail(issues, rule, text, value);
  return result;
}

function stringConstraints(keywords: Keywords): Constraint<string>[] {
  const { minLength, maxLength, patterns = [], notPatterns = [], formats = [], noneOf } = keywords;
  return [
    ...(minLength === undefined ? [] : [{ rule: 'minLength', text: minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`, holds: (value: string) => hasAtLeast(value, minLength) }]),
    ...(maxLength === undefined ? [] : [{ rule: 'maxLength', text: `must have at most ${maxLength} characters`, holds: (value: string) => !hasAtLeast(value, maxLength + 1) }]),
    ...patterns.map((source) => ({ rule: 'pattern', text: `must match ${source}`, holds: patternTest(source) })),
    ...notPatterns.map((source) => ({ rule: 'not', text: `must not match ${source}`, holds: not(patternTest(source)) })),
    ...formats.map((name) => ({ rule: 'format', text: `must be in the format ${name}`, holds: formatCheck(name) })),
    ...noneOfConstraint<string>(noneOf),
  ];
}

function numberConstraints(keywords: Keywords): Constraint<number>[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multiples = [], noneOf } = keywords;
  return [
    ...(minimum === undefined ? [] : [{ rule: 'minimum', text: `must be at least ${minimum}`, holds: (value: number) => value >= minimum }]),
    ...(maximum === undefined ? [] : [{ rule: 'maximum', text: `must be at most ${maximum}`, holds: (value: number) => value <= maximum }]),
    ...(exclusiveMinimum === undefined ? [] : [{ rule: 'exclusiveMinimum', text: `must be above ${exclusiveMinimum}`, holds: (value: number) => value > exclusiveMinimum }]),
    ...(exclusiveMaximum === undefined ? [] : [{ rule: 'exclusiveMaximum', text: `must be below ${exclusiveMaximum}`, holds: (value: number) => value < exclusiveMaximum }]),
    ...multiples.map((divisor) => ({ rule: 'multipleOf', text: `must be a multiple of ${divisor}`, holds: (value: number) => isMultiple(value, divisor) })),
    ...noneOfConstraint<number>(noneOf),
  ];
}

function noneOfConstraint<T>(noneOf: Keywords['noneOf']): Constraint<T>[] {
  if (noneOf === undefined) return [];
  const refused = new Set<unknown>(noneOf);
  return [{ rule: 'not', text: `must not be one of ${noneOf.map((value) => JSON.stringify(value)).join(', ')}`, holds: (value) => !refused.has(value) }];
}

/** JSON Schema counts characters (code points), not UTF-16 units. */
function hasAtLeast(text: string, count: number): boolean {
  if (text.length < count) return false;
  if (text.length >= count * 2) return true;
  let length = 0;
  for (const _ of text) length += 1;
  return length >= count;
}

/** As Ajv reads `multipleOf`: the quotient is a whole number that can be written without an exponent. */
function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  return Number.isInteger(quotient) && Math.abs(quotient) < 1e21;
}

function not(holds: (text: string) => boolean): (text: string) => boolean {
  return (text) => !holds(text);
}

