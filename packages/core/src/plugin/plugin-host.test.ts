// The plugin host: tools and services, order, sessions, disposal, and everything that must not start.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, jest, test } from '@jest/globals';
import { IsInt, Min } from 'class-validator';
import { Container, Service } from 'typedi';
import { createDispatcher } from '../call/dispatch.js';
import { SetupError } from '../errors.js';
import { Param } from '../tool/param.decorator.js';
import { Tool } from '../tool/tool.decorator.js';
import { fakeTool } from '../testing/fake-tool.js';
import type { ToolContext } from '../tool/tool.js';
import { definePlugin } from './define-plugin.js';
import { Injectable } from './injectable.js';
import { PluginHost } from './plugin-host.js';
import type { Plugin } from './plugin.js';
import { Inject } from './service-container.js';

const start = (...plugins: Plugin[]) => PluginHost.start({ plugins, root: '/work' });
const plain = (name: string, ...tools: string[]) => definePlugin({ name, tools: tools.map((tool) => fakeTool({ name: tool })) });
const failure = async (attempt: () => unknown): Promise<string> => {
  try {
    await attempt();
  } catch (error) {
    expect(error).toBeInstanceOf(SetupError);
    return (error as Error).message;
  }
  return 'no failure';
};

@Injectable()
class Notes {
  readonly lines: string[] = [];
  disposed = 0;
  dispose() {
    this.disposed += 1;
  }
}

@Tool('Adds a note.', { scopes: ['write'] })
class AddNote {
  @Param('The note') text!: string;
  constructor(private readonly notes: Notes) {}
  execute() {
    this.notes.lines.push(this.text);
    return this.notes.lines.length;
  }
}

describe('tools and their services', () => {
  const notes = definePlugin({ name: 'notes', tools: [AddNote], services: [{ provide: Notes, useClass: Notes, scope: 'session' }] });

  test('a class tool gets its services by constructor and runs through the dispatcher', async () => {
    const host = await start(notes());
    const dispatcher = createDispatcher({ registry: host.registry });
    const session = host.openSession('s1');
    const context = { sessionId: 's1', signal: new AbortController().signal, services: session, approver: { ask: () => Promise.resolve({ answer: 'once' as const }) } };
    await dispatcher.dispatch({ id: '1', name: 'add_note', arguments: '{"text":"a"}' }, context);
    expect(await dispatcher.dispatch({ id: '2', name: 'add_note', arguments: '{"text":"b"}' }, context)).toMatchObject({ success: true, data: 2 });
    await host.dispose();
  });

  test('DI-02: sessions see the registry that was filled, and have session services of their own', async () => {
    const host = await start(notes());
    const [first, second] = [host.openSession('s1'), host.openSession('s2')];
    first.get(Notes).lines.push('only here');
    expect(first.get(Notes)).toBe(first.get(Notes));
    expect(second.get(Notes).lines).toEqual([]);
    expect(host.registry.list().map(({ name, plugin }) => [name, plugin])).toEqual([['add_note', 'notes']]);
    await host.dispose();
  });

  test('DI-03: two thousand sessions leave nothing behind, and each service is disposed once', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const host = await start(notes());
    let disposed = 0;
    const cycle = async (id: string) => {
      const session = host.openSession(id);
      const made = session.get(Notes);
      made.lines.push('x'.repeat(10_000));
      await session.dispose();
      await session.dispose();
      disposed += made.disposed;
    };
    for (let n = 0; n < 50; n++) await cycle(`warm ${n}`);
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 2_000; n++) await cycle(`s${n}`);
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 * 1024 * 1024);
    expect(disposed).toBe(2_050);
    await host.dispose();
  });

  test('two hosts in one process share nothing, not even what typedi knows globally', async () => {
    @Service({ global: true })
    class Global {}
    Container.set(Global, new Global());
    const plugin = definePlugin({ name: 'p', tools: [fakeTool({ name: 'a' })], services: [{ provide: 'dir', useFactory: () => ({}) }] });
    const [one, two] = await Promise.all([start(plugin()), start(plugin())]);
    expect(one.services.get('dir')).not.toBe(two.services.get('dir'));
    expect(one.services.get(Global)).not.toBe(two.services.get(Global));
    expect(one.services.get(Global)).not.toBe(Container.get(Global));
  });

  test('a property marked with @Inject is filled, also by an id', async () => {
    @Tool('Says hello.', { scopes: [] })
    class Hello {
      @Inject(() => Notes) notes!: Notes;
      @Inject('greeting') greeting!: string;
      execute() {
        return `${this.greeting} ${this.notes.lines.length}`;
      }
    }
    const host = await start(definePlugin({ name: 'hello', tools: [Hello], services: [Notes, { provide: 'greeting', useValue: 'hi' }] })());
    const handler = host.registry.get('hello')!.instantiate({}, host.openSession('s'), {});
    expect(handler.execute({} as ToolContext)).toBe('hi 0');
  });
});

describe('what does not start', () => {
  test('DI-05: one tool name from two plugins, whichever comes first', async () => {
    const one = await failure(() => start(plain('p1', 'read_file')(), plain('p2', 'read_file')()));
    const other = await failure(() => start(plain('p2', 'read_file')(), plain('p1', 'read_file')()));
    expect(one).toMatch(/read_file.*p1.*p2/);
    expect(other).toBe(one);
  });

  test('DI-06: a constructor parameter that is an interface or a primitive', async () => {
    interface ILogger {
      log(): void;
    }
    @Tool('x', { scopes: [] })
    class NeedsInterface {
      constructor(
        readonly log: ILogger,
        readonly n: number,
      ) {}
      execute() {
        return this.n;
      }
    }
    const message = await failure(() => start(definePlugin({ name: 'bad', tools: [NeedsInterface] })()));
    expect(message).toMatch(/Plugin bad, tool needs_interface.*class NeedsInterface: constructor parameter 1 of 2/i);
    expect(message).toMatch(/@Inject\('id'\)/);
  });

  test('DI-06: a service that nobody provides, and one that is provided twice', async () => {
    expect(await failure(() => start(definePlugin({ name: 'lonely', tools: [AddNote] })()))).toMatch(/Plugin lonely, tool add_note.*AddNote needs the service Notes/);
    const twice = definePlugin({ name: 'twice', tools: [], services: [Notes, Notes] });
    expect(await failure(() => start(twice()))).toMatch(/Notes is provided twice: by plugin twice and by plugin twice/);
  });

  test('a constructor without type metadata is refused with the three remedies', async () => {
    class Bare {
      constructor(readonly notes: Notes) {}
    }
    const message = await failure(() => start(definePlugin({ name: 'bare', tools: [], services: [Notes, Bare] })()));
    expect(message).toMatch(/class Bare has 1 parameter/);
    for (const remedy of ['emitDecoratorMetadata', '@Inject(() => X)', 'useFactory']) expect(message).toContain(remedy);
  });

  test('services that need each other in a circle', async () => {
    @Injectable()
    class A {
      @Inject(() => B) b!: unknown;
    }
    @Injectable()
    class B {
      constructor(readonly a: A) {}
    }
    expect(await failure(() => start(definePlugin({ name: 'round', tools: [], services: [A, B] })()))).toMatch(/A → B → A/);
    const lazy = definePlugin({ name: 'lazy', tools: [], services: [{ provide: 'x', useFactory: (s) => s.get('y') }, { provide: 'y', useFactory: (s) => s.get('x') }] });
    expect(await failure(() => start(lazy()))).toMatch(/"x" → "y" → "x"/);
  });

  test('a service for the whole host that would keep one of a session', async () => {
    @Injectable()
    class Keeper {
      constructor(readonly notes: Notes) {}
    }
    const plugin = definePlugin({ name: 'keep', tools: [], services: [Keeper, { provide: Notes, useClass: Notes, scope: 'session' }] });
    expect(await failure(() => start(plugin()))).toMatch(/Keeper lives as long as the host and cannot hold Notes/);
  });

  test('DI-11: the same plugin loaded through two paths is detected and explained', async () => {
    expect(await failure(() => start(plain('fs', 'a')(), plain('fs', 'b')()))).toMatch(/plugin fs is listed twice.*two paths or two copies/);
  });

  test('DI-11: two hosts with different plugins list different tools', async () => {
    const [one, two] = await Promise.all([start(plain('p', 'a')()), start(plain('p', 'b')())]);
    expect([one, two].map((host) => host.registry.list().map(({ name }) => name))).toEqual([['a'], ['b']]);
  });
});

describe('DI-10: decorators in odd places', () => {
  test('a synchronous method works, a synchronous throw becomes an error result, and `this` is the instance', async () => {
    class Counter {
      private count = 41;
      @Tool('Counts.', { scopes: [] })
      next() {
        return this.count + 1;
      }
      @Tool('Throws.', { scopes: [] })
      fail(): string {
        throw new Error('sync');
      }
    }
    const host = await start(definePlugin({ name: 'counter', tools: [Counter] })());
    const dispatcher = createDispatcher({ registry: host.registry });
    const context = { sessionId: 's', signal: new AbortController().signal, services: host.openSession('s') };
    expect(await dispatcher.dispatch({ id: '1', name: 'next', arguments: '{}' }, context)).toMatchObject({ data: 42 });
    expect(await dispatcher.dispatch({ id: '2', name: 'fail', arguments: '{}' }, context)).toMatchObject({ status: 'error', code: 'execution_failed', error: 'Error: sync' });
  });

  test('what is no tool is refused where it is listed', async () => {
    class NoTool {}
    expect(await failure(() => start(definePlugin({ name: 'odd', tools: [NoTool] })()))).toMatch(/Plugin odd: NoTool is not a tool/);
  });
});

test('DI-12: a decorated class that no listed plugin brings is not offered', async () => {
  const host = await start(plain('fs', 'read_file')());
  const dispatcher = createDispatcher({ registry: host.registry });
  expect(host.registry.list().map(({ name }) => name)).toEqual(['read_file']);
  const result = await dispatcher.dispatch({ id: '1', name: 'add_note', arguments: '{}' }, { sessionId: 's', signal: new AbortController().signal, services: host.openSession('s') });
  expect(result).toMatchObject({ status: 'error', code: 'unknown_tool' });
});

describe('the life of a host', () => {
  const traced = (name: string, log: string[], more: object = {}) =>
    definePlugin({
      name,
      tools: [],
      async setup() {
        await Promise.resolve();
        log.push(`setup ${name}`);
      },
      async dispose() {
        await Promise.resolve();
        log.push(`dispose ${name}`);
      },
      ...more,
    })();

  test('plugins are set up in order and disposed in reverse, each awaited, once', async () => {
    const log: string[] = [];
    const host = await start(traced('a', log), traced('b', log));
    await Promise.all([host.dispose(), host.dispose()]);
    expect(log).toEqual(['setup a', 'setup b', 'dispose b', 'dispose a']);
    expect(() => host.openSession('late')).toThrow(SetupError);
  });

  test('a failing setup stops the start, names the plugin, and disposes what was set up', async () => {
    const log: string[] = [];
    const broken = traced('broken', log, { setup: () => Promise.reject(new Error('no port')) });
    expect(await failure(() => start(traced('a', log), broken, traced('c', log)))).toBe('Plugin broken could not be set up: no port');
    expect(log).toEqual(['setup a', 'dispose a']);
  });

  test('a failing disposal does not keep the others from theirs', async () => {
    const log: string[] = [];
    const host = await start(traced('a', log), traced('b', log, { dispose: () => Promise.reject(new Error('stuck')) }));
    await expect(host.dispose()).rejects.toThrow(/Plugin b could not be disposed: stuck/);
    expect(log).toEqual(['setup a', 'setup b', 'dispose a']);
  });

  test('services are disposed newest first, sessions before the host, values not at all', async () => {
    const log: string[] = [];
    const service = (name: string) => ({ dispose: () => void log.push(name) });
    const host = await PluginHost.start({
      root: '/work',
      plugins: [definePlugin({ name: 'p', tools: [], services: [{ provide: 'first', useFactory: () => Promise.resolve(service('first')) }, { provide: 'second', useFactory: (s) => ({ ...service('second'), first: s.get('first') }) }, { provide: 'mine', useFactory: () => service('session'), scope: 'session' }] })()],
      services: [{ provide: 'given', useValue: service('given') }],
    });
    host.openSession('s').get('mine');
    host.services.get('given');
    await host.dispose();
    expect(log).toEqual(['session', 'second', 'first']);
  });

  test('a plugin can withhold a tool with its reason, or have it asked for every time', async () => {
    const setup: NonNullable<Plugin['setup']> = (context) => {
      context.withhold('bash', 'no sandbox here');
      context.confirm('run');
    };
    const host = await start(definePlugin({ name: 'shell', tools: [fakeTool({ name: 'bash' }), fakeTool({ name: 'run' })], setup })());
    expect(host.withheld).toEqual([{ tool: 'bash', plugin: 'shell', reason: 'no sandbox here' }]);
    expect(host.registry.list().map(({ name, confirm }) => [name, confirm])).toEqual([['run', true]]);
    const meddling = definePlugin({ name: 'other', tools: [], setup: (context) => context.withhold('run', 'mine') });
    expect(await failure(() => start(definePlugin({ name: 'shell', tools: [fakeTool({ name: 'run' })] })(), meddling()))).toMatch(/other speaks for run, which is a tool of plugin shell/);
  });
});

describe('definePlugin', () => {
  class Options {
    @Param('How many') @IsInt() @Min(1) limit: number = 5;
    @Param('Where', { optional: true }) dir?: string;
  }
  const seen = jest.fn();
  const plugin = definePlugin({ name: 'opt', options: Options, tools: (options) => [fakeTool({ name: `tool_${options.limit}` }), fakeTool({ name: 'other' })], setup: (_context, options) => void seen(options) });

  test('options are checked like arguments, with defaults; a wrong one stops the start', async () => {
    const host = await start(plugin({ dir: 'x' }));
    expect(host.registry.list().map(({ name }) => name)).toEqual(['tool_5', 'other']);
    expect(seen).toHaveBeenCalledWith(expect.objectContaining({ limit: 5, dir: 'x' }));
    expect(await failure(() => start(plugin({ limit: 0 })))).toMatch(/Plugin opt, options: .*limit/);
    expect(await failure(() => start(plugin({ limits: 3 } as object)))).toMatch(/limits/);
    expect(await failure(() => start(plain('none', 'a')({ x: 1 } as object)))).toMatch(/takes no options; it was given x/);
  });

  test('only and without choose tools, and refuse names that are not there', async () => {
    const names = async (chosen: Plugin) => (await start(chosen)).registry.list().map(({ name }) => name);
    expect(await names(plugin().only('other'))).toEqual(['other']);
    expect(await names(plugin().without('other'))).toEqual(['tool_5']);
    expect(() => plugin().only('othr')).toThrow(/no tool othr. Did you mean other/);
    expect(() => definePlugin({ name: 'Bad Name', tools: [] })).toThrow(/no plugin name/);
  });
});
