// What the compiler refuses (held by the type check of the tests), and what the decorators refuse on the spot or at definition.
import { describe, expect, test } from '@jest/globals';
import { FromContext, Param, SetupError, Tool, definitionsOf, type Class, type ServiceProvider, type ToolContext, type ToolOptions } from '../index.js';

const services: ServiceProvider = {
  get: () => { throw new Error('not used'); },
  create: <T>(target: Class<T>) => new (target as unknown as new () => T)(),
};
const context = { callId: 'c1' } as ToolContext;
const options: ToolOptions = { description: 'Does it.', scopes: [] };

describe('the compiler refuses', () => {
  test('@Tool on a class without a fitting execute', () => {
    expect(() => {
      // @ts-expect-error the class has no execute
      @Tool(options)
      class NoExecute {
        @Param() name!: string;
      }
      return definitionsOf(NoExecute);
    }).toThrow('NoExecute has no execute() method');

    // @ts-expect-error execute takes something that is no ToolContext
    @Tool(options)
    class WrongExecute {
      execute(text: string) {
        return text;
      }
    }
    expect(WrongExecute.name).toBe('WrongExecute');
  });

  test('a default that does not fit the field', () => {
    expect(() => {
      @Tool(options)
      class Wrong {
        // @ts-expect-error 5 is not a string
        @Param({ default: 5 }) name!: string;
        execute() {}
      }
      return definitionsOf(Wrong);
    }).toThrow(/default of name breaks its own rules: name must be a string/);
  });

  test('a field with a question mark that does not say { optional: true }', () => {
    @Tool(options)
    class Limited {
      // @ts-expect-error the question mark does not exist at run time
      @Param() limit?: number;
      @Param({ optional: true }) offset?: number;
      @Param({ default: 5 }) count?: number;
      @Param() any: unknown = 'x';
      execute() {}
    }
    expect(definitionsOf(Limited)[0]?.parameters.required).toEqual(['limit']);
  });

  test('and takes every default that fits', () => {
    @Tool(options)
    class Right {
      @Param({ default: 'a', enum: ['a', 'b'] }) mode!: 'a' | 'b';
      @Param({ default: ['x'], type: () => String }) tags!: ('x' | 'y')[];
      @Param('Number', { default: 5 }) count!: number;
      @Param({ default: null, type: () => String }) name!: string | null;
      @Param({ default: true }) flag?: boolean;
      @Param('Since', { default: new Date(0) }) since!: Date;
      execute() {}
    }
    expect(definitionsOf(Right)[0]?.parse({})).toMatchObject({ ok: true, json: { mode: 'a', tags: ['x'], count: 5, name: null, flag: true, since: '1970-01-01T00:00:00.000Z' } });
  });
});

describe('DI-10: a decorator used wrongly is refused on the spot, or works', () => {
  test('@Tool on a static method', () => {
    expect(() => {
      class Wrong {
        @Tool(options) static run() {}
      }
      return Wrong;
    }).toThrow(/static method Wrong\.run: make it an instance method/);
  });

  test('@Tool on a getter', () => {
    expect(() => {
      class Wrong {
        // @ts-expect-error a getter has no method descriptor
        @Tool(options) get run() {
          return 1;
        }
      }
      return Wrong;
    }).toThrow(/Wrong\.run: it is not a method/);
  });

  test('@Tool twice on one method, and twice on one class', () => {
    expect(() => {
      class Wrong {
        @Tool(options) @Tool(options) run() {}
      }
      return Wrong;
    }).toThrow(/twice on the method Wrong\.run/);
    expect(() => {
      @Tool(options) @Tool(options)
      class Twice {
        execute() {}
      }
      return Twice;
    }).toThrow(/twice on the class Twice/);
  });

  test('a method that is not async, and "this" inside it', async () => {
    class Counter {
      private count = 40;
      @Tool(options) add(@Param('How many') by: number, toolContext: ToolContext) {
        return `${this.count + by} ${toolContext.callId}`;
      }
      @Tool(options) fail(): string {
        throw new Error(`fails at ${this.count}`);
      }
    }
    const [add, fail] = definitionsOf(Counter);
    const outcome = add?.parse({ by: 2 });
    expect(outcome?.ok && await add?.instantiate(outcome.value, services, {}).execute(context)).toBe('42 c1');
    expect(() => fail?.instantiate({}, services, {}).execute(context)).toThrow('fails at 40');
  });

  test('a parameter without @Param', () => {
    class Wrong {
      @Tool(options) run(name: string, @Param() count: number) {
        return name + String(count);
      }
    }
    expect(() => definitionsOf(Wrong)).toThrow(/Wrong\.run \(parameter 0\): it has no @Param/);
  });

  test('two parameters of one name, in a class and in a method', () => {
    @Tool(options)
    class Fields {
      @Param({ name: 'file' }) path!: string;
      @Param() file!: string;
      execute() {}
    }
    expect(() => definitionsOf(Fields)).toThrow(/Fields: the fields path and file are both called "file"/);
    class Methods {
      @Tool(options) run(@Param({ name: 'file' }) path: string, @Param() file: string) {
        return path + file;
      }
    }
    expect(() => definitionsOf(Methods)).toThrow(/two parameters are called "file"/);
  });

  test('rest, default and destructured parameters', async () => {
    class Rest {
      @Tool(options) run(@Param({ type: () => String }) ...names: string[]) {
        return names;
      }
    }
    expect(() => definitionsOf(Rest)).toThrow(/rest parameter/);
    class Destructured {
      @Tool(options) run(@Param({ type: () => Object }) { a }: { a: number }) {
        return a;
      }
    }
    expect(() => definitionsOf(Destructured)).toThrow(/destructured parameter has no name/);
    class UnknownPlace {
      @Tool(options) run(@Param({ kind: 'path' }) dir = '.') {
        return dir;
      }
    }
    expect(() => definitionsOf(UnknownPlace)).toThrow(/UnknownPlace\.run\.dir: its type is not known|a default that is not known before the call/);
    class Default {
      @Tool(options) run(@Param() name: string = "it's, (here", @Param({ default: 2 }) times = 2, /* a, comment */ @FromContext('user') user = 'nobody') {
        return `${name} ${times} ${user}`;
      }
    }
    const [definition] = definitionsOf(Default);
    expect(definition?.parameters).toEqual({ type: 'object', properties: { name: { type: 'string' }, times: { type: 'number', default: 2 } }, additionalProperties: false });
    const outcome = definition?.parse({});
    expect(outcome?.ok && await definition?.instantiate(outcome.value, services, { user: 'ann' }).execute(context)).toBe("it's, (here 2 ann");
  });

  test('an anonymous class needs a name', () => {
    const anonymous = () => class {
      execute() {}
    };
    expect(() => Tool(options)(anonymous())).toThrow(/anonymous class: give the class a name, or the option "name"/);
    const named = anonymous();
    Tool({ ...options, name: 'named' })(named);
    expect(definitionsOf(named)[0]?.name).toBe('named');
  });

  test('@Param on a constructor parameter, a static field, a method, a dangerous name', () => {
    expect(() => {
      class Wrong {
        constructor(@Param() readonly name: string) {}
      }
      return Wrong;
    }).toThrow(/constructor parameter of Wrong: constructor parameters are services/);
    expect(() => {
      class Wrong {
        @Param() static name2: string;
      }
      return Wrong;
    }).toThrow(/static members cannot be parameters/);
    expect(() => Param()({ constructor: Object } as object, '__proto__')).toThrow(/cannot be called "__proto__"/);
    expect(() => {
      class Wrong {
        @Param() @Param() name!: string;
      }
      return Wrong;
    }).toThrow(/marked twice/);
  });
});

describe('a wrong option is refused, naming the nearest right one', () => {
  test.each([
    [{ ...options, timeout: 5 }, /there is no option "timeout", did you mean "timeoutMs"/],
    [{ ...options, scopes: ['reed'] }, /"scopes" must be an array of read, write, network, dangerous/],
    [{ ...options, name: 'Read File' }, /"name" must match/],
    [{ ...options, timeoutMs: -1 }, /"timeoutMs" must be a number above 0/],
    [{ ...options, concurrency: 1.5 }, /"concurrency" must be a whole number above 0/],
    [{ ...options, retry: {} }, /"retry" must be an object with attempts/],
  ])('%j', (wrong, message) => {
    expect(() => {
      @Tool(wrong as ToolOptions)
      class Wrong {
        execute() {}
      }
      return Wrong;
    }).toThrow(message);
  });

  test('of @Param', () => {
    expect(() => Param({ descripton: 'x' } as object)({ constructor: class Owner {} }, 'field')).toThrow(/@Param on Owner\.field: there is no option "descripton", did you mean "description"/);
    expect(() => FromContext('')({ constructor: class Owner {} }, 'user')).toThrow(SetupError);
  });

  test.each([
    [{ scopes: [] }, /has no description/],
    [{ description: 'x' }, /states no scopes/],
    [{ ...options, examples: [{ count: 'many' }] }, /Example 1 of the tool counts does not fit its parameters: count must be a number, received "many"/],
  ])('missing or wrong at definition: %j', (wrong, message) => {
    @Tool(wrong as ToolOptions)
    class Counts {
      @Param() count!: number;
      execute() {}
    }
    expect(() => definitionsOf(Counts)).toThrow(message);
  });
});
