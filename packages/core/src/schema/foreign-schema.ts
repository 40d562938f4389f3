/** Schemas written elsewhere (tools proxied from another server): checked by Ajv, which is loaded when the first such tool is called. */
import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Issue, ParseOutcome } from '../tool/tool.js';
import { deepFreeze } from './deep-freeze.js';
import { FAILED, finishIssue, type RawIssue } from './issue.js';
import type { JsonObject, JsonSchema } from './json.js';
import { jsonCheck, objectIn } from './parse-json.js';

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
      if (copy === FAILED) return { ok: false, issues: issues.map(finishIssue) };
      const value = withoutNulls(copy, parameters, parameters) as JsonObject;
      validate ??= compile(schema);
      if (validate(value)) return { ok: true, value, json: value };
      return { ok: false, issues: (validate.errors ?? []).map((error) => issueOf(error, value)) };
    },
  };
}

function compile(schema: JsonSchema): ValidateFunction {
  const load = createRequire(import.meta.url);
  const { $schema: dialect, ...rest } = structuredClone(schema) as JsonSchema & { $schema?: unknown };
  const isOlder = typeof dialect === 'string' && /draft-0[4-7]/.test(dialect);
  const module = load(isOlder ? 'ajv' : 'ajv/dist/2020.js') as { default: new (options: object) => AjvLike };
  const addFormats = (load('ajv-formats') as { default: (ajv: AjvLike) => void }).default;
  const ajv = new module.default({ allErrors: true, strict: false, useDefaults: true, verbose: true });
  addFormats(ajv);
  return ajv.compile(rest);
}

/** `null` for a property that is not required and does not allow it means "not given": strict providers write it so. */
function withoutNulls(value: unknown, schema: JsonSchema | undefined, root: JsonSchema): unknown {
  const target = schema?.$ref?.startsWith('#/$defs/') === true ? root.$defs?.[schema.$ref.slice('#/$defs/'.length)] : schema;
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, target?.items, root));
  if (typeof value !== 'object' || value === null || target?.properties === undefined) return value;
  const entries = Object.entries(value).filter(([key, part]) => part !== null || target.required?.includes(key) === true || allowsNull(target.properties?.[key]));
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutNulls(part, target.properties?.[key], root)]));
}

/** A schema without a plain type may allow anything; then null is left for Ajv to judge. */
function allowsNull(schema: JsonSchema | undefined): boolean {
  return schema?.type === undefined || [schema.type].flat().includes('null');
}

function issueOf(error: ErrorObject, root: JsonObject): Issue {
  const extra = error.params as { missingProperty?: string; additionalProperty?: string };
  const keys = error.instancePath.split('/').slice(1).map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (error.keyword === 'required' && extra.missingProperty !== undefined) return finishIssue({ keys: [extra.missingProperty, ...keys.toReversed()], rule: 'required', text: 'is required' });
  if (error.keyword === 'additionalProperties' && extra.additionalProperty !== undefined) {
    return finishIssue({ keys: [extra.additionalProperty, ...keys.toReversed()], rule: 'unknown', text: 'is not a parameter' });
  }
  const allowed = error.keyword === 'enum' ? `: ${JSON.stringify(error.schema)}` : '';
  return finishIssue({ keys: keys.toReversed(), rule: error.keyword, text: `${error.message ?? 'is wrong'}${allowed}`, received: { value: keys.length === 0 ? root : error.data } });
}
