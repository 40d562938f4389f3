// The law that holds schema and parser together: on generated classes and arguments, our verdict is that of an independent validator (Ajv, with its
// formats) on the emitted schema; whatever we take beyond it, we took by lossless coercion, and its JSON form satisfies the schema.
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { tool, type Json, type ToolDefinition } from '../index.js';
import { randomClasses } from './testdata/random-classes.js';
import { mixedValues } from './testdata/schema-values.js';

/** Shrinking would compile a validator for every step; the seed in the message repeats a failure. */
const runs = { numRuns: 1_000, endOnFailure: true };

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false, allowUnionTypes: true, ownProperties: true, code: { optimize: false } });
(addFormats as unknown as { default: (ajv: Ajv2020) => void }).default(ajv);

function validatorOf(definition: ToolDefinition): (value: Json) => boolean {
  return ajv.compile(structuredClone(definition.parameters)) as (value: Json) => boolean;
}

const cases = randomClasses()
  .map((parameters) => tool({ name: 'generated', description: 'Generated.', scopes: [], parameters }, () => 'done'))
  .chain((definition) => fc.tuple(fc.constant(definition), fc.array(mixedValues(definition.parameters), { minLength: 5, maxLength: 5 })));

test('the schema of any class is one that a strict validator compiles, and the verdicts are equal', () => {
  const counts = { taken: 0, refused: 0, coerced: 0 };
  fc.assert(fc.property(cases, ([definition, values]) => {
    const fits = validatorOf(definition);
    for (const value of values) {
      const outcome = definition.parse(value);
      const unchanged = outcome.ok && same(onlyKeysOf(value, outcome.json), value);
      expect({ value, taken: unchanged, issues: outcome.ok ? [] : outcome.issues }).toEqual({ value, taken: fits(value), issues: expect.any(Array) });
      if (outcome.ok) expect({ value, json: outcome.json, fits: fits(outcome.json) }).toEqual({ value, json: outcome.json, fits: true });
      counts[unchanged ? 'taken' : outcome.ok ? 'coerced' : 'refused'] += 1;
    }
  }), runs);
  // The law is empty if the generators never reach one of the three.
  expect(Math.min(counts.taken, counts.refused, counts.coerced)).toBeGreaterThan(100);
});

test('the JSON form is read back unchanged', () => {
  fc.assert(fc.property(cases, ([definition, values]) => {
    for (const value of values) {
      const outcome = definition.parse(value);
      if (!outcome.ok) continue;
      const again = definition.parse(JSON.parse(JSON.stringify(outcome.json)));
      expect(again.ok && again.json).toEqual(outcome.json);
    }
  }), runs);
});

test('a refusal names a field, a rule and a short message for each issue, whatever came in', () => {
  fc.assert(fc.property(cases, fc.jsonValue({ maxDepth: 4 }), ([definition], value) => {
    const outcome = definition.parse(value);
    if (outcome.ok) return;
    expect(outcome.issues.length).toBeGreaterThan(0);
    for (const issue of outcome.issues) {
      expect(issue.rule).not.toBe('');
      expect(issue.message.length).toBeLessThan(500);
    }
  }), runs);
});

/** The parts of our JSON form that the input had too: defaults are left out. */
function onlyKeysOf(input: unknown, json: Json): Json {
  if (Array.isArray(json) && Array.isArray(input)) return json.map((item, index) => onlyKeysOf(input[index], item));
  if (typeof json !== 'object' || json === null || Array.isArray(json) || typeof input !== 'object' || input === null) return json;
  return Object.fromEntries(Object.entries(json).filter(([key]) => Object.hasOwn(input, key)).map(([key, part]) => [key, onlyKeysOf((input as Record<string, unknown>)[key], part)]));
}

function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, sorted(part)]);
}
