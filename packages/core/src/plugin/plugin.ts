/** What a plugin is: a named group of tools, the services they need, and what to do at start and end. */
import type { SetupError } from '../errors.js';
import type { Class, Logger, ServiceProvider, ToolDefinition } from '../tool/tool.js';

export type ServiceId = Class | string | symbol;

/** How the container makes a service: an injectable class, or a recipe under an id. */
export type ServiceRecipe =
  | Class
  | { provide: ServiceId; useValue: unknown }
  | { provide: ServiceId; useClass: Class; scope?: ServiceScope }
  | { provide: ServiceId; useFactory: (services: ServiceProvider) => unknown; scope?: ServiceScope };

/** `host`: one for the whole host (default). `session`: one per session, disposed with it. */
export type ServiceScope = 'host' | 'session';

/** A tool as plugins list it: a decorated class, a class with decorated methods, or a ready definition. */
export type ToolSource = Class | ToolDefinition;

export interface PluginContext {
  readonly plugin: string;
  readonly services: ServiceProvider;
  readonly log: Logger;
  /** The workspace root, absolute. */
  readonly root: string;
  /** Says that one of this plugin's tools cannot be offered here, with cause and remedy (shown by `doctor`). */
  withhold(tool: string, reason: string): void;
  /** Says that one of this plugin's tools must be asked for at every call here, whatever the rules allow. */
  confirm(tool: string): void;
}

export interface PluginSpec<Options extends object = object> {
  name: string;
  version?: string;
  /** A class with `@Param` fields: options are validated like arguments. */
  options?: Class<Options>;
  tools: readonly ToolSource[] | ((options: Options) => readonly ToolSource[]);
  services?: readonly ServiceRecipe[] | ((options: Options) => readonly ServiceRecipe[]);
  setup?(context: PluginContext, options: Options): void | Promise<void>;
  dispose?(context: PluginContext): void | Promise<void>;
}

/** A plugin with its options applied, as `agent.config.ts` lists it. */
export interface Plugin<Names extends string = string> {
  readonly name: string;
  readonly version?: string;
  readonly tools: readonly ToolSource[];
  readonly services: readonly ServiceRecipe[];
  readonly optionsError?: SetupError;
  setup?(context: PluginContext): void | Promise<void>;
  dispose?(context: PluginContext): void | Promise<void>;
  /** Only these tools of the plugin. Unknown names are a SetupError. */
  only<N extends Names>(...names: N[]): Plugin<N>;
  /** All but these. */
  without<N extends Names>(...names: N[]): Plugin<Exclude<Names, N>>;
}
