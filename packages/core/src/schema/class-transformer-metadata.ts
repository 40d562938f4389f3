/** Reads what class-transformer's `@Type` and `@Transform` recorded. Its storage is a small module of its own: the library itself is not loaded. */
import { createRequire } from 'node:module';
import type { Class } from '../tool/tool.js';

interface RecordedType {
  typeFunction?: () => unknown;
  options?: { discriminator?: { property: string; subTypes: { value: Class; name: string }[] } };
}

interface RecordedTransform {
  transformFn(input: { value: unknown; key: string; obj: object; type: number; options: object }): unknown;
}

interface Storage {
  findTypeMetadata(target: Class, property: string): RecordedType | undefined;
  findTransformMetadatas(target: Class, property: string, kind: number): RecordedTransform[];
}

/** class-transformer's `TransformationType.PLAIN_TO_CLASS`. */
const plainToClass = 0;

const load = createRequire(import.meta.url);
/** Undefined before the first look, null where the library is not installed. */
let storagePath: string | null | undefined;

export function transformerTypeOf(target: Class, property: string): RecordedType | undefined {
  return storage()?.findTypeMetadata(target, property);
}

/** The property's `@Transform` functions, in the order in which they run. `source` is the object as it came in. */
export function transformsOf(target: Class, property: string): ((value: unknown, source: object) => unknown)[] {
  const recorded = storage()?.findTransformMetadatas(target, property, plainToClass);
  if (recorded === undefined) return [];
  return recorded.map(({ transformFn }) => (value, source) => transformFn({ value, key: property, obj: source, type: plainToClass, options: {} }));
}

/** Only where the library was loaded by somebody can anything be recorded. */
function storage(): Storage | undefined {
  storagePath ??= resolve();
  if (storagePath === null || !(storagePath in load.cache)) return undefined;
  return (load(storagePath) as { defaultMetadataStorage: Storage }).defaultMetadataStorage;
}

function resolve(): string | null {
  try {
    return load.resolve('class-transformer/cjs/storage.js');
  } catch (error) {
    // A peer that is not installed; anything else is a fault to see.
    if ((error as { code?: unknown }).code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}
