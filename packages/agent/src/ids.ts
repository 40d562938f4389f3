/** A short random id, e.g. `s4f0c2d9e81ab`: 48 bits, letters and digits only, so that it fits ids of providers and names of files. */
export function newId(prefix: string): string {
  return prefix + crypto.randomUUID().replaceAll('-', '').slice(0, 12);
}
