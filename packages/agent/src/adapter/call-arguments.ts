/** The argument text of a past call, in the form that a provider takes back. */

/** The arguments as an object. Text that is no JSON object (cut short, a list, a bare string) goes back visibly, under one key. */
export function argumentsObject(text: string): Record<string, unknown> {
  const trimmed = text.trim();
  if (trimmed === '') return {};
  try {
    const value: unknown = JSON.parse(trimmed);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Not JSON: the caller sends it as it is, under a key that says so.
  }
  return { INVALID_JSON: text };
}

/** The same as JSON text; sound text stays byte for byte. */
export function argumentsText(text: string): string {
  const object = argumentsObject(text);
  return 'INVALID_JSON' in object || text.trim() === '' ? JSON.stringify(object) : text;
}
