// Tools with a JSON Schema written elsewhere: checked by Ajv, under the same promises as our own classes.
import { expect, test } from '@jest/globals';
import { SetupError, definitionsOf, tool, type JsonSchema, type ParseOutcome, type ToolContext, type ServiceProvider } from '../index.js';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1 },
    limit: { type: 'integer', minimum: 1, maximum: 9, default: 5 },
    mode: { enum: ['fast', 'slow'] },
    tags: { type: 'array', items: { type: 'string' } },
    where: { $ref: '#/$defs/Where' },
    when: { type: 'string', format: 'date-time' },
    note: { type: ['string', 'null'] },
    deep: { type: 'object', properties: { flag: { type: 'boolean' } }, additionalProperties: false },
  },
  required: ['path'],
  additionalProperties: false,
  $defs: { Where: { type: 'object', properties: { and: { $ref: '#/$defs/Where' }, column: { type: 'string' } }, required: ['column'] } },
};
const foreign = tool({ name: 'foreign', description: 'From elsewhere.', scopes: ['network'], parameters: schema }, (input) => input);

function issues(outcome: ParseOutcome): string[] {
  return outcome.ok ? [] : outcome.issues.map((issue) => `${issue.rule}: ${issue.message}`);
}

test('the schema is shown as it is, and neither it nor the input is changed by a call', async () => {
  const input = { path: 'a', tags: ['x'], where: { column: 'c', and: { column: 'd' } } };
  const before = JSON.stringify(input);
  expect(foreign.parameters).toEqual(schema);
  const outcome = foreign.parse(input);
  expect(outcome).toMatchObject({ ok: true, json: { ...input, limit: 5 } });
  expect(JSON.stringify(input)).toBe(before);
  const handler = foreign.instantiate(outcome.ok ? outcome.value : {}, {} as ServiceProvider, {});
  expect(await handler.execute({} as ToolContext)).toEqual({ ...input, limit: 5 });
});

test('every issue is reported at once, with field, rule and received value', () => {
  expect(issues(foreign.parse({ limit: 50, mode: 'medium', tags: ['a', 1], where: {}, when: 'today', extra: 1 }))).toEqual([
    'required: path is required',
    'unknown: extra is not a parameter',
    'maximum: limit must be <= 9, received 50',
    'enum: mode must be equal to one of the allowed values: ["fast","slow"], received "medium"',
    'type: tags.1 must be string, received 1',
    'required: where.column is required',
    'format: when must match format "date-time", received "today"',
  ]);
});

test('the same lossless coercion as elsewhere; null is absent where it is not allowed and not required', () => {
  const outcome = foreign.parse({ path: 'a', limit: '7', tags: '["x"]', mode: null, note: null, deep: '{"flag":"false"}' });
  expect(outcome.ok && outcome.json).toEqual({ path: 'a', limit: 7, tags: ['x'], note: null, deep: { flag: false } });
  expect(issues(foreign.parse({ path: null }))).toEqual(['type: path must be string, received null']);
  expect(issues(foreign.parse({ path: 'a', limit: '' }))).toHaveLength(1);
});

test('dangerous keys and depth are refused, also inside JSON text', () => {
  const open = tool({ name: 'open', description: 'Open.', scopes: [], parameters: { type: 'object', properties: { any: {}, object: { type: 'object' } } } }, () => 'done');
  expect(issues(open.parse(JSON.parse('{"any":{"__proto__":{"x":1}}}')))).toEqual(['dangerous_key: any.__proto__ is a key that is never accepted']);
  expect(open.parse({ object: '{"__proto__":{"x":1}}' }).ok).toBe(false);
  let deep: unknown = {};
  for (let level = 0; level < 20_000; level += 1) deep = { c: deep };
  expect(issues(open.parse({ any: deep }))).toEqual([expect.stringMatching(/deeper than 64/)]);
});

test('a hostile pattern ends, and a schema that cannot be compiled refuses every call', () => {
  const hostile = tool({ name: 'hostile', description: 'Hostile.', scopes: [], parameters: { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } } }, () => 'done');
  expect(issues(hostile.parse({ text: `${'a'.repeat(50_000)}!` }))).toEqual([expect.stringMatching(/^pattern: text must match pattern/)]);
  expect(hostile.parse({ text: 'aaa' }).ok).toBe(true);
  const broken = tool({ name: 'broken', description: 'Broken.', scopes: [], parameters: { type: 'object', properties: { text: { $ref: 'https://example.org/schema' } } } }, () => 'done');
  expect(issues(broken.parse({}))).toEqual([expect.stringMatching(/^schema: the tool's own schema cannot be used/)]);
});

test('an older draft is read by its own rules', () => {
  const draft = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } } } as unknown as JsonSchema;
  const older = tool({ name: 'older', description: 'Older.', scopes: [], parameters: draft }, () => 'done');
  expect(older.parse({ pair: ['a', 1] }).ok).toBe(true);
  expect(older.parse({ pair: [1, 'a'] }).ok).toBe(false);
});

test('a root that is no object is refused by name', () => {
  for (const wrong of [{ type: 'string' }, {}, { oneOf: [] }, { type: 'object', $ref: '#/$defs/x' }] as JsonSchema[]) {
    const definition = tool({ name: 'wrong', description: 'Wrong.', scopes: [], parameters: wrong }, () => 'done');
    expect(() => definitionsOf(definition)).toThrow(SetupError);
  }
});
