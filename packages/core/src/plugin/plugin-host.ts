/** Starts plugins: registers their tools, provides their services, sets them up in order, and takes all of it down in reverse. */
import { SetupError } from '../errors.js';
import { silentLogger } from '../call/call-ports.js';
import { ToolRegistry } from '../registry/tool-registry.js';
import { definitionsOf } from '../tool/define-tool.js';
import type { Logger, ServiceProvider } from '../tool/tool.js';
import { checkServices, checkTarget } from './check-services.js';
import { checkManifest, readManifest } from './manifest.js';
import type { Plugin, PluginContext, ServiceRecipe } from './plugin.js';
import { ServiceContainer, nameOf } from './service-container.js';

export interface PluginHostOptions {
  plugins: readonly Plugin[];
  /** Services of the composition root, e.g. `{ provide: Workspace, useValue }`. */
  services?: readonly ServiceRecipe[];
  /** The workspace root, absolute. */
  root: string;
  /** The parsed package.json of plugins that come from packages, by plugin name: their manifests are checked before anything is set up. */
  packages?: Readonly<Record<string, unknown>>;
  log?: Logger;
}

/** One session's view of the services. `dispose` ends its own services, newest first, once. */
export interface SessionServices extends ServiceProvider {
  readonly sessionId: string;
  dispose(): Promise<void>;
}

export interface WithheldTool {
  tool: string;
  plugin: string;
  reason: string;
}

export class PluginHost {
  readonly registry = new ToolRegistry();
  readonly #services = new ServiceContainer('host');
  readonly #withheld: WithheldTool[] = [];
  readonly #started: { plugin: Plugin; context: PluginContext }[] = [];
  readonly #sessions = new Set<SessionServices>();
  readonly #log: Logger;
  readonly #root: string;
  #disposed: Promise<void> | undefined;

  private constructor(options: PluginHostOptions) {
    this.#log = options.log ?? silentLogger;
    this.#root = options.root;
  }

  /**
   * Checks everything first, then sets the plugins up one after the other.
   * @throws SetupError that names the plugin; what was set up before it is disposed by then.
   */
  static async start(options: PluginHostOptions): Promise<PluginHost> {
    const host = new PluginHost(options);
    host.#register(options);
    try {
      await host.#settleFactories();
      for (const plugin of options.plugins) await host.#setUp(plugin);
    } catch (error) {
      await host.dispose().catch((failure: unknown) => host.#log.error('the failed start could not be taken down cleanly', { error: failure }));
      throw error;
    }
    return host;
  }

  get services(): ServiceProvider {
    return this.#services;
  }

  /** Tools that their plugins cannot offer here, with the reason. */
  get withheld(): readonly WithheldTool[] {
    return this.#withheld;
  }

  /** A container for one session: host services are shared, those of session scope are its own. */
  openSession(sessionId: string): SessionServices {
    if (this.#disposed) throw new SetupError('The plugin host is disposed; no session can be opened.');
    const container = new ServiceContainer(`session ${sessionId}`, this.#services);
    const session: SessionServices = {
      sessionId,
      has: (id) => container.has(id),
      get: (id) => container.get(id),
      create: (target) => container.create(target),
      dispose: async () => {
        this.#sessions.delete(session);
        throwAll(await container.dispose(), `Session ${sessionId}`);
      },
    };
    this.#sessions.add(session);
    return session;
  }

  /** Ends sessions, then plugins in reverse order, then services, newest first. Goes on after an error; throws them all at the end. */
  dispose(): Promise<void> {
    this.#disposed ??= this.#dispose();
    return this.#disposed;
  }

  #register({ plugins, services = [], packages = {} }: PluginHostOptions): void {
    refuseDuplicates(plugins);
    for (const recipe of services) this.#services.register(recipe, 'the host');
    for (const plugin of plugins) {
      if (plugin.optionsError) throw plugin.optionsError;
      for (const recipe of plugin.services) this.#services.register(recipe, `plugin ${plugin.name}`);
    }
    for (const plugin of plugins) this.#registerTools(plugin, packages[plugin.name]);
    checkServices(this.#services);
    for (const { name, plugin, target } of this.registry.list()) if (target) checkTarget(this.#services, target, `Plugin ${plugin ?? ''}, tool ${name}`);
  }

  #registerTools(plugin: Plugin, packageJson: unknown): void {
    const manifest = readManifest(packageJson, `Plugin ${plugin.name}, package.json`);
    const definitions = plugin.tools.flatMap((source) => named(plugin, () => definitionsOf(source)));
    if (manifest) checkManifest(manifest, plugin.name, definitions);
    for (const definition of definitions) this.registry.register(definition, plugin.name);
  }

  /** A host service whose factory is asynchronous is awaited here, in the order in which the services are listed. */
  async #settleFactories(): Promise<void> {
    for (const { id, owner, scope, recipe } of this.#services.entries()) {
      if (typeof recipe === 'function' || !('useFactory' in recipe) || scope !== 'host') continue;
      try {
        const made: unknown = this.#services.get(id as string);
        if (made instanceof Promise) this.#services.settle(id, await made);
      } catch (error) {
        throw startFailed(`The service ${nameOf(id)} of ${owner} could not be made`, error);
      }
    }
  }

  async #setUp(plugin: Plugin): Promise<void> {
    const context: PluginContext = {
      plugin: plugin.name,
      services: this.#services,
      log: this.#log,
      root: this.#root,
      withhold: (tool, reason) => this.#withhold(plugin, tool, reason),
      confirm: (tool) => {
        this.#requireOwn(plugin, tool);
        this.registry.confirm(tool);
      },
    };
    try {
      await plugin.setup?.(context);
    } catch (error) {
      throw startFailed(`Plugin ${plugin.name} could not be set up`, error);
    }
    this.#started.push({ plugin, context });
  }

  #withhold(plugin: Plugin, tool: string, reason: string): void {
    this.#requireOwn(plugin, tool);
    if (this.registry.remove(tool)) this.#withheld.push({ tool, plugin: plugin.name, reason });
  }

  /** A tool that `.only` or `.without` left out is nobody's concern; one of another plugin is. */
  #requireOwn(plugin: Plugin, tool: string): void {
    const owner = this.registry.get(tool)?.plugin;
    if (owner !== undefined && owner !== plugin.name) throw new SetupError(`Plugin ${plugin.name} speaks for ${tool}, which is a tool of plugin ${owner}.`);
  }

  async #dispose(): Promise<void> {
    const errors: Error[] = [];
    const attempt = async (step: () => unknown, what: string) => {
      try {
        await step();
      } catch (error) {
        errors.push(startFailed(`${what} could not be disposed`, error));
      }
    };
    for (const session of this.#sessions) await attempt(() => session.dispose(), `Session ${session.sessionId}`);
    for (const { plugin, context } of this.#started.reverse()) await attempt(() => plugin.dispose?.(context), `Plugin ${plugin.name}`);
    errors.push(...(await this.#services.dispose()));
    throwAll(errors, 'The plugin host');
  }
}

function refuseDuplicates(plugins: readonly Plugin[]): void {
  const seen = new Set<string>();
  for (const { name } of plugins) {
    const folded = name.toLowerCase();
    if (seen.has(folded)) {
      throw new SetupError(`The plugin ${name} is listed twice. List it once; if it was loaded through two paths or two copies of its package, keep one of them.`);
    }
    seen.add(folded);
  }
}

function named<T>(plugin: Plugin, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw startFailed(`Plugin ${plugin.name}`, error);
  }
}

function startFailed(what: string, error: unknown): SetupError {
  return new SetupError(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}

function throwAll(errors: readonly Error[], what: string): void {
  if (errors.length > 0) throw new AggregateError(errors, `${what} was not taken down cleanly: ${errors.map((error) => error.message).join('; ')}`);
}
