/** The second layer: class-validator decorators that JSON Schema cannot say, run on the built values after structure held. */
import type { Issue } from '../tool/tool.js';
import { showValue } from './issue.js';
import { isSensitive } from './resources.js';
import { ownValue } from './to-json.js';
import type { ClassDescription, FieldDescription, Rule, TypeNode } from './type-node.js';

type Values = Record<string, unknown>;

/** Runs the rules of a class and of the classes inside it; undefined when there are none. */
export function compileRules(description: ClassDescription): ((value: Values) => Promise<Issue[]>) | undefined {
  if (!hasRules(description, new Set())) return undefined;
  const prototype = description.target.prototype as object;
  return async (value) => {
    const issues: Issue[] = [];
    // Rules across fields read the object, and may call its methods.
    await runClass(description, Object.assign(Object.create(prototype) as Values, value), '', issues);
    return issues;
  };
}

function hasRules(description: ClassDescription, seen: Set<ClassDescription>): boolean {
  if (seen.has(description)) return false;
  seen.add(description);
  return description.fields.some((field) => field.rules.length > 0 || field.conditions.length > 0 || classesIn(field.node).some((nested) => hasRules(nested, seen)));
}

function classesIn(node: TypeNode): ClassDescription[] {
  switch (node.kind) {
    case 'object': return [node.description];
    case 'tagged': return node.variants.map(({ description }) => description);
    case 'array': return classesIn(node.items);
    case 'record': return classesIn(node.values);
    case 'nullable': return classesIn(node.of);
    case 'tuple': return node.items.flatMap(classesIn);
    case 'union': return node.variants.flatMap(classesIn);
    default: return [];
  }
}

async function runClass(description: ClassDescription, owner: Values, path: string, issues: Issue[]): Promise<void> {
  for (const field of description.fields) {
    const at = path === '' ? field.name : `${path}.${field.name}`;
    const value = ownValue(owner, field.property);
    if (!field.conditions.every((condition) => condition(owner, value))) continue;
    if (value === undefined || value === null) {
      if (field.conditions.length > 0 && value === undefined) issues.push({ path: at, rule: 'required', message: `${at} is required with these arguments` });
      continue;
    }
    for (const rule of field.rules) await runRule(rule, field, owner, at, issues);
    await runNested(field.node, value, at, issues);
  }
}

async function runRule(rule: Rule, field: FieldDescription, owner: Values, at: string, issues: Issue[]): Promise<void> {
  const value = owner[field.property];
  if (rule.appliesTo?.(owner, value) === false) return;
  const subjects: unknown[] = rule.each && isIterable(value) ? [...elements(value)] : [value];
  for (const subject of subjects) {
    if ((await rule.validate(subject, owner)) === true) continue;
    const hidden = isSensitive(field);
    const received = hidden ? '[hidden]' : showValue(subject);
    const said = hidden ? '' : rule.message(subject, owner);
    const message = said === '' ? `${at} breaks the rule ${rule.name}` : said.includes(at) ? said : `${at}: ${said}`;
    issues.push({ path: at, rule: rule.name, message: `${message}, received ${received}`, received });
    return;
  }
}

async function runNested(node: TypeNode, value: unknown, at: string, issues: Issue[]): Promise<void> {
  if (classesIn(node).length === 0 || value === null || value === undefined) return;
  if (node.kind === 'nullable') return runNested(node.of, value, at, issues);
  const description = classesIn(node).find(({ target }) => value instanceof target);
  if (description !== undefined) return runClass(description, value as Values, at, issues);
  if (!isIterable(value) && typeof value !== 'object') return;
  const entries: [string | number, unknown][] = value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(isIterable(value) ? [...value] : value);
  for (const [key, element] of entries) await runNested(elementOf(node, key), element, `${at}.${key}`, issues);
}

function elementOf(node: TypeNode, key: string | number): TypeNode {
  if (node.kind === 'array') return node.items;
  if (node.kind === 'record') return node.values;
  if (node.kind === 'tuple') return node.items[Number(key)] ?? node;
  if (node.kind === 'union') return elementOf(node.variants.find((variant) => classesIn(variant).length > 0) ?? node.variants[0] ?? node, key);
  return node;
}

function elements(value: Iterable<unknown>): Iterable<unknown> {
  return value instanceof Map ? (value as Map<unknown, unknown>).values() : value;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
