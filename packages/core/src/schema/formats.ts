/** The formats of JSON Schema that Haft emits, as Ajv understands them: the same definitions, loaded when a format first appears. */
import { createRequire } from 'node:module';

type Definition = RegExp | ((text: string) => boolean) | { validate: RegExp | ((text: string) => boolean) };

let definitions: Record<string, Definition> | undefined;

/** Longer texts are refused without looking: some of the expressions are slow on long input. */
export const longestFormatted = 8_192;

/** @throws RangeError for a name that is not known. */
export function formatCheck(name: string): (text: string) => boolean {
  definitions ??= (createRequire(import.meta.url)('ajv-formats/dist/formats.js') as { fullFormats: Record<string, Definition> }).fullFormats;
  const definition = definitions[name];
  if (definition === undefined) throw new RangeError(`There is no format "${name}".`);
  const validate = typeof definition === 'object' && 'validate' in definition ? definition.validate : definition;
  const test = validate instanceof RegExp ? (text: string) => validate.test(text) : (validate as (text: string) => boolean);
  return (text) => text.length <= longestFormatted && test(text);
}
