// Each dialect's own promises, on schemas that use what the provider lacks.
import { describe, expect, test } from '@jest/globals';
import { ArrayUnique, IsIn, IsInt, IsOptional, IsPositive, Matches, Max, MaxLength, Min, MinLength } from 'class-validator';
import { Param, PluginHost, definePlugin, definitionsOf, json, mapToolNames, record, strictnessReasons, toAnthropic, toGemini, toMcp, toOpenAI, toOpenAIStrict, tool, tuple, workflowTool, type JsonSchema, type ToolOptions } from '../../index.js';

class Edit {
  @Param('Text to find') @MinLength(1) old_text!: string;
  @Param('Replacement') new_text: string = '';
}

class Circle {
  @Param() kind: string = 'circle';
  @Param() @IsPositive() radius!: number;
}
class Square {
  @Param() kind: string = 'square';
  @Param() @IsInt() @IsPositive() side!: number;
}

class TreeNode {
  @Param('Label') @MaxLength(20) label!: string;
  @Param('Children', { type: () => TreeNode }) children: TreeNode[] = [];
}

class Everything {
  @Param('Where to look', { kind: 'path' }) path!: string;
  @Param('A short code') @Matches(/^[a-z]{2,4}$/) code: string = 'ab';
  @Param('How many') @IsInt() @Min(1) @Max(9) count: number = 3;
  @Param('Level') @IsIn([1, 2]) level: number = 1;
  @Param('Mode', { enum: ['fast', 'slow'] }) mode!: string;
  @Param('Edits', { type: () => Edit }) @ArrayUnique() edits: Edit[] = [];
  @Param('One edit', { type: () => Edit, optional: true }) edit?: Edit;
  @Param('A shape', { oneOf: () => [Circle, Square] }) shape!: Circle | Square;
  @Param('A tree', { optional: true }) tree?: TreeNode;
  @Param('Tags', { type: () => String }) @ArrayUnique() @IsOptional() tags!: string[];
  @Param('When', { optional: true }) when?: Date;
  // Names that are keywords elsewhere.
  @Param('Named like a keyword') @MaxLength(5) format: string = 'x';
  @Param('Named like a keyword', { name: '$schema', optional: true }) dollarSchema?: string;
  @Param('Named like a keyword', { name: 'default', optional: true }) fallback?: string;
}

const everything = tool({ name: 'everything', description: 'Uses all.', scopes: [], parameters: Everything, title: 'All' }, () => 'done');

function everySchema(schema: unknown, visit: (schema: Record<string, unknown>) => void): void {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
  visit(schema as Record<string, unknown>);
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' || key === '$defs') for (const part of Object.values(value as object)) everySchema(part, visit);
    else if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(key)) for (const part of value as unknown[]) everySchema(part, visit);
    else if (['items', 'not', 'contains', 'additionalProperties'].includes(key)) everySchema(value, visit);
  }
}

describe('openai strict', () => {
  test('SCH-11: every object at any depth is closed and requires every key; optional fields are nullable; the stored schema is not changed', () => {
    const before = JSON.stringify(toAnthropic(everything));
    const { function: { parameters, strict } } = toOpenAIStrict(everything);
    expect(strict).toBe(true);
    let objects = 0;
    everySchema(parameters, (schema) => {
      if (schema.properties !== undefined) {
        objects += 1;
        expect(schema.additionalProperties).toBe(false);
        expect(schema.required).toEqual(Object.keys(schema.properties as object));
      }
      for (const keyword of ['default', 'minLength', 'maxLength', 'uniqueItems', 'oneOf', 'allOf', 'const', 'examples']) expect(Object.keys(schema)).not.toContain(keyword);
      if (schema.$ref !== undefined) expect(Object.keys(schema)).toEqual(['$ref']);
    });
    expect(objects).toBe(6);
    expect(parameters.properties?.count).toEqual({ type: ['integer', 'null'], minimum: 1, maximum: 9, description: 'How many (default 3)' });
    expect(parameters.properties?.mode).toEqual({ type: 'string', enum: ['fast', 'slow'], description: 'Mode' });
    expect(parameters.properties?.edit?.type).toEqual(['object', 'null']);
    expect(parameters.properties?.tree).toEqual({ anyOf: [{ $ref: '#/$defs/TreeNode' }, { type: 'null' }], description: 'A tree' });
    expect(JSON.stringify(toAnthropic(everything))).toBe(before);
    expect(toOpenAI(everything).function.parameters).toBe(everything.parameters);
  });

  test('a null that strict mode forces is read as absent, and the default applies', () => {
    const outcome = everything.parse({ path: 'a', code: null, count: null, level: null, mode: 'fast', edits: null, edit: null, shape: { kind: 'circle', radius: 1 }, tree: null, tags: null, when: null, format: null, $schema: null, default: null });
    expect(outcome.ok && outcome.json).toEqual({ path: 'a', code: 'ab', count: 3, level: 1, mode: 'fast', edits: [], shape: { kind: 'circle', radius: 1 }, format: 'x' });
  });

  test('what cannot be strict is sent with strict: false, and says why', () => {
    class Free {
      @Param({ type: () => record(Number) }) scores!: Record<string, number>;
      @Param({ type: () => json }) any!: unknown;
      @Param({ type: () => tuple(Number, String) }) pair!: [number, string];
    }
    const free = tool({ name: 'free', description: 'Free.', scopes: [], parameters: Free }, () => 'done');
    expect(toOpenAIStrict(free).function).toMatchObject({ strict: false, parameters: free.parameters });
    expect(strictnessReasons(free)).toEqual([
      expect.stringContaining('scores is an object with free keys'),
      expect.stringContaining('any takes any JSON value'),
      expect.stringContaining('pair is a tuple'),
    ]);
    expect(strictnessReasons(everything)).toEqual([]);
  });
});

describe('gemini', () => {
  test('SCH-14: no keyword that it refuses is left, names of properties survive, and the parser still refuses', () => {
    const { parameters } = toGemini(everything);
    everySchema(parameters, (schema) => {
      for (const keyword of ['$schema', '$ref', '$defs', 'additionalProperties', 'exclusiveMinimum', 'exclusiveMaximum', 'const', 'uniqueItems', 'oneOf', 'allOf', 'not', 'prefixItems', 'default', 'multipleOf']) {
        expect(Object.keys(schema)).not.toContain(keyword);
      }
      expect(Array.isArray(schema.type)).toBe(false);
      if (schema.enum !== undefined) expect((schema.enum as unknown[]).every((value) => typeof value === 'string')).toBe(true);
      if (schema.type === 'object') expect(Object.keys(schema.properties as object).length).toBeGreaterThan(0);
      if (schema.type === 'array') expect(schema.items).toBeDefined();
    });
    expect(Object.keys(parameters?.properties ?? {})).toEqual(expect.arrayContaining(['format', '$schema', 'default']));
    const [circle, square] = parameters?.properties?.shape?.anyOf ?? [];
    expect(circle?.properties?.kind).toEqual({ type: 'string', enum: ['circle'] });
    expect(square?.properties?.side).toEqual({ type: 'integer', minimum: 1 });
    expect(parameters?.properties?.level).toEqual({ type: 'integer', description: 'Level (one of 1, 2, default 1)' });
    expect(everything.parse({ path: 'a', mode: 'fast', level: 3, shape: { kind: 'square', side: 0 } })).toMatchObject({ ok: false, issues: [{ path: 'level', rule: 'enum' }, { path: 'shape.side', rule: 'exclusiveMinimum' }] });
  });

  test('a class inside itself is expanded twice, then asked for as JSON text, which the parser takes', () => {
    const tree = toGemini(everything).parameters?.properties?.tree;
    const last = tree?.properties?.children?.items?.properties?.children?.items;
    expect(last).toMatchObject({ type: 'string', description: expect.stringContaining('TreeNode as JSON text') });
    const outcome = everything.parse({ path: 'a', mode: 'fast', shape: { kind: 'circle', radius: 2 }, tree: { label: 'a', children: ['{"label":"b","children":[]}'] } });
    expect(outcome.ok && outcome.json.tree).toEqual({ label: 'a', children: [{ label: 'b', children: [] }] });
  });

  test('a tool without parameters has none', () => {
    expect(toGemini(tool({ name: 'ping', description: 'Ping.', scopes: [] }, () => 'pong'))).toEqual({ name: 'ping', description: 'Ping.' });
  });
});

test('SCH-13: the root is always an object without a union; a foreign schema with one is refused, naming tool and plugin', async () => {
  for (const schema of [toAnthropic(everything).input_schema, toMcp(everything).inputSchema, toOpenAI(everything).function.parameters]) {
    expect(schema.type).toBe('object');
    expect(Object.keys(schema)).not.toEqual(expect.arrayContaining(['oneOf']));
  }
  const union: JsonSchema = { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] };
  const either = tool({ name: 'either', description: 'Either.', scopes: [], parameters: union }, () => 'done');
  expect(() => definitionsOf(either)).toThrow(/either.*anyOf/);
  // The host names the plugin too.
  await expect((async () => PluginHost.start({ plugins: [definePlugin({ name: 'unions', tools: [either] })()], root: '/' }))()).rejects.toThrow(/unions[\s\S]*either/);
});

test('mcp: hints come from the scopes', () => {
  expect(toMcp(everything)).toMatchObject({ name: 'everything', title: 'All', annotations: { title: 'All', readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } });
  const hints = (options: Partial<ToolOptions>) => toMcp(tool({ name: 'sample', description: 'A sample.', scopes: [], ...options }, () => 'done')).annotations;
  expect(hints({ scopes: ['write', 'dangerous'] })).toEqual({ readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true });
  // Nobody said that it only adds.
  expect(hints({ scopes: ['write'] })).toEqual({ readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false });
  expect(hints({ scopes: ['write'], destructive: false })).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  expect(hints({ scopes: [], destructive: true })).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  // A tool that calls others does what they do, whatever its own scopes.
  expect(hints({ callsTools: true })).toEqual({ readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true });
  expect(toMcp(workflowTool()).annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
});

test('anthropic: names that its alphabet lacks are shown safely, at every depth, and taken for the field', () => {
  class Inner {
    @Param() 名前!: string;
    @Param() plain: number = 1;
  }
  class Named {
    @Param({ name: '$schema' }) schema!: string;
    @Param({ type: () => Inner }) 一覧: Inner[] = [];
    @Param({ type: () => Inner, optional: true }) plain?: Inner;
  }
  const named = tool({ name: 'named', description: 'Named.', scopes: [], parameters: Named }, () => 'done');
  const { input_schema: shown } = toAnthropic(named);
  const names: string[] = [];
  everySchema(shown, (schema) => names.push(...Object.keys((schema.properties ?? {}) as object)));
  for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
  expect(names).toHaveLength(7);
  const [schema, list] = Object.keys(shown.properties ?? {});
  const [inner] = Object.keys(shown.properties?.plain?.properties ?? {});
  expect(shown.required).toEqual([schema]);
  const outcome = named.parse({ [schema ?? '']: 'x', [list ?? '']: [{ [inner ?? '']: 'a' }] });
  expect(outcome.ok && outcome.json).toEqual({ $schema: 'x', 一覧: [{ 名前: 'a', plain: 1 }] });
  expect(named.parse({ $schema: 'x', 一覧: [{ 名前: 'a' }] })).toMatchObject({ ok: true });
  expect(toAnthropic(everything).input_schema.properties?.edits).toEqual(everything.parameters.properties?.edits);
});

test('a record is made once per definition and frozen', () => {
  expect(toOpenAIStrict(everything)).toBe(toOpenAIStrict(everything));
  expect(Object.isFrozen(toGemini(everything).parameters?.properties)).toBe(true);
});

test('tool names: those that fit stay, the rest map one-to-one and back', () => {
  const names = ['read_file', 'a.b', 'a/b', 'a_b', 'x'.repeat(80), `${'x'.repeat(80)}y`, '读取'];
  const map = mapToolNames(names, { character: /[a-zA-Z0-9_-]/, maxLength: 64 });
  const shown = names.map((name) => map.toProvider(name));
  expect(shown[0]).toBe('read_file');
  expect(shown[3]).toBe('a_b');
  expect(new Set(shown).size).toBe(names.length);
  for (const name of shown) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(shown.map((name) => map.fromProvider(name))).toEqual(names);
  expect(map.fromProvider('never_shown')).toBe('never_shown');
});
