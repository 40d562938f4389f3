/** Closures for arrays, sets, tuples, records, maps, unions and nullables. */
import { FAILED, fail, under, type Check, type RawIssue } from './issue.js';
import { patternTest } from './pattern/pattern-test.js';
import { arrayIn, isDangerousKey, isPlainObject, mostDepth, objectIn, refuseDangerousKey } from './parse-json.js';
import type { ArrayNode, Keywords, RecordNode, TypeNode, UnionNode } from './type-node.js';

export function arrayCheck({ as, keywords }: ArrayNode, item: Check): Check {
  return (value, issues, depth) => {
    const source = as === 'set' && value instanceof Set ? [...(value as Set<unknown>)] : arrayIn(value);
    if (source === undefined) return fail(issues, 'type', 'must be an array', value);
    if (depth > mostDepth) return fail(issues, 'depth', `must not be nested deeper than ${mostDepth}`, []);
    const before = issues.length;
    const built: unknown[] = [];
    for (let index = 0; index < source.length; index += 1) built.push(itemAt(index, source[index], item, issues, depth));
    if (issues.length === before) checkArray(source, built, keywords, issues);
    else checkSize(source, keywords, issues);
    if (issues.length > before) return FAILED;
    return as === 'set' ? new Set(built) : built;
  };
}

export function tupleCheck(items: readonly Check[]): Check {
  return (value, issues, depth) => {
    const source = arrayIn(value);
    if (source === undefined || source.length !== items.length) return fail(issues, 'items', `must be an array of exactly ${items.length} items`, value);
    const before = issues.length;
    const built = items.map((item, index) => itemAt(index, source[index], item, issues, depth));
    return issues.length === before ? built : FAILED;
  };
}

export function recordCheck({ as, keyPattern, keywords }: RecordNode, item: Check): Check {
  const fitsKey = keyPattern === undefined ? undefined : patternTest(keyPattern);
  return (value, issues, depth) => {
    const source = value instanceof Map ? Object.fromEntries(value as Map<string, unknown>) : objectIn(value);
    if (source === undefined) return fail(issues, 'type', 'must be an object', value);
    if (depth > mostDepth) return fail(issues, 'depth', `must not be nested deeper than ${mostDepth}`, {});
    const before = issues.length;
    const built = new Map<string, unknown>();
    for (const key of Object.keys(source)) {
      if (isDangerousKey(key)) refuseDangerousKey(key, issues);
      else if (fitsKey?.(key) === false) issues.push({ keys: [key], rule: 'propertyNames', text: `is a key that does not match ${keyPattern}` });
      else built.set(key, itemAt(key, source[key], item, issues, depth));
    }
    if (built.size < (keywords.minProperties ?? 0)) fail(issues, 'minProperties', `must have at least ${keywords.minProperties} entries`, value);
    if (issues.length > before) return FAILED;
    return as === 'map' ? built : Object.fromEntries(built);
  };
}

export function nullableCheck(inner: Check): Check {
  return (value, issues, depth) => (value === null ? null : inner(value, issues, depth));
}

/**
 * Unions of classes that contain unions of themselves can be tried in 2^depth ways. Parsing is synchronous, so one count serves the parse that is under way.
 */
const mostTries = 10_000;
let tries = 0;

/** At the start of each parse. */
export function startUnions(): void {
  tries = 0;
}

/** A variant that takes the value's JSON type as it is goes before one that would have to coerce it. */
export function unionCheck({ variants }: UnionNode, checks: readonly Check[]): Check {
  const text = `must be ${variants.map(nameOf).join(' or ')}`;
  return (value, issues, depth) => {
    const exact = checks.filter((_, index) => takes(variants[index], value));
    const candidates = exact.length > 0 ? exact : checks;
    const found: RawIssue[] = [];
    for (const check of candidates) {
      if (candidates.length > 1 && (tries += 1) > mostTries) return fail(issues, 'anyOf', 'can be read in too many ways; make it smaller', value);
      const built = check(value, found, depth);
      if (built !== FAILED) return built;
    }
    if (candidates.length > 1) return fail(issues, 'anyOf', text, value);
    issues.push(...found);
    return FAILED;
  };
}

function itemAt(key: number | string, value: unknown, item: Check, issues: RawIssue[], depth: number): unknown {
  const before = issues.length;
  const built = item(value, issues, depth + 1);
  if (built === FAILED) under(key, issues, before);
  return built;
}

function checkSize(source: readonly unknown[], { minItems, maxItems }: Keywords, issues: RawIssue[]): void {
  if (minItems !== undefined && source.length < minItems) fail(issues, 'minItems', `must have at least ${minItems} item${minItems === 1 ? '' : 's'}`, source);
  if (maxItems !== undefined && source.length > maxItems) fail(issues, 'maxItems', `must have at most ${maxItems} items`, source);
}

function checkArray(source: readonly unknown[], built: readonly unknown[], keywords: Keywords, issues: RawIssue[]): void {
  checkSize(source, keywords, issues);
  const { uniqueItems, contains = [], notContains = [] } = keywords;
  if (uniqueItems === true && hasDuplicates(built)) fail(issues, 'uniqueItems', 'must not hold the same item twice', source);
  for (const wanted of contains) if (!built.includes(wanted)) fail(issues, 'contains', `must hold ${JSON.stringify(wanted)}`, source);
  for (const refused of notContains) if (built.includes(refused)) fail(issues, 'not', `must not hold ${JSON.stringify(refused)}`, source);
}

function hasDuplicates(items: readonly unknown[]): boolean {
  return new Set(items.map((item) => (typeof item === 'object' && item !== null ? canonical(item) : item))).size < items.length;
}

/** Equal for values that JSON Schema calls equal: the order of keys does not count. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return part.toString();
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Whether the value has the JSON type of the node, so that no coercion is needed. */
function takes(node: TypeNode | undefined, value: unknown): boolean {
  switch (node?.kind) {
    case undefined: return false;
    case 'string': case 'date': case 'url': case 'bigint': return typeof value === 'string';
    case 'number': return typeof value === 'number';
    case 'integer': return Number.isInteger(value);
    case 'boolean': return typeof value === 'boolean';
    case 'null': return value === null;
    case 'json': return true;
    case 'enum': return node.values.includes(value as string);
    case 'array': case 'tuple': return Array.isArray(value);
    case 'record': case 'object': case 'tagged': case 'free-object': return isPlainObject(value);
    case 'nullable': return value === null || takes(node.of, value);
    case 'union': return node.variants.some((variant) => takes(variant, value));
  }
}

function nameOf(node: TypeNode): string {
  switch (node.kind) {
    case 'enum': return `one of ${node.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'integer': return 'an integer';
    case 'array': case 'tuple': return 'an array';
    case 'object': case 'record': case 'tagged': case 'free-object': return 'an object';
    case 'nullable': return `${nameOf(node.of)} or null`;
    case 'null': return 'null';
    case 'json': return 'a JSON value';
    default: return `a ${node.kind}`;
  }
}
