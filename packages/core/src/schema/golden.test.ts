// The forty-tool sample plugin in every dialect, against golden files; and each canonical schema against a strict validator. To write the files anew after a
// change that is meant: GOLDEN=write npm run jest -- golden
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { definitionsOf, strictnessReasons, toAnthropic, toGemini, toMcp, toOpenAI, toOpenAIStrict, type Json, type ToolDefinition } from '../index.js';
import { sampleTools } from './testdata/sample-plugin/index.js';
import { fittingValues } from './testdata/schema-values.js';

const definitions = sampleTools.flatMap((source) => definitionsOf(source));

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false, allowUnionTypes: true });
(addFormats as unknown as { default: (ajv: Ajv2020) => void }).default(ajv);

function plain(definition: ToolDefinition): object {
  const data = Object.entries(definition).filter(([, value]) => typeof value !== 'function');
  return { ...Object.fromEntries(data), rules: definition.rules !== undefined, target: definition.target?.name };
}

const views: Record<string, (definition: ToolDefinition) => object> = {
  definitions: plain, openai: toOpenAI, 'openai-strict': toOpenAIStrict, anthropic: toAnthropic, gemini: toGemini, mcp: toMcp, strictness: (definition) => ({ name: definition.name, reasons: strictnessReasons(definition) }),
};

test('there are forty tools, each with its own name', () => {
  expect(new Set(definitions.map(({ name }) => name)).size).toBe(40);
});

test.each(Object.entries(views))('%s', (name, view) => {
  const file = fileURLToPath(new URL(`./testdata/golden/${name}.json`, import.meta.url));
  const text = `${JSON.stringify(definitions.map(view), undefined, 1)}\n`;
  if (process.env.GOLDEN === 'write') writeFileSync(file, text);
  expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync(file, 'utf8')));
});

test.each(definitions.map((definition) => [definition.name, definition] as const))('%s: what a strict validator takes, the parser takes', (_, definition) => {
  const fits = ajv.compile(structuredClone(definition.parameters)) as (value: Json) => boolean;
  fc.assert(fc.property(fittingValues(definition.parameters), (value) => {
    const outcome = definition.parse(value);
    expect({ value, taken: outcome.ok, issues: outcome.ok ? [] : outcome.issues }).toEqual({ value, taken: fits(value), issues: expect.any(Array) });
  }), { numRuns: 50, endOnFailure: true });
});
