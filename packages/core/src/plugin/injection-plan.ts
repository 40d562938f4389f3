/** What a class wants from the container: read once per class from its constructor metadata and typedi's `@Inject` marks. */
import type { Handler } from 'typedi';
import { SetupError } from '../errors.js';
import { ownConstructorTypes } from '../tool/tool-metadata.js';
import type { Class } from '../tool/tool.js';
import type { ServiceId } from './plugin.js';

export interface InjectionPlan {
  /** In constructor order; undefined where the parameter's own default applies. */
  parameters: readonly (ServiceId | undefined)[];
  properties: readonly { property: string; id: ServiceId }[];
  /** Nothing is wanted. */
  isEmpty: boolean;
}

const notInjectable: ReadonlySet<unknown> = new Set([undefined, null, Object, String, Number, Boolean, BigInt, Symbol, Array, Function, Promise, Date, Map, Set]);

/** @throws SetupError that names the class, the parameter, and what to write. */
export function planInjection(target: Class, handlers: readonly Handler[]): InjectionPlan {
  const { types, required } = constructorOf(target);
  const parameters: (ServiceId | undefined)[] = [];
  const count = Math.max(required, types?.length ?? 0);
  for (let index = 0; index < count; index++) {
    const marked = handlers.find((handler) => handler.index === index && isPartOf(target, handler.object));
    if (marked) parameters.push(identifierOf(marked));
    else if (!types) throw noMetadata(target, required);
    else if (!notInjectable.has(types[index])) parameters.push(types[index] as Class);
    else if (index < required) throw notAService(target, index, types[index]);
    else parameters.push(undefined);
  }
  const properties = propertiesOf(target, handlers);
  return { parameters, properties, isEmpty: parameters.length + properties.length === 0 };
}

/** A class without a constructor of its own has that of the class it extends. */
function constructorOf(target: Class): { types: readonly unknown[] | undefined; required: number } {
  for (let owner: unknown = target; typeof owner === 'function' && owner !== Function.prototype; owner = Object.getPrototypeOf(owner)) {
    const types = ownConstructorTypes(owner as unknown as Class);
    if (types) return { types, required: owner.length };
    if (owner.length > 0) return { types: undefined, required: owner.length };
  }
  return { types: [], required: 0 };
}

function propertiesOf(target: Class, handlers: readonly Handler[]): { property: string; id: ServiceId }[] {
  const prototype = (target as unknown as { prototype: object }).prototype;
  return handlers.flatMap((handler) => {
    const owner = handler.object as object;
    const applies = typeof handler.index !== 'number' && handler.propertyName && (owner === prototype || Object.prototype.isPrototypeOf.call(owner, prototype));
    return applies ? [{ property: String(handler.propertyName), id: identifierOf(handler) }] : [];
  });
}

function isPartOf(target: Class, owner: unknown): boolean {
  return owner === target || (typeof owner === 'function' && Object.prototype.isPrototypeOf.call(owner, target));
}

/** A mark says what it wants by asking a container for it. */
function identifierOf(handler: Handler): ServiceId {
  let wanted: unknown;
  const asked = { get: (id: unknown) => void (wanted = id) };
  handler.value(asked as unknown as Parameters<Handler['value']>[0]);
  return wanted as ServiceId;
}

function noMetadata(target: Class, required: number): SetupError {
  return new SetupError(
    `The constructor of class ${target.name} has ${required} parameter${required === 1 ? '' : 's'}, but its types are not known at run time. ` +
      'Do one of three: decorate the class (@Tool or @Injectable) and compile with decorator metadata (tsc with emitDecoratorMetadata, SWC with decoratorMetadata; tsx, esbuild and type stripping emit none); ' +
      'or inject into a property, @Inject(() => X) x!: X; ' +
      `or make it yourself: services: [{ provide: ${target.name}, useFactory: (services) => new ${target.name}(services.get(X)) }].`,
  );
}

function notAService(target: Class, index: number, type: unknown): SetupError {
  const seen = typeof type === 'function' ? type.name : 'nothing';
  return new SetupError(
    `Class ${target.name}: constructor parameter ${index + 1} of ${target.length} is no injectable class (its type at run time is ${seen}: an interface, a primitive or a type-only import). ` +
      "Use a class, or mark the parameter with @Inject('id') and provide that id in the plugin's services.",
  );
}
