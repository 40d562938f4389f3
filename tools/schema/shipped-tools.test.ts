// Every shipped tool: 300 argument objects made from the schema that the model sees, and 300 broken ones, get from the tool's parser the verdict that an
// independent validator gives on that schema; and each tool can be said in strict mode.
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { fittingValues, mixedValues } from '../../packages/core/src/schema/testdata/schema-values.js';
import { definitionsOf, strictnessReasons, type Json } from '../../packages/core/dist/index.js';
import { fs } from '../../plugins/fs/dist/index.js';
import { shell } from '../../plugins/shell/dist/index.js';

const shipped = [fs(), shell()].flatMap((plugin) => plugin.tools.flatMap((source) => definitionsOf(source))).map((definition) => [definition.name, definition] as const);

test('the shipped tools are found', () => {
  expect(shipped.map(([name]) => name)).toEqual(expect.arrayContaining(['read_file', 'write_file', 'edit_file', 'glob', 'grep', 'list_dir', 'bash']));
});

test.each(shipped)('SCH-21: %s', (_, definition) => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true, ownProperties: true });
  (addFormats as unknown as { default: (ajv: Ajv2020) => void }).default(ajv);
  const fits = ajv.compile(structuredClone(definition.parameters)) as (value: Json) => boolean;
  fc.assert(fc.property(fittingValues(definition.parameters), (value) => {
    expect({ value, taken: definition.parse(value).ok }).toEqual({ value, taken: true });
    expect(fits(value)).toBe(true);
  }), { numRuns: 300, endOnFailure: true });
  fc.assert(fc.property(mixedValues(definition.parameters), (value) => {
    const outcome = definition.parse(value);
    // Taken although the schema refuses it: then by a lossless coercion, whose outcome satisfies the schema.
    if (outcome.ok && !fits(value)) expect(fits(outcome.json)).toBe(true);
    else expect({ value, taken: outcome.ok }).toEqual({ value, taken: fits(value) });
  }), { numRuns: 300, endOnFailure: true });
});

test.each(shipped)('%s can be strict', (_, definition) => {
  expect(strictnessReasons(definition)).toEqual([]);
});
