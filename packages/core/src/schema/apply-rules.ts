/** Splits the class-validator decorators of a field: what JSON Schema can say goes into the type node, the rest stays to be run. */
import { SetupError } from '../errors.js';
import type { RecordedRule } from './class-validator-metadata.js';
import { constraintTable, type AppliesTo, type ConstraintMapping } from './constraint-keywords.js';
import type { Json } from './json.js';
import type { Keywords, TypeNode } from './type-node.js';

/** A decorator that contradicts the type is a mistake of the author, found here and not at the first call. */
const typeRules: Readonly<Record<string, readonly TypeNode['kind'][]>> = {
  isString: ['string', 'enum', 'date', 'url', 'bigint', 'json', 'union', 'tagged'],
  isNumber: ['number', 'integer', 'enum', 'json', 'union'],
  isInt: ['number', 'integer', 'enum', 'json', 'union'],
  isBoolean: ['boolean', 'enum', 'json', 'union'],
};

/** Puts what can be said into `node` (in place) and returns the rules that must run. */
export function applyRules(node: TypeNode, rules: readonly RecordedRule[], where: string): RecordedRule[] {
  const left = rules.filter((rule) => !saidInFull(node, rule, where));
  refuseEmptyRange(withoutNull(node), where);
  return left;
}

/** Puts what the schema can say of a rule into `node`; returns whether that is all of it. */
function saidInFull(node: TypeNode, rule: RecordedRule, where: string): boolean {
  const target = rule.each ? itemsOf(node) : withoutNull(node);
  if (target === undefined || rule.name === undefined || rule.validateIf !== undefined) return false;
  const mapping = Object.hasOwn(constraintTable, rule.name) ? constraintTable[rule.name] : undefined;
  return mapping !== undefined && say(target, rule, mapping, where) && mapping.alsoRule !== true;
}

function refuseEmptyRange({ keywords }: TypeNode, where: string): void {
  refuseEmpty('minLength', keywords.minLength, 'maxLength', keywords.maxLength, where);
  refuseEmpty('minimum', keywords.minimum, 'maximum', keywords.maximum, where);
  refuseEmpty('minItems', keywords.minItems, 'maxItems', keywords.maxItems, where);
}

/** Limits that no value can keep. */
function refuseEmpty(low: string, least: number | undefined, high: string, most: number | undefined, where: string): void {
  if (least === undefined || most === undefined || least <= most) return;
  throw new SetupError(`${where}: no value can have ${low} ${least} and ${high} ${most}. Correct one of the two rules.`);
}

/** Whether the schema now says the rule. */
function say(node: TypeNode, rule: RecordedRule, mapping: ConstraintMapping, where: string): boolean {
  refuseContradiction(node, rule, where);
  if (!fits(node, mapping.on)) return false;
  const keywords = mapping.keywords?.(rule.constraints?.[0], rule.constraints?.[1]);
  if (keywords === undefined) return false;
  if (rule.name === 'isInt' && node.kind === 'number') Object.assign(node, { kind: 'integer' });
  if (keywords.oneOf !== undefined) narrow(node, keywords.oneOf, where);
  else if (rule.name === 'isNotEmpty') mergeKeywords(node.keywords, node.kind === 'string' ? keywords : {});
  else if (keywords.uniqueItems === true && !hasScalarItems(node)) return false;
  else mergeKeywords(node.keywords, keywords);
  return true;
}

function refuseContradiction(node: TypeNode, rule: RecordedRule, where: string): void {
  const allowed = typeRules[rule.name ?? ''];
  if (allowed === undefined || allowed.includes(node.kind)) return;
  const each = itemsOf(node) === undefined ? '' : ', or add { each: true }';
  throw new SetupError(`${where}: the class-validator rule ${rule.name} contradicts its type (${node.kind}). Correct one of them${each}.`);
}

function fits(node: TypeNode, on: AppliesTo): boolean {
  switch (on) {
    case 'any': return node.kind !== 'json' && node.kind !== 'union';
    case 'string': return node.kind === 'string';
    case 'number': return node.kind === 'number' || node.kind === 'integer';
    case 'array': return node.kind === 'array';
    case 'object': return node.kind === 'record' || node.kind === 'free-object';
    case 'value': return isScalarKind(node);
  }
}

function narrow(node: TypeNode, allowed: readonly Json[], where: string): void {
  const jsonType = node.kind === 'integer' ? 'number' : node.kind;
  const values = allowed.filter((value) => (node.kind === 'enum' ? node.values.includes(value as string) : typeof value === jsonType));
  if (values.length === 0) throw new SetupError(`${where}: none of the allowed values ${JSON.stringify(allowed)} fits its type (${node.kind}).`);
  Object.assign(node, { kind: 'enum', values });
}

const raised: ReadonlySet<string> = new Set(['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties']);
const lowered: ReadonlySet<string> = new Set(['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems']);

/** Of two limits the tighter holds; lists grow. */
function mergeKeywords(into: Keywords, more: Keywords): void {
  const target = into as Record<string, unknown>;
  for (const key in more) {
    const value = (more as Record<string, unknown>)[key];
    const old = target[key];
    if (old === undefined) target[key] = value;
    else if (raised.has(key)) target[key] = Math.max(old as number, value as number);
    else if (lowered.has(key)) target[key] = Math.min(old as number, value as number);
    else if (Array.isArray(old)) target[key] = [...(old as unknown[]), ...(value as unknown[])];
  }
}

function itemsOf(node: TypeNode): TypeNode | undefined {
  const collection = withoutNull(node);
  const items = collection.kind === 'array' ? collection.items : collection.kind === 'record' ? collection.values : undefined;
  return items && withoutNull(items);
}

function withoutNull(node: TypeNode): TypeNode {
  return node.kind === 'nullable' ? node.of : node;
}

function hasScalarItems(node: TypeNode): boolean {
  const items = itemsOf(node);
  return items !== undefined && isScalarKind(items);
}

function isScalarKind(node: TypeNode): boolean {
  return ['string', 'number', 'integer', 'boolean', 'enum'].includes(node.kind);
}
