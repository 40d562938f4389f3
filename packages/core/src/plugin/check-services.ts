/** Follows what every tool and service needs before anything is made: unknown services, cycles and captured sessions are found at start. */
import { SetupError } from '../errors.js';
import type { Class } from '../tool/tool.js';
import type { ServiceId } from './plugin.js';
import { type ServiceContainer, type ServiceEntry, cycle, injectionOf, nameOf } from './service-container.js';

/** @throws SetupError naming `what` (a tool and its plugin), the class and the remedy. */
export function checkTarget(container: ServiceContainer, target: Class, what: string): void {
  for (const id of neededBy(target, what)) requireProvided(container, id, target, what);
}

/** Checks every class among the recipes. @throws SetupError as above, or for a cycle. */
export function checkServices(container: ServiceContainer): void {
  const entries = new Map(container.entries().map((entry) => [entry.id, entry]));
  const clear = new Set<ServiceId>();
  for (const entry of entries.values()) visit(entry, []);

  function visit(entry: ServiceEntry, path: readonly ServiceId[]): void {
    if (path.includes(entry.id)) throw cycle([...path.slice(path.indexOf(entry.id)), entry.id]);
    if (clear.has(entry.id)) return;
    const target = classOf(entry);
    const what = `service ${nameOf(entry.id)} of ${entry.owner}`;
    for (const id of target ? neededBy(target, what) : []) {
      requireProvided(container, id, target, what);
      const needed = entries.get(id);
      if (needed) refuseCapture(entry, needed);
      if (needed) visit(needed, [...path, entry.id]);
    }
    clear.add(entry.id);
  }
}

function classOf({ recipe }: ServiceEntry): Class | undefined {
  if (typeof recipe === 'function') return recipe;
  return 'useClass' in recipe ? recipe.useClass : undefined;
}

function neededBy(target: Class, what: string): ServiceId[] {
  try {
    const { parameters, properties } = injectionOf(target);
    return [...parameters.filter((id) => id !== undefined), ...properties.map(({ id }) => id)];
  } catch (error) {
    throw error instanceof SetupError ? new SetupError(`${what}: ${error.message}`) : error;
  }
}

function requireProvided(container: ServiceContainer, id: ServiceId, target: Class | undefined, what: string): void {
  if (container.has(id)) return;
  throw new SetupError(`${what}: class ${target?.name ?? ''} needs the service ${nameOf(id)}, which nobody provides. List it in the services of a plugin, or give it to the host.`);
}

/** One instance for the whole host must not keep what belongs to one session. */
function refuseCapture(holder: ServiceEntry, needed: ServiceEntry): void {
  if (holder.scope !== 'host' || needed.scope !== 'session') return;
  throw new SetupError(`The service ${nameOf(holder.id)} lives as long as the host and cannot hold ${nameOf(needed.id)}, which belongs to one session. Give it scope: 'session' too.`);
}
