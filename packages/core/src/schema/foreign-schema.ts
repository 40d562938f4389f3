/** Schemas written elsewhere (tools proxied from another server): checked by Ajv, which is loaded when the first such tool is called. */
import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { ParseOutcome } from '../tool/tool.js';
import { deepFreeze } from './deep-freeze.js';
import { FAILED, finishIssues, type RawIssue, didYouMean } from './issue.js';
import type { JsonObject, JsonSchema } from './json.js';
import { arrayIn, jsonCheck, objectIn } from './parse-json.js';
import { numberIn } from './parse-scalar.js';
import { patternTest } from './pattern/pattern-test.js';
import { unicodePattern } from './pattern/unicode-pattern.js';

/** Patterns of a stranger run on a model's text: by the engine that does not hang. Ajv tells patterns apart by their text. */
const linearPatterns = Object.assign((source: string) => ({ test: patternTest(unicodePattern(source) ?? source), toString: () => source }), { code: 'linearPatterns' });

interface AjvLike {
  compile(schema: object): ValidateFunction;
}

/** The arguments part of a tool with a JSON Schema of its own. The schema is copied and frozen. */
export function foreignArguments(schema: JsonSchema): { parameters: JsonSchema; resources: []; sensitive: []; parse: (input: unknown) => ParseOutcome } {
  const parameters = deepFreeze(structuredClone(schema));
  let validate: ValidateFunction | undefined;
  return {
    parameters,
    resources: [],
    sensitive: [],
    parse: (input) => {
      const issues: RawIssue[] = [];
      const copy = jsonCheck(objectIn(input) ?? input, issues, 0);
      if (copy === FAILED) return { ok: false, issues: finishIssues(issues) };
      const value = repaired(copy, parameters, parameters) as JsonObject;
      try {
        validate ??= compile(schema);
      } catch (error) {
        // Nobody here can mend it, and nothing unchecked may pass.
        return { ok: false, issues: [{ path: '', rule: 'schema', message: `the tool's own schema cannot be used: ${error instanceof Error ? error.message : String(error)}` }] };
      }
      if (validate(value)) return { ok: true, value, json: value };
      return { ok: false, issues: finishIssues((validate.errors ?? []).map((error) => issueOf(error, value))) };
    },
  };
}

function compile(schema: JsonSchema): ValidateFunction {
  const load = createRequire(import.meta.url);
  const { $schema: dialect, ...rest } = structuredClone(schema) as JsonSchema & { $schema?: unknown };
  const isOlder = typeof dialect === 'string' && /draft-0[4-7]/.test(dialect);
  const module = load(isOlder ? 'ajv' : 'ajv/dist/2020.js') as { default: new (options: object) => AjvLike };
  const addFormats = (load('ajv-formats') as { default: (ajv: AjvLike) => void }).default;
  const ajv = new module.default({ allErrors: true, strict: false, useDefaults: true, verbose: true, code: { regExp: linearPatterns } });
  addFormats(ajv);
  return ajv.compile(rest);
}

/**
 * What our own parser takes beyond the schema, without loss: `null` for a property that is not required means "not given" (strict providers write it so), the
 * text of a number or boolean, JSON text where an object or array is declared.
 */
function repaired(value: unknown, schema: JsonSchema | undefined, root: JsonSchema): unknown {
  const target = schema?.$ref?.startsWith('#/$defs/') === true ? root.$defs?.[schema.$ref.slice('#/$defs/'.length)] : schema;
  const read = typeof value === 'string' ? fromText(value, target?.type) : value;
  if (Array.isArray(read)) return read.map((item) => repaired(item, target?.items, root));
  if (typeof read !== 'object' || read === null || target?.properties === undefined) return read;
  const entries = Object.entries(read).filter(([key, part]) => part !== null || target.required?.includes(key) === true || allowsNull(target.properties?.[key]));
  return Object.fromEntries(entries.map(([key, part]) => [key, repaired(part, target.properties?.[key], root)]));
}

function fromText(text: string, type: JsonSchema['type']): unknown {
  switch (type) {
    case 'number': case 'integer': return numberIn(text) ?? text;
    case 'boolean': return text === 'true' || (text === 'false' ? false : text);
    case 'array': return checked(arrayIn(text)) ?? text;
    case 'object': return checked(objectIn(text)) ?? text;
    default: return text;
  }
}

/** What came as text was not seen by the check for depth and dangerous keys. */
function checked(value: unknown): unknown {
  const copy = value === undefined ? FAILED : jsonCheck(value, [], 0);
  return copy === FAILED ? undefined : copy;
}

/** A schema that does not say may allow anything; then null is left for Ajv to judge. */
function allowsNull(schema: JsonSchema | undefined): boolean {
  if (schema?.type !== undefined) return [schema.type].flat().includes('null');
  if (schema?.enum !== undefined) return schema.enum.includes(null);
  return schema?.const === undefined || schema.const === null;
}

function issueOf(error: ErrorObject, root: JsonObject): RawIssue {
  const extra = error.params as { missingProperty?: string; additionalProperty?: string };
  const keys = error.instancePath.split('/').slice(1).map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (error.keyword === 'required' && extra.missingProperty !== undefined) return { keys: [extra.missingProperty, ...keys.toReversed()], rule: 'required', text: 'is required' };
  if (error.keyword === 'additionalProperties' && extra.additionalProperty !== undefined) {
    return { keys: [extra.additionalProperty, ...keys.toReversed()], rule: 'unknown', text: 'is not a parameter' };
  }
  const allowed = error.keyword === 'enum' ? `: ${JSON.stringify(error.schema)}${didYouMean(error.data, error.schema as unknown[])}` : '';
  return { keys: keys.toReversed(), rule: error.keyword, text: `${error.message ?? 'is wrong'}${allowed}`, received: { value: keys.length === 0 ? root : error.data } };
}
