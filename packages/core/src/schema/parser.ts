/**
 * Type description → plain closures that check, coerce and build in one pass, and report every issue at once. No code is generated. What they
 * accept without coercion is what the emitted JSON Schema accepts.
 */
import { SetupError } from '../errors.js';
import type { Class, Issue, ParseOutcome } from '../tool/tool.js';
import { describeClass } from './describe-class.js';
import { FAILED, finishIssue, finishIssues, type Check, type RawIssue } from './issue.js';
import type { Json, JsonObject, JsonSchema } from './json.js';
import { jsonSchemaOf } from './json-schema.js';
import { arrayCheck, nullableCheck, recordCheck, startUnions, tupleCheck, unionCheck } from './parse-collection.js';
import { freeObjectCheck, jsonCheck } from './parse-json.js';
import { instanceMaker, makeRecord, objectCheck, taggedCheck, type Compile } from './parse-object.js';
import { bigintCheck, booleanCheck, dateCheck, enumCheck, numberCheck, stringCheck, urlCheck } from './parse-scalar.js';
import { objectJson } from './to-json.js';
import type { ClassDescription, FieldDescription, TypeNode } from './type-node.js';

/** A parsed call; its JSON form is made when it is asked for. */
class Parsed {
  readonly ok = true;
  private made: JsonObject | undefined = undefined;

  constructor(readonly value: Record<string, unknown>, private readonly description: ClassDescription) {}

  get json(): JsonObject {
    this.made ??= objectJson(this.description, this.value);
    return this.made;
  }
}

/** The parser of a tool's arguments: its value is a plain object by property names. */
export function compileParser(description: ClassDescription): (input: unknown) => ParseOutcome {
  const check = objectCheck(description, makeRecord, compiler());
  return (input) => {
    const issues: RawIssue[] = [];
    startUnions();
    const value = check(input, issues, 0);
    return value === FAILED ? { ok: false, issues: finishIssues(issues) } : new Parsed(value as Record<string, unknown>, description);
  };
}

/** Reads a plain object as an instance of a class with `@Param` fields: for options and configuration, checked like arguments. */
export function parseAs<T>(target: Class<T>, input: unknown): { ok: true; value: T } | { ok: false; issues: Issue[] } {
  const description = describeClass(target);
  checkSamples(description);
  const issues: RawIssue[] = [];
  startUnions();
  const value = objectCheck(description, instanceMaker(description), compiler())(input, issues, 0);
  return value === FAILED ? { ok: false, issues: finishIssues(issues) } : { ok: true, value: value as T };
}

/** The canonical schema of what `parseAs` reads. */
export function schemaOf(target: Class): JsonSchema {
  return jsonSchemaOf(describeClass(target));
}

/** @throws SetupError for a default or an example that its own field would refuse. */
export function checkSamples({ name, fields }: ClassDescription): void {
  const compile = compiler();
  for (const field of fields) {
    if (field.default !== undefined && !isPlainly(field.node, field.default)) refuseMisfit(`${name}: the default of ${field.property}`, field, field.default, compile);
    for (const example of field.options.examples ?? []) refuseMisfit(`${name}: an example of ${field.property}`, field, example, compile);
  }
}

function refuseMisfit(what: string, field: FieldDescription, value: unknown, compile: Compile): void {
  const issues: RawIssue[] = [];
  if (compile(field.node)(value, issues, 0) !== FAILED) return;
  const problems = issues.map((issue) => finishIssue({ ...issue, keys: [...issue.keys, field.property] }).message);
  throw new SetupError(`${what} breaks its own rules: ${problems.join('; ')}. Correct it or the rule.`);
}

/** Needs no closure to be seen right. */
function isPlainly(node: TypeNode, value: Json): boolean {
  return (node.kind === 'string' || node.kind === 'number' || node.kind === 'boolean') && typeof value === node.kind && Object.keys(node.keywords).length === 0;
}

/** Compiles each class once; one that contains itself is reached through the table. */
function compiler(): Compile {
  const classes = new Map<ClassDescription, Check>();
  const open = new Set<ClassDescription>();
  const compileClass = (description: ClassDescription): Check => {
    const known = classes.get(description);
    if (known !== undefined) return known;
    if (open.has(description)) return (value, issues, depth) => classes.get(description)?.(value, issues, depth);
    open.add(description);
    const check = objectCheck(description, instanceMaker(description), compile);
    classes.set(description, check);
    return check;
  };
  const compile = (node: TypeNode): Check => {
    switch (node.kind) {
      case 'string': return stringCheck(node);
      case 'number': case 'integer': return numberCheck(node);
      case 'boolean': return booleanCheck();
      case 'enum': return enumCheck(node);
      case 'bigint': return bigintCheck();
      case 'date': return dateCheck();
      case 'url': return urlCheck();
      case 'null': return enumCheck({ kind: 'enum', values: [null], keywords: {} });
      case 'json': return jsonCheck;
      case 'free-object': return freeObjectCheck;
      case 'array': return arrayCheck(node, compile(node.items));
      case 'tuple': return tupleCheck(node.items.map(compile));
      case 'record': return recordCheck(node, compile(node.values));
      case 'nullable': return nullableCheck(compile(node.of));
      case 'union': return unionCheck(node, node.variants.map(compile));
      case 'tagged': return taggedCheck(node, compile);
      case 'object': return compileClass(node.description);
    }
  };
  return compile;
}
