/**
 * Finds the initialisers of a class by making an instance whose constructor gets stand-ins for its services: they take any
 * call and do nothing, so that describing a tool runs no service.
 */
import { SetupError } from '../errors.js';
import type { Class } from '../tool/tool.js';

const standIn: unknown = new Proxy(function standIn() {}, {
  get: (_, key) => {
    // Not a promise; and a primitive wherever one is asked for.
    if (key === 'then') return undefined;
    if (key === Symbol.toPrimitive) return () => '';
    if (key === Symbol.iterator) return () => [][Symbol.iterator]();
    return standIn;
  },
  set: () => true,
  apply: () => standIn,
  construct: () => standIn as object,
  getPrototypeOf: () => Object.prototype,
});

/** More than any constructor that is likely to be written takes. */
const standIns: readonly unknown[] = Array.from({ length: 8 }, () => standIn);

/**
 * An instance with its initial field values.
 * @throws SetupError when the constructor fails with stand-ins: its work belongs in `execute()`.
 */
export function probe(target: Class): Record<string, unknown> {
  const constructor = target as new (...services: unknown[]) => Record<string, unknown>;
  try {
    return target.length <= standIns.length ? new constructor(...standIns) : new constructor(...Array.from({ length: target.length }, () => standIn));
  } catch (error) {
    throw new SetupError(
      `The constructor of ${target.name} fails without its services, so the defaults of its fields cannot be read: ${String(error)}. `
      + 'Only store the services in the constructor, and move its work into execute().',
      { cause: error },
    );
  }
}
