// The two forms of a tool and the plain function, from decorators to the frozen record, and every wrong use that is refused.
import { describe, expect, test } from '@jest/globals';
import { IsInt, Max, Min, MinLength } from 'class-validator';
import { FromContext, Param, Tool, definitionsOf, defineTool, tool, type Class, type ServiceProvider, type ToolContext } from '../index.js';

class Files {
  list(): string[] {
    return ['a.ts'];
  }
}

@Tool('Search text files in the workspace with a regular expression.', {
  name: 'grep', scopes: ['read'], timeoutMs: 20_000, examples: [{ pattern: 'TODO', dir: 'src' }],
})
class Grep {
  @Param('Regular expression') @MinLength(1)
  pattern!: string;

  @Param('Directory to search', { kind: 'path', access: 'read' })
  dir: string = '.';

  @Param('Most matches to return') @IsInt() @Min(1) @Max(500)
  limit: number = 50;

  @FromContext('user')
  user?: string;

  constructor(private readonly files: Files) {}

  async execute(context: ToolContext) {
    return { found: this.files.list(), pattern: this.pattern, dir: this.dir, limit: this.limit, user: this.user, call: context.callId };
  }
}

const services: ServiceProvider = {
  get: () => { throw new Error('not used'); },
  create: <T>(target: Class<T>) => new (target as unknown as new (...services: unknown[]) => T)(new Files()),
};
const context = { callId: 'c1' } as ToolContext;

test('the function form has the members of a tool class, over its input', async () => {
  class Input {
    @Param() host!: string;
    address() {
      return `https://${this.host}`;
    }
  }
  const fetchPage = tool({
    name: 'fetch_page', description: 'Fetch a page.', scopes: ['network'], parameters: Input, retry: { attempts: 2 },
    access: (input) => [{ kind: 'url', mode: 'read', value: input.address() }],
    check: (input) => (input.host === '' ? 'A host is needed.' : undefined),
    preview: (input) => `GET ${input.address()}`,
  }, (input, { callId }) => `${callId} ${input.address()}`);
  const outcome = fetchPage.parse({ host: 'example.org' });
  const handler = fetchPage.instantiate(outcome.ok ? outcome.value : {}, services, {});
  expect(handler.access?.()).toEqual([{ kind: 'url', mode: 'read', value: 'https://example.org' }]);
  expect([await handler.check?.(context), await handler.preview?.(context), await handler.execute(context)]).toEqual([undefined, 'GET https://example.org', 'c1 https://example.org']);
  expect(Object.isFrozen(fetchPage.retry)).toBe(true);
});

describe('the method form', () => {
  const base = { description: 'Does it.', scopes: [] };
  abstract class Base {
    protected greeting = 'hello';
    @Tool(base) base(@Param() name: string) {
      return `${this.greeting} ${name}`;
    }
    @Tool(base) shared() {
      return 'base';
    }
  }
  class A extends Base {
    @Tool(base) a() {
      return 'a';
    }
    override shared() {
      return 'a';
    }
  }
  class B extends Base {
    protected override greeting = 'hi';
    @Tool({ ...base, name: 'b_tool', description: 'B.' }) b() {
      return 'b';
    }
    @Tool({ ...base, description: 'Said anew.' }) override shared() {
      return 'b';
    }
  }
  const plainServices: ServiceProvider = { get: services.get, create: <T>(target: Class<T>) => new (target as unknown as new () => T)() };
  const run = (target: Class, name: string, input: object) => {
    const definition = definitionsOf(target).find((one) => one.name === name);
    const outcome = definition?.parse(input);
    return outcome?.ok === true ? definition?.instantiate(outcome.value, plainServices, {}).execute(context) : outcome;
  };

  test('SCH-20: each child has its own tools and its ancestor\'s, and none of its siblings\'', () => {
    expect(definitionsOf(A).map(({ name }) => name)).toEqual(['base', 'shared', 'a']);
    expect(definitionsOf(B).map(({ name, description }) => `${name}: ${description}`)).toEqual(['base: Does it.', 'shared: Said anew.', 'b_tool: B.']);
    expect(run(A, 'base', { name: 'x' })).toBe('hello x');
    expect(run(B, 'base', { name: 'x' })).toBe('hi x');
    expect([run(A, 'shared', {}), run(B, 'shared', {})]).toEqual(['a', 'b']);
  });

  test('a subclass of a tool class is no tool by itself', () => {
    class Child extends Grep {}
    expect(() => definitionsOf(Child)).toThrow('@Tool stands on its parent Grep, and is not inherited');
    class Plain {}
    expect(() => definitionsOf(Plain)).toThrow('Plain is not a tool');
    expect(() => definitionsOf({ name: 'x' } as never)).toThrow('Give a class with @Tool');
  });
});

describe('the class form', () => {
  test('fields become a flat, closed schema with defaults and constraints', () => {
    const [definition] = definitionsOf(Grep);
    expect(definition?.parameters).toEqual({
      type: 'object',
      properties: {
        pattern: { type: 'string', description: 'Regular expression', minLength: 1 },
        dir: { type: 'string', description: 'Directory to search', default: '.' },
        limit: { type: 'integer', description: 'Most matches to return', minimum: 1, maximum: 500, default: 50 },
      },
      required: ['pattern'],
      additionalProperties: false,
    });
    expect(definition).toMatchObject({ name: 'grep', scopes: ['read'], idempotent: true, resources: [{ path: 'dir', kind: 'path', access: 'read' }] });
  });

  test('an instance is made with its services, and gets the checked arguments', async () => {
    const definition = defineTool(Grep);
    const outcome = definition.parse({ pattern: 'x', limit: '20' });
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
    expect(outcome.json).toEqual({ pattern: 'x', dir: '.', limit: 20 });
    const handler = definition.instantiate(outcome.value, services, { user: 'ann' });
    expect(await handler.execute(context)).toEqual({ found: ['a.ts'], pattern: 'x', dir: '.', limit: 20, user: 'ann', call: 'c1' });
  });

  test('every issue is reported at once, naming field, rule and received value', () => {
    const outcome = defineTool(Grep).parse({ limit: 5000, dirr: 'x' });
    expect(outcome).toMatchObject({ ok: false });
    expect(outcome.ok ? [] : outcome.issues).toEqual([
      { path: 'pattern', rule: 'required', message: 'pattern is required' },
      { path: 'limit', rule: 'maximum', message: 'limit must be at most 500, received 5000', received: '5000' },
      { path: 'dirr', rule: 'unknown', message: 'dirr is not a parameter (did you mean "dir"?), received "x"', received: '"x"' },
    ]);
  });

  test('a value that the host owes and did not give stops the call', () => {
    expect(() => defineTool(Grep).instantiate({ pattern: 'x' }, services, {})).toThrow('needs "user" from the host');
  });
});
