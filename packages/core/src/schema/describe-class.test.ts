// Every kind of field that a TypeScript author writes: its schema, what is built from a call, and its JSON form.
import { describe, expect, test } from '@jest/globals';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize, ArrayNotEmpty, Equals, IsArray, IsBoolean, IsDate, IsEmail, IsEnum, IsIn, IsInt, IsNotEmpty, IsNumber, IsObject, IsOptional, IsString, Length, Matches, Max, MaxLength, Min, MinLength,
  ValidateIf, ValidateNested,
} from 'class-validator';
import { Param, SetupError, arrayOf, integer, json, literal, nullable, record, tool, tuple, union, type Class, type ParseOutcome, type ToolDefinition } from '../index.js';

function toolOf(parameters: Class<object>): ToolDefinition {
  return tool({ name: 'sample', description: 'A sample.', scopes: [], parameters }, () => 'done');
}
function built(outcome: ParseOutcome): Record<string, unknown> {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
  return outcome.value;
}
function issues(outcome: ParseOutcome): string[] {
  return outcome.ok ? [] : outcome.issues.map((issue) => issue.message);
}

describe('types', () => {
  enum Level { Low = 1, High = 2 }
  enum Colour { Red = 'red', Blue = 'blue' }
  const sizes = { small: 's', large: 'l' } as const;

  class Leaves {
    @Param() text!: string;
    @Param() amount!: number;
    @Param() flag!: boolean;
    @Param() big!: bigint;
    @Param() when!: Date;
    @Param() link!: URL;
    @Param({ type: () => integer }) whole!: number;
    @Param({ enum: Level }) level!: Level;
    @Param({ enum: Colour }) colour!: Colour;
    @Param({ enum: sizes }) size!: 's' | 'l';
    @Param({ enum: ['a', 1] }) mixed!: 'a' | 1;
    @Param({ type: () => literal('x', true) }) odd!: 'x' | true;
    @Param({ type: () => Object }) free!: object;
    @Param({ type: () => json }) any: unknown;
  }
  const leaves = toolOf(Leaves);
  const call = {
    text: 'x', amount: 1.5, flag: true, big: '12345678901234567890', when: '2026-01-31T12:00:00.000Z', link: 'https://example.org/a', whole: 3, level: 2, colour: 'blue', size: 'l', mixed: 1, odd: true,
    free: { a: [1, { b: null }] }, any: null,
  };

  test('have their schema', () => {
    expect(leaves.parameters.properties).toEqual({
      text: { type: 'string' },
      amount: { type: 'number' },
      flag: { type: 'boolean' },
      big: { type: 'string', pattern: '^(0|-?[1-9][0-9]*)$' },
      when: { type: 'string', format: 'date-time' },
      link: { type: 'string', format: 'uri' },
      whole: { type: 'integer' },
      level: { type: 'integer', enum: [1, 2] },
      colour: { type: 'string', enum: ['red', 'blue'] },
      size: { type: 'string', enum: ['s', 'l'] },
      mixed: { type: ['string', 'integer'], enum: ['a', 1] },
      odd: { type: ['string', 'boolean'], enum: ['x', true] },
      free: { type: 'object', additionalProperties: true },
      any: {},
    });
  });

  test('are built as what they are declared, and go back to the same JSON', () => {
    const outcome = leaves.parse(call);
    expect(built(outcome)).toMatchObject({ big: 12345678901234567890n, when: new Date('2026-01-31T12:00:00Z'), link: new URL('https://example.org/a') });
    expect(outcome.ok && outcome.json).toEqual(call);
    const again = leaves.parse(outcome.ok && outcome.json);
    expect(built(again)).toEqual(built(outcome));
    expect(again.ok && again.json).toEqual(call);
  });

  test('refuse what is not theirs, each with field, rule and received value', () => {
    const wrong = { ...call, text: 5, amount: 'many', flag: 'yes', big: '1.5', when: 'yesterday', link: 'example', whole: 1.5, level: 3, colour: 'Red', size: 'small', free: [1], any: undefined };
    expect(issues(leaves.parse(wrong))).toEqual([
      'text must be a string, received 5',
      'amount must be a number, received "many"',
      'flag must be true or false, received "yes"',
      'big must be a whole number as a string of digits, received "1.5"',
      'when must be an ISO 8601 date and time with a zone, e.g. 2026-01-31T12:00:00Z, received "yesterday"',
      'link must be a URL with its scheme, e.g. https://example.org, received "example"',
      'whole must be an integer, received 1.5',
      'level must be one of 1, 2, received 3',
      'colour must be one of "red", "blue" (did you mean "red"?), received "Red"',
      'size must be one of "s", "l", received "small"',
      'free must be an object, received [1]',
      'any is required',
    ]);
  });

  test('SCH-15: a numeric enum has its values, never its key names', () => {
    const level = (value: unknown) => leaves.parse({ ...call, level: value });
    expect(built(level(1)).level).toBe(1);
    expect(built(level('1')).level).toBe(1);
    expect(issues(level('Low'))).toEqual(['level must be one of 1, 2, received "Low"']);
    expect(issues(level(3))).toHaveLength(1);
    class ByRule {
      @Param() @IsEnum(Level) level!: Level;
    }
    expect(toolOf(ByRule).parameters.properties?.level).toEqual({ type: 'integer', enum: [1, 2] });
    expect(issues(toolOf(ByRule).parse({ level: 'Low' }))).toHaveLength(1);
  });
});

describe('coercion is lossless or refused', () => {
  class Sample {
    @Param({ optional: true, type: () => integer }) count?: number;
    @Param({ optional: true }) flag?: boolean;
    @Param({ optional: true }) text?: string;
    @Param({ optional: true, type: () => Number }) list?: number[];
    @Param({ optional: true, type: () => Object }) free?: object;
  }
  const sample = toolOf(Sample);
  test.each([
    [{ count: '20' }, { count: 20 }], [{ count: '-3' }, { count: -3 }], [{ flag: 'true' }, { flag: true }], [{ flag: 'false' }, { flag: false }],
    [{ list: '[1,"2"]' }, { list: [1, 2] }], [{ free: ' {"a":1}' }, { free: { a: 1 } }], [{ count: null, text: null }, {}],
  ])('%j is read as %j', (input, expected) => expect(built(sample.parse(input))).toEqual(expected));
  test.each([
    { count: '' }, { count: '020' }, { count: '1.0' }, { count: ' 1' }, { count: '0x10' }, { count: '1e400' }, { count: true }, { count: '9007199254740993' }, { flag: 0 }, { flag: '' }, { flag: 'FALSE' },
    { text: 5 }, { text: { name: 'app' } }, { text: ['a'] }, { list: '1,2' }, { list: 1 }, { list: [null] }, { free: '[1]' }, { free: 'text' }, { count: Number.NaN }, { count: Infinity },
  ])('%j is refused', (input) => expect(issues(sample.parse(input))).toHaveLength(1));

  test('SCH-03: an object where text is declared is refused, never written as [object Object]', () => {
    expect(issues(sample.parse({ text: { name: 'app' } }))).toEqual(['text must be a string, received {"name":"app"}']);
  });
});

describe('absent, null and defaults', () => {
  class Limited {
    @Param() @IsInt() @Min(1) limit: number = 50;
    @Param({ type: () => String }) tags: string[] = [];
    @Param({ type: () => nullable(String) }) note: string | null = null;
    @Param() id: string = `id-${Math.random()}`;
  }
  const limited = toolOf(Limited);
  test('SCH-04: omitted and null give the default, and 0 is refused', () => {
    expect(built(limited.parse({})).limit).toBe(50);
    expect(built(limited.parse({ limit: null })).limit).toBe(50);
    expect(issues(limited.parse({ limit: 0 }))).toEqual(['limit must be at least 1, received 0']);
    class ByDecorator {
      @Param() @IsOptional() @IsInt() @Min(1) limit!: number;
    }
    expect(built(toolOf(ByDecorator).parse({ limit: null }))).toEqual({});
  });
  test('SCH-05: a key that is there with undefined gives the default', () => {
    expect(built(limited.parse({ limit: undefined })).limit).toBe(50);
  });
  test('a default is fresh for every call', () => {
    const first = built(limited.parse({})).tags as string[];
    first.push('changed');
    expect(built(limited.parse({})).tags).toEqual([]);
  });
  test('null stays null where the field allows it, and a default that differs each time is not shown', () => {
    expect(built(limited.parse({ note: null })).note).toBeNull();
    expect(limited.parameters.properties).toMatchObject({ note: { type: ['string', 'null'], default: null }, id: { type: 'string' } });
    expect(Object.keys(limited.parameters.properties?.id ?? {})).not.toContain('default');
    expect(limited.parameters.required).toBeUndefined();
  });
  test('a default that breaks its own rule is refused at definition', () => {
    class Wrong {
      @Param() @Min(1) limit: number = 0;
    }
    expect(() => toolOf(Wrong)).toThrow(/Wrong: the default of limit breaks its own rules: limit must be at least 1, received 0\. Correct it or the rule/);
  });
});

describe('collections and classes', () => {
  class Edit {
    @Param() @MinLength(1) old_text!: string;
    @Param() new_text: string = '';
    describe() {
      return `${this.old_text} → ${this.new_text}`;
    }
  }
  class TreeNode {
    @Param() label!: string;
    @Param({ type: () => TreeNode }) children: TreeNode[] = [];
  }
  class Circle {
    @Param() kind: string = 'circle';
    @Param() radius!: number;
  }
  class Square {
    @Param() kind: string = 'square';
    @Param() side!: number;
  }
  class Collections {
    @Param({ type: () => Edit }) edits!: Edit[];
    @Param({ type: () => Edit }) edit!: Edit;
    @Param({ type: () => Number }) numbers!: Set<number>;
    @Param({ type: () => record(Number, /^[a-z]+$/) }) scores!: Record<string, number>;
    @Param({ type: () => Date }) days!: Map<string, Date>;
    @Param({ type: () => tuple(Number, String) }) pair!: [number, string];
    @Param({ type: () => [[String]] }) grid!: string[][];
    @Param({ oneOf: () => [Circle, Square] }) shape!: Circle | Square;
    @Param({ oneOf: () => [Circle, Square], discriminator: 'kind' }) shapes!: (Circle | Square)[];
    @Param({ type: () => union(Number, String, arrayOf(Boolean)) }) either!: number | string | boolean[];
    @Param() tree!: TreeNode;
    @Param({ type: () => nullable(Edit) }) maybe!: Edit | null;
  }
  const collections = toolOf(Collections);
  const call = {
    edits: [{ old_text: 'a', new_text: 'b' }], edit: { old_text: 'a', new_text: '' }, numbers: [1, 2], scores: { a: 1 }, days: { mon: '2026-01-31T00:00:00.000Z' }, pair: [1, 'x'], grid: [['a'], []],
    shape: { kind: 'circle', radius: 1 }, shapes: [{ kind: 'square', side: 2 }], either: '20', tree: { label: 'a', children: [{ label: 'b', children: [] }] }, maybe: null,
  };

  test('have their schema; a class inside itself is a $ref', () => {
    const edit = { type: 'object', properties: { old_text: { type: 'string', minLength: 1 }, new_text: { type: 'string', default: '' } }, required: ['old_text'], additionalProperties: false };
    const circle = { type: 'object', properties: { kind: { type: 'string', const: 'circle' }, radius: { type: 'number' } }, required: ['kind', 'radius'], additionalProperties: false };
    const square = { type: 'object', properties: { kind: { type: 'string', const: 'square' }, side: { type: 'number' } }, required: ['kind', 'side'], additionalProperties: false };
    expect(collections.parameters.properties).toEqual({
      edits: { type: 'array', items: edit },
      edit,
      numbers: { type: 'array', items: { type: 'number' }, uniqueItems: true },
      scores: { type: 'object', propertyNames: { pattern: '^[a-z]+$' }, additionalProperties: { type: 'number' } },
      days: { type: 'object', additionalProperties: { type: 'string', format: 'date-time' } },
      pair: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], minItems: 2, maxItems: 2 },
      grid: { type: 'array', items: { type: 'array', items: { type: 'string' } } },
      shape: { oneOf: [circle, square] },
      shapes: { type: 'array', items: { oneOf: [circle, square] } },
      either: { anyOf: [{ type: 'number' }, { type: 'string' }, { type: 'array', items: { type: 'boolean' } }] },
      tree: { $ref: '#/$defs/TreeNode' },
      maybe: { ...edit, type: ['object', 'null'] },
    });
    expect(collections.parameters.$defs).toEqual({
      TreeNode: { type: 'object', properties: { label: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/TreeNode' }, default: [] } }, required: ['label'], additionalProperties: false },
    });
  });

  test('are built as instances, Sets and Maps, and go back to the same JSON', () => {
    const outcome = collections.parse(call);
    const value = built(outcome);
    expect((value.edits as Edit[])[0]?.describe()).toBe('a → b');
    expect(value.numbers).toEqual(new Set([1, 2]));
    expect(value.days).toEqual(new Map([['mon', new Date('2026-01-31')]]));
    expect(value.shape).toBeInstanceOf(Circle);
    expect((value.shapes as unknown[])[0]).toBeInstanceOf(Square);
    expect(value.either).toBe('20');
    expect((value.tree as TreeNode).children[0]).toBeInstanceOf(TreeNode);
    expect(outcome.ok && outcome.json).toEqual(call);
  });

  test('say where inside something is wrong', () => {
    const wrong = {
      ...call, edits: [{ old_text: 'a' }, { old_text: '', newText: 'b' }], edit: [{ old_text: 'a' }], numbers: [1, 1], scores: { A: 1, b: 'x' }, pair: [1], grid: [['a', 1]], shape: { kind: 'oval' }, shapes: [{ kind: 'square', radius: 2 }],
      either: { a: 1 }, tree: { label: 'a', children: [{ label: 'b', children: [{}] }] },
    };
    expect(issues(collections.parse(wrong))).toEqual([
      'edits.1.old_text must not be empty, received ""',
      'edits.1.newText is not a parameter (did you mean "new_text"?), received "b"',
      'edit must be an object, received [{"old_text":"a"}]',
      'numbers must not hold the same item twice, received [1,1]',
      'scores.A is a key that does not match ^[a-z]+$',
      'scores.b must be a number, received "x"',
      'pair must be an array of exactly 2 items, received [1]',
      'grid.0.1 must be a string, received 1',
      'shape.kind must be one of "circle", "square", received "oval"',
      'shapes.0.side is required',
      'shapes.0.radius is not a parameter (known: side, kind), received 2',
      'either must be a number or a string or an array, received {"a":1}',
      'tree.children.0.children.0.label is required',
    ]);
  });

  test('SCH-08: a class without fields takes {} and nothing else', () => {
    class Empty {}
    class Undecorated {
      name = 'x';
    }
    for (const parameters of [Empty, Undecorated]) {
      const ping = toolOf(parameters);
      expect(ping.parameters).toEqual({ type: 'object', properties: {}, additionalProperties: false });
      expect(built(ping.parse({}))).toEqual({});
      expect(issues(ping.parse({ extra: 1 }))).toEqual(['extra is not a parameter (there are none), received 1']);
    }
    expect(issues(toolOf(Empty).parse([]))).toEqual(['the arguments must be an object, received []']);
  });
});

describe('inheritance', () => {
  class Base {
    @Param('Where') @MaxLength(10) path!: string;
    @Param() @Min(1) @Max(10) count: number = 1;
  }
  class Child extends Base {
    @MaxLength(20) declare path: string;
    @Param() extra!: boolean;
  }
  class Sibling extends Base {
    override count: number = 7;
  }
  test('SCH-20: the child keeps its parent\'s fields and rules, replaces a rule it states again, and leaks nothing into the parent', () => {
    expect(toolOf(Child).parameters.properties).toEqual({
      path: { type: 'string', description: 'Where', maxLength: 20 },
      count: { type: 'number', minimum: 1, maximum: 10, default: 1 },
      extra: { type: 'boolean' },
    });
    expect(toolOf(Base).parameters.properties).toEqual({ path: { type: 'string', description: 'Where', maxLength: 10 }, count: { type: 'number', minimum: 1, maximum: 10, default: 1 } });
    expect(toolOf(Sibling).parameters.properties?.count?.default).toBe(7);
    const long = { path: 'x'.repeat(15), extra: true };
    expect(issues(toolOf(Child).parse(long))).toEqual([]);
    expect(issues(toolOf(Sibling).parse({ path: long.path }))).toEqual(['path must have at most 10 characters, received "xxxxxxxxxxxxxxx"']);
  });
});

describe('where a type comes from', () => {
  test('class-validator and class-transformer decorators, and the initialiser, where the compiler left nothing', () => {
    class Inner {
      @IsString() @IsNotEmpty() name!: string;
      @IsOptional() @IsInt() age?: number;
    }
    class Inferred {
      @Param() @IsInt() @Min(1) count: unknown = 3;
      @Param() @IsIn(['a', 'b']) mode: unknown;
      @Param() @IsString({ each: true }) @ArrayNotEmpty() @ArrayMaxSize(3) names: unknown;
      @Param() @IsArray() @IsNumber({}, { each: true }) numbers!: number[];
      @Param() @Type(() => Inner) @ValidateNested({ each: true }) inner!: Inner[];
      @Param() @IsEmail() mail: unknown;
      @Param() @IsDate() since: unknown;
      @Param() @IsBoolean() flag: unknown;
      @Param() @IsObject() free: unknown;
      @Param() @Equals('yes') sure!: string;
      @Param() limit = 20;
      @Param() words = ['a', 'b'];
    }
    expect(toolOf(Inferred).parameters).toEqual({
      type: 'object',
      properties: {
        count: { type: 'integer', minimum: 1, default: 3 },
        mode: { type: 'string', enum: ['a', 'b'] },
        names: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
        numbers: { type: 'array', items: { type: 'number' } },
        inner: { type: 'array', items: { type: 'object', properties: { name: { type: 'string', minLength: 1 }, age: { type: 'integer' } }, required: ['name'], additionalProperties: false } },
        mail: { type: 'string', format: 'email' },
        since: { type: 'string', format: 'date-time' },
        flag: { type: 'boolean' },
        free: { type: 'object', additionalProperties: true },
        sure: { type: 'string', enum: ['yes'] },
        limit: { type: 'number', default: 20 },
        words: { type: 'array', items: { type: 'string' }, default: ['a', 'b'] },
      },
      required: ['mode', 'names', 'numbers', 'inner', 'mail', 'since', 'flag', 'free', 'sure'],
      additionalProperties: false,
    });
  });

  test.each<[string, () => Class<object>, RegExp]>([
    ['an interface', () => { class Sample { @Param() options!: { a: number } | null; } return Sample; }, /Sample\.options: the compiler left only "Object" of its type.*@Param\(\{ type: \(\) => String \}\)/],
    ['an array', () => { class Sample { @Param() names!: string[]; } return Sample; }, /Sample\.names: it is an array, but the compiler keeps no type of its elements/],
    ['a Map', () => { class Sample { @Param() names!: Map<string, number>; } return Sample; }, /Sample\.names: it is a Map/],
    ['type that returns undefined', () => { class Sample { @Param({ type: () => undefined }) edit!: object; } return Sample; }, /Sample\.edit: the option "type" returned undefined.*circular import/],
    ['a native class', () => { class Sample { @Param() bytes!: Buffer; } return Sample; }, /Sample\.bytes: the compiler left only "Buffer"/],
    ['a resource that is no text', () => { class Sample { @Param({ kind: 'path', type: () => Object }) where!: object; } return Sample; }, /Sample\.where: the option "kind" needs a text.*free-object/],
    ['a resource in a class that contains itself', () => { class Tree { @Param({ kind: 'path' }) path!: string; @Param({ type: () => Tree, optional: true }) next?: Tree; } class Sample { @Param() tree!: Tree; } return Sample; }, /Tree\.path is marked with "kind" or "sensitive" inside a class that contains itself/],
    ['a resource whose default is not known', () => { class Sample { @Param({ kind: 'path' }) path: string = `${Math.random()}`; } return Sample; }, /Sample\.path: it has a "kind", and a default that is not known before the call/],
    ['an example that does not fit', () => { class Sample { @Param({ examples: ['a', 5] }) @MinLength(1) name!: string; } return Sample; }, /Sample: an example of name breaks its own rules: name must be a string, received 5/],
    ['limits that no value can keep', () => { class Sample { @Param() @MinLength(5) @MaxLength(3) name!: string; } return Sample; }, /Sample\.name: no value can have minLength 5 and maxLength 3/],
    ['an empty enum', () => { class Sample { @Param({ enum: [Number.NaN] }) level!: number; } return Sample; }, /Sample\.level: an enum needs strings or finite numbers/],
    ['a rule that contradicts the type', () => { class Sample { @Param() @IsString() level!: number; } return Sample; }, /Sample\.level: the class-validator rule isString contradicts its type \(number\)/],
    ['a union of classes that nothing tells apart', () => { class A { @Param() x!: number; } class B { @Param() x!: number; } class Sample { @Param({ oneOf: () => [A, B] }) either!: A | B; } return Sample; }, /nothing tells A and B apart/],
    ['a constructor that works with its services', () => { class Sample { @Param() x: number = 1; constructor(readonly list: string[]) { if (list.length !== 0) throw new Error('full'); } } return Sample; }, /The constructor of Sample fails without its services.*move its work into execute/],
  ])('%s is refused, naming class, field and remedy', (_, make, message) => {
    expect(() => toolOf(make())).toThrow(SetupError);
    expect(() => toolOf(make())).toThrow(message);
  });

  test('SCH-17: a file compiled without metadata is refused with the remedy, never given an empty schema', () => {
    class Sample {
      name!: string;
    }
    Param()(Sample.prototype, 'name');
    expect(() => toolOf(Sample)).toThrow(/Sample\.name: its type is not known at run time.*emitDecoratorMetadata.*@Param\(\{ type: \(\) => String \}\)/);
  });
});

describe('class-transformer', () => {
  class Cat {
    @Param() name!: string;
  }
  class Dog {
    @Param() age!: number;
  }
  class Transformed {
    @Param() @Transform(({ value }) => (typeof value === 'string' ? value.trim() : value)) @MinLength(2) name!: string;
    @Param({ type: () => String }) @Transform(({ value }) => (typeof value === 'string' ? value.split(',') : value)) tags: string[] = [];
    @Param() @Transform(({ value }) => new Date(`${String(value)}T00:00:00Z`)) day!: Date;
    @Param() @Type(() => Object, { discriminator: { property: 'type', subTypes: [{ value: Cat, name: 'cat' }, { value: Dog, name: 'dog' }] } }) pet!: Cat | Dog;
  }
  const transformed = toolOf(Transformed);
  test('@Transform comes first, what it returns is checked, and the JSON form is what came in', () => {
    const call = { name: ' ab ', tags: 'x,y', day: '2026-01-31', pet: { type: 'dog', age: 3 } };
    const outcome = transformed.parse(call);
    expect(built(outcome)).toMatchObject({ name: 'ab', tags: ['x', 'y'], day: new Date('2026-01-31') });
    expect(built(outcome).pet).toBeInstanceOf(Dog);
    expect(outcome.ok && outcome.json).toEqual(call);
    expect(transformed.parse(outcome.ok && outcome.json)).toMatchObject({ ok: true, value: built(outcome) });
    expect(issues(transformed.parse({ ...call, name: ' a ' }))).toEqual(['name must have at least 2 characters, received "a"']);
  });
});

test('the JSON form of a class holds its parameters only, whatever else an instance holds', () => {
  class Cached {
    @Param() name!: string;
    @Param({ optional: true }) note?: string;
    cache = 'private';
  }
  class Outer {
    @Param() inner!: Cached;
  }
  const outcome = toolOf(Outer).parse({ inner: { name: 'a' } });
  expect((built(outcome).inner as Cached).cache).toBe('private');
  expect(outcome.ok && outcome.json).toEqual({ inner: { name: 'a' } });
});

describe('hostile input', () => {
  class Opts {
    @Param() path!: string;
    @Param({ type: () => Object, optional: true }) opts?: object;
    @Param({ type: () => record(json), optional: true }) map?: Record<string, unknown>;
  }
  const sample = toolOf(Opts);
  test('SCH-09: dangerous keys are refused at every depth, and no prototype changes', () => {
    const text = '{"path":"a","__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}},"opts":{"deep":[{"__proto__":{"y":1}}]},"map":{"prototype":1,"__proto__":{"z":1}}}';
    const outcome = sample.parse(JSON.parse(text));
    expect(outcome.ok ? [] : outcome.issues.map(({ path, rule }) => `${path} ${rule}`)).toEqual([
      'opts.deep.0.__proto__ dangerous_key', 'map.prototype dangerous_key', 'map.__proto__ dangerous_key', '__proto__ dangerous_key', 'constructor dangerous_key',
    ]);
    const probe = {} as Record<string, unknown>;
    expect([probe.isAdmin, probe.x, probe.y, probe.z]).toEqual([undefined, undefined, undefined, undefined]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test('SCH-19: a value nested 20,000 deep and a text of 60 MB are ordinary issues', () => {
    let deep: unknown = {};
    for (let level = 0; level < 20_000; level += 1) deep = { c: deep };
    expect(issues(sample.parse({ path: 'a', opts: deep }))).toEqual([expect.stringMatching(/must not be nested deeper than 64/)]);
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect(issues(sample.parse({ path: 'a', map: cyclic }))).toEqual([expect.stringMatching(/deeper than 64/)]);
    const [message] = issues(sample.parse({ path: 'a', opts: 'x'.repeat(60_000_000) }));
    expect(message?.length).toBeLessThan(150);
    class Recursive {
      @Param({ type: () => Recursive, optional: true }) c?: Recursive;
    }
    expect(issues(toolOf(Recursive).parse(deep))).toEqual([expect.stringMatching(/deeper than 64/)]);
  });

  test('ten thousand wrong items are told of in a short answer, and so is a long key', () => {
    class Many {
      @Param({ type: () => Number, optional: true }) list?: number[];
      @Param({ type: () => record(Number), optional: true }) map?: Record<string, number>;
    }
    const outcome = toolOf(Many).parse({ list: Array.from({ length: 10_000 }, () => 'x'), map: { ['k'.repeat(1_000_000)]: 'x' } });
    expect(issues(outcome)).toHaveLength(51);
    expect(issues(outcome).at(-1)).toBe('and 9951 more like these');
    expect(issues(toolOf(Many).parse({ map: { ['k'.repeat(1_000_000)]: 'x' } }))[0]?.length).toBeLessThan(150);
  });

  test('a union of classes that contain unions of themselves cannot be made to take for ever', () => {
    class And {
      @Param({ type: () => union(And, Or) }) left!: object;
    }
    class Or {
      @Param({ type: () => union(Or, And) }) left!: object;
    }
    let deep: object = { left: 'neither' };
    for (let level = 0; level < 50; level += 1) deep = { left: deep };
    class Root {
      @Param({ type: () => union(And, Or) }) condition!: object;
    }
    expect(issues(toolOf(Root).parse({ condition: deep }))).toEqual([expect.stringMatching(/^condition can be read in too many ways/)]);
  });

  test('a secret is not repeated in a message', () => {
    class Login {
      @Param({ kind: 'secret' }) @MaxLength(3) token!: string;
      @Param({ sensitive: true }) @IsEmail() @Matches(/x/) mail!: string;
    }
    const login = toolOf(Login);
    expect(JSON.stringify(login.parse({ token: 'hunter2', mail: 'hunter3' }))).not.toMatch(/hunter/);
    expect(login.sensitive).toEqual(['token', 'mail']);
  });

  test('a pattern that would hang on a model\'s text is run in linear time, and one that cannot be is refused at definition', async () => {
    class Hostile {
      @Param() @Matches(/^(a+)+$/) first!: string;
      @Param() @Matches(/^(a|a)*$/i) second!: string;
      @Param() @Matches(new RegExp("^[\\w\\'\\-]+$")) third!: string;
    }
    const hostile = toolOf(Hostile);
    const text = `${'a'.repeat(100_000)}!`;
    expect(hostile.parameters.properties?.third?.pattern).toBe("^[\\w'\\x2d]+$");
    expect(issues(hostile.parse({ first: text, second: 'a', third: "it's-ok" }))).toEqual([expect.stringMatching(/^first must match/)]);
    expect(await hostile.rules?.(built(hostile.parse({ first: 'a', second: text, third: 'a' })))).toMatchObject([{ path: 'second', rule: 'matches' }]);
    class Unreadable {
      @Param() @Matches(/^(?=x)(a+)+$/) name!: string;
    }
    expect(() => toolOf(Unreadable)).toThrow(/Unreadable\.name: the pattern .* cannot be run safely on a model's text: it looks ahead or behind/);
  });

  test.each([[null], ['text'], [5], [[]], [undefined], [new Date()], ['{"path":5}']])('%j is not the arguments', (input) => {
    expect(issues(sample.parse(input)).length).toBeGreaterThan(0);
  });
});

describe('rules that JSON Schema cannot say', () => {
  class Range {
    @Param() @IsInt() from!: number;
    @Param() @ValidateIf((range: Range) => range.from > 10) @IsInt() to!: number;
    @Param() @Length(2, 5) @Matches(/^[a-z]+$/i) word: string = 'ab';
    @Param() @IsEmail({}, { message: '$property wants a mail address, not $value' }) mail: string = 'a@example.org';
  }
  const range = toolOf(Range);
  test('run after structure, with class-validator\'s own message', async () => {
    const outcome = range.parse({ from: 11, word: 'a1', mail: 'a@b.c' });
    expect(await range.rules?.(built(outcome))).toEqual([
      { path: 'to', rule: 'required', message: 'to is required with these arguments' },
      { path: 'word', rule: 'matches', message: 'word must match /^[a-z]+$/i regular expression, received "a1"', received: '"a1"' },
      { path: 'mail', rule: 'isEmail', message: 'mail wants a mail address, not a@b.c, received "a@b.c"', received: '"a@b.c"' },
    ]);
    expect(await range.rules?.(built(range.parse({ from: 1 })))).toEqual([]);
    expect(range.parameters.properties?.word?.description).toBe('Must match /^[a-z]+$/i regular expression.');
  });
  test('a class whose schema says everything has none', () => {
    class Plain {
      @Param() @MinLength(1) name!: string;
    }
    expect(toolOf(Plain).rules).toBeUndefined();
  });
});
