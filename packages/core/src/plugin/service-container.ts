/**
 * The one facade over typedi. Every service is kept in a typedi container of its own under a private token, so that nothing is shared
 * with typedi's global container; what typedi lacks is added here: refusal of duplicates, of unknown services and of cycles, sessions,
 * and disposal that is awaited. The library is loaded with the first container or mark: who only describes tools does not pay for it.
 */
import { createRequire } from 'node:module';
import type { ContainerInstance, Token } from 'typedi';
import { SetupError } from '../errors.js';
import type { Class, ServiceProvider } from '../tool/tool.js';
import { type InjectionPlan, planInjection } from './injection-plan.js';
import type { ServiceId, ServiceRecipe, ServiceScope } from './plugin.js';

type Typedi = typeof import('typedi');
let loaded: Typedi | undefined;

function typedi(): Typedi {
  return (loaded ??= createRequire(import.meta.url)('typedi') as Typedi);
}

/** Names the service for a constructor parameter or a property: a class behind a function, an id or a token. typedi's own. */
export const Inject: Typedi['Inject'] = (...id: unknown[]) => (typedi().Inject as (...id: unknown[]) => ReturnType<Typedi['Inject']>)(...id);

export interface ServiceEntry {
  readonly id: ServiceId;
  /** The plugin that provides it, or `host`. */
  readonly owner: string;
  readonly scope: ServiceScope;
  readonly recipe: ServiceRecipe;
  readonly token: Token<unknown>;
}

const plans = new WeakMap<Class, InjectionPlan>();

export class ServiceContainer implements ServiceProvider {
  readonly #entries: Map<ServiceId, ServiceEntry>;
  readonly #store: ContainerInstance;
  readonly #values = new Map<ServiceId, unknown>();
  readonly #made: { id: ServiceId; value: unknown }[] = [];
  readonly #resolving: ServiceId[] = [];
  #disposed = false;

  /** With a parent: the container of one session, which asks the parent for everything that is not of session scope. */
  constructor(
    readonly name: string,
    private readonly parent?: ServiceContainer,
  ) {
    this.#entries = parent ? parent.#entries : new Map();
    this.#store = new (typedi().ContainerInstance)(name);
  }

  /** @throws SetupError when the id is provided already, naming both owners. */
  register(recipe: ServiceRecipe, owner: string): ServiceEntry {
    const id = typeof recipe === 'function' ? recipe : recipe.provide;
    const present = this.#entries.get(id);
    if (present) throw new SetupError(`The service ${nameOf(id)} is provided twice: by ${present.owner} and by ${owner}. Remove one, or give one another id.`);
    const scope = typeof recipe === 'object' && 'scope' in recipe ? (recipe.scope ?? 'host') : 'host';
    const entry: ServiceEntry = { id, owner, scope, recipe, token: new (typedi().Token)(nameOf(id)) };
    this.#entries.set(id, entry);
    return entry;
  }

  entries(): readonly ServiceEntry[] {
    return [...this.#entries.values()];
  }

  /** Whether `get` has a recipe for it. */
  has(id: ServiceId): boolean {
    return this.#entries.has(id) || isDeclaredService(id);
  }

  get<T>(id: Class<T> | string | symbol): T {
    const made = this.#values.get(id);
    return (made !== undefined || this.#values.has(id) ? made : this.#resolve(id)) as T;
  }

  create<T>(target: Class<T>): T {
    const plan = injectionOf(target);
    const constructor = target as unknown as new (...parameters: unknown[]) => T;
    if (plan.isEmpty) return new constructor();
    const parameters = plan.parameters.map((id) => (id === undefined ? undefined : this.get(id)));
    const instance = new constructor(...parameters);
    for (const { property, id } of plan.properties) (instance as Record<string, unknown>)[property] = this.get(id);
    return instance;
  }

  /** Puts a value in place of one that its factory promised. */
  settle(id: ServiceId, value: unknown): void {
    this.#values.set(id, value);
    const made = this.#made.find((item) => item.id === id);
    if (made) made.value = value;
  }

  /** Disposes what this container made, newest first, each once. Resolves with the errors. */
  async dispose(): Promise<Error[]> {
    if (this.#disposed) return [];
    this.#disposed = true;
    const errors: Error[] = [];
    for (const { id, value } of this.#made.reverse()) {
      try {
        await disposeValue(value);
      } catch (error) {
        errors.push(new Error(`The service ${nameOf(id)} could not be disposed: ${error instanceof Error ? error.message : String(error)}`, { cause: error }));
      }
    }
    this.#values.clear();
    this.#made.length = 0;
    return errors;
  }

  #resolve(id: ServiceId): unknown {
    if (this.#disposed) throw new SetupError(`The container ${this.name} is disposed; ${nameOf(id)} can no longer be had from it.`);
    const entry = this.#entries.get(id) ?? this.#declared(id);
    if (entry.scope === 'host' && this.parent) return this.#keep(id, this.parent.get(id as Class));
    if (entry.scope === 'session' && !this.parent) throw new SetupError(`The service ${nameOf(id)} is of session scope and cannot be had outside a session.`);
    if (this.#resolving.includes(id)) throw cycle([...this.#resolving.slice(this.#resolving.indexOf(id)), id]);
    this.#resolving.push(id);
    try {
      this.#store.set({ id: entry.token, factory: () => this.#make(entry) });
      const value = this.#keep(id, this.#store.get(entry.token));
      if (!hasValue(entry.recipe)) this.#made.push({ id, value });
      return value;
    } finally {
      this.#resolving.pop();
    }
  }

  #keep(id: ServiceId, value: unknown): unknown {
    this.#values.set(id, value);
    return value;
  }

  #make({ recipe }: ServiceEntry): unknown {
    if (typeof recipe === 'function') return this.create(recipe);
    if ('useValue' in recipe) return recipe.useValue;
    return 'useClass' in recipe ? this.create(recipe.useClass) : recipe.useFactory(this);
  }

  /** A class marked with typedi's own `@Service()` provides itself, once per host. */
  #declared(id: ServiceId): ServiceEntry {
    if (isDeclaredService(id)) return this.register(id as Class, 'host');
    throw new SetupError(`The service ${nameOf(id)} is not provided. List it in the services of a plugin, or give it to the host.`);
  }
}

/** What a class wants, read once. @throws SetupError when it cannot be known. */
export function injectionOf(target: Class): InjectionPlan {
  let plan = plans.get(target);
  if (!plan) plans.set(target, (plan = planInjection(target, typedi().Container.handlers)));
  return plan;
}

export function nameOf(id: ServiceId): string {
  if (typeof id === 'function') return id.name === '' ? '(anonymous class)' : id.name;
  if (typeof id === 'string') return JSON.stringify(id);
  return typeof id === 'symbol' ? String(id) : ((id as { name?: string }).name ?? 'a token');
}

export function cycle(path: readonly ServiceId[]): SetupError {
  return new SetupError(`Services need each other in a circle: ${path.map(nameOf).join(' → ')}. Break it: let one of them get the other from a factory when it is used.`);
}

function isDeclaredService(id: ServiceId): boolean {
  return typeof id === 'function' && typedi().Container.has(id as unknown as new () => unknown);
}

function hasValue(recipe: ServiceRecipe): boolean {
  return typeof recipe === 'object' && 'useValue' in recipe;
}

async function disposeValue(value: unknown): Promise<void> {
  if (typeof value !== 'object' || value === null) return;
  const disposable = value as { dispose?: unknown } & Record<symbol, unknown>;
  const asyncDispose = (Symbol as { asyncDispose?: symbol }).asyncDispose;
  const method = (asyncDispose && disposable[asyncDispose]) ?? disposable.dispose;
  if (typeof method === 'function') await method.call(value);
}
