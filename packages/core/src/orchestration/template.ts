/**
 * Values of earlier steps in the arguments of later ones. A string that is a template as a whole is replaced by the value itself, its
 * type kept: `$prev`, `$prev.items.0.id`, `$steps.search.path`; after the first step of a chain also short, `$items.0.id`. Inside a
 * longer string `${prev.path}` and `${steps.name.path}` are replaced by text. A leading `$$` stands for a literal `$`, and `$${prev` for `${prev`.
 * Anything else with a dollar is left alone, and values are never expanded again.
 */
import { ToolFailure } from '../errors.js';
import { formatValue } from '../call/format-value.js';

/** What templates can name. */
export interface TemplateScope {
  /** The value of the step before; absent where there is none, or no such order. */
  prev?: { value: unknown };
  /** Values of named steps. */
  steps: ReadonlyMap<string, unknown>;
  /** Whether `$name` is short for `$prev.name`. */
  short?: boolean;
}

interface Reference {
  root: string;
  path: readonly string[];
  /** As written, without the dollar. */
  text: string;
}

const whole = /^\$([A-Za-z_][\w-]*)((?:\.[^.\s]+)*)$/;
const escapedInside = /^\$\$\{(?:prev|steps)[.}]/;
const inside = /(\$?)\$\{((?:prev|steps)(?:\.[^.\s{}]+)*)\}/g;

/** A copy of `value` in which every template is replaced. @throws ToolFailure `template_error` that names a missing step or path. */
export function resolveTemplates(value: unknown, scope: TemplateScope): unknown {
  if (typeof value === 'string') return resolveText(value, scope);
  if (Array.isArray(value)) return value.map((item) => resolveTemplates(item, scope));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolveTemplates(member, scope)]));
}

/** The names of the steps that a value's templates speak of, each once, in order. */
export function stepsNamedIn(value: unknown): string[] {
  const names = new Set<string>();
  collect(value, names);
  return [...names];
}

function collect(value: unknown, names: Set<string>): void {
  if (typeof value === 'string') {
    for (const { root, path } of referencesIn(value)) if (root === 'steps' && path[0] !== undefined) names.add(path[0]);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) collect(member, names);
  }
}

function referencesIn(text: string): Reference[] {
  const reference = wholeReference(text);
  if (reference) return [reference];
  return [...text.matchAll(inside)].flatMap(([, escaped, body]) => (escaped === '$' || body === undefined ? [] : [referenceOf(body)]));
}

function resolveText(text: string, scope: TemplateScope): unknown {
  if (text.startsWith('$$') && !escapedInside.test(text)) return text.slice(1);
  const reference = wholeReference(text);
  if (reference && isTemplate(reference, scope)) return valueOf(reference, scope);
  return text.replace(inside, (match: string, escaped: string, body: string) => (escaped === '$' ? match.slice(1) : asText(valueOf(referenceOf(body), scope))));
}

function wholeReference(text: string): Reference | undefined {
  const match = whole.exec(text);
  return match ? referenceOf(text.slice(1)) : undefined;
}

function referenceOf(text: string): Reference {
  const [root = '', ...path] = text.split('.');
  return { root, path, text };
}

function isTemplate({ root }: Reference, scope: TemplateScope): boolean {
  return root === 'prev' || root === 'steps' || (scope.short === true && scope.prev !== undefined);
}

function valueOf(reference: Reference, scope: TemplateScope): unknown {
  const { root, path } = reference;
  if (root === 'steps') return valueOfStep(reference, scope);
  if (!scope.prev) throw missing(reference, 'there is no step before this one');
  return follow(scope.prev.value, root === 'prev' ? path : [root, ...path], reference);
}

function valueOfStep(reference: Reference, scope: TemplateScope): unknown {
  const [name, ...path] = reference.path;
  if (name === undefined || !scope.steps.has(name)) {
    const known = [...scope.steps.keys()];
    throw missing(reference, known.length === 0 ? 'no step has finished yet' : `the finished steps are ${known.join(', ')}`);
  }
  return follow(scope.steps.get(name), path, reference);
}

/** Own members only, so that nothing of a prototype is ever reached. */
function follow(start: unknown, path: readonly string[], reference: Reference): unknown {
  let value = start;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) throw missing(reference, `there is nothing inside ${kindOf(value)} to take ${JSON.stringify(key)} from`);
    if (!Object.hasOwn(value, key)) throw missing(reference, `${JSON.stringify(key)} is not there; ${membersOf(value)}`);
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function membersOf(value: object): string {
  if (Array.isArray(value)) return `the list has ${value.length} items`;
  const keys = Object.keys(value);
  return keys.length === 0 ? 'the object is empty' : `there are ${keys.slice(0, 10).join(', ')}${keys.length > 10 ? ', …' : ''}`;
}

function kindOf(value: unknown): string {
  return value === null || value === undefined ? String(value) : `a ${typeof value}`;
}

function asText(value: unknown): string {
  const text = typeof value === 'string' ? value : formatValue(value);
  return typeof text === 'string' ? text : JSON.stringify(text);
}

function missing({ text }: Reference, why: string): ToolFailure {
  return new ToolFailure('template_error', `The template $${text} has no value: ${why}. Write $$${text} for the literal text.`);
}
